import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineHookRoute } from '../../../http/hook-route.ts';
import type { Route } from '../../../http/route.ts';
import { AUTOMATION_INPUTS_FULL, TOO_MANY_RUNS } from '../automations/index.ts';
import { HookParams, HookQuery, HookReply } from './schema.ts';
import { callHook } from './service.ts';

/** Calls per minute of one hook or member: far above normal use, and no more than the run limit allows. */
const CALLS_PER_MINUTE = 6000;

const hook = {
  path: '/api/hooks/{tenant_code}/{path}',
  tag: 'Automations',
  access: 'editor',
  params: HookParams,
  query: HookQuery,
  errors: [FORBIDDEN, NOT_FOUND, TOO_MANY_RUNS, AUTOMATION_INPUTS_FULL],
  rateLimit: { limit: CALLS_PER_MINUTE, windowSeconds: 60, per: 'caller', group: 'automation_hooks' },
  reply: HookReply,
} as const;

/** One route per HTTP method that calls hooks (docs/specification/automations.md#hooks). */
export const routes: readonly Route[] = [
  defineHookRoute({
    ...hook,
    id: 'automation_hooks.get',
    method: 'GET',
    summary: 'Starts the automation at this URL, without a body',
    description: 'HEAD only checks that the URL can be called.',
    answersHead: true,
    write: callHook,
  }),
  defineHookRoute({
    ...hook,
    id: 'automation_hooks.post',
    method: 'POST',
    summary: 'Starts the automation at this URL',
    description:
      "Requires an editor's API key or the token of the URL. JSON and form bodies are parsed; other bodies are passed as text.",
    maxBodyBytes: CONTENT_BODY_BYTES,
    write: callHook,
  }),
  defineHookRoute({
    ...hook,
    id: 'automation_hooks.put',
    method: 'PUT',
    summary: 'Starts the automation at this URL',
    maxBodyBytes: CONTENT_BODY_BYTES,
    write: callHook,
  }),
];
