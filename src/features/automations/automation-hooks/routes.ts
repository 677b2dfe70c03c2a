import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
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
    summary: 'Sets off the automation at this address, without a body',
    description: 'HEAD tells whether the address can be called, and sets nothing off.',
    answersHead: true,
    write: callHook,
  }),
  defineHookRoute({
    ...hook,
    id: 'automation_hooks.post',
    method: 'POST',
    summary: 'Sets off the automation at this address',
    description:
      'With the API key of an editor, or the token of the address. The body may be of any type: JSON and forms are read, other text is taken as it is.',
    write: callHook,
  }),
  defineHookRoute({
    ...hook,
    id: 'automation_hooks.put',
    method: 'PUT',
    summary: 'Sets off the automation at this address',
    write: callHook,
  }),
];
