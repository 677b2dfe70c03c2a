import Type from 'typebox';
import { FORBIDDEN, TOKEN_INVALID, UNAUTHORIZED } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { settingsWriteOptions } from '../../email-settings/api.ts';
import { PROVIDER_UNREACHABLE } from './errors.ts';
import { providerHooks } from './resource.ts';
import { createHook, HOOK_CHECKS, receiveNotices } from './service.ts';

/** Routes that create the hook URL of a provider and receive its notices. */
export const routes: readonly Route[] = [
  defineRoute({
    ...settingsWriteOptions,
    id: 'provider_hooks.create',
    method: 'POST',
    path: '/api/email_settings/provider_hooks',
    summary: 'Creates the URL for bounce and complaint notices of a mail provider',
    description: 'Replaces the previous URL of this provider. Requires the admin role on Default.',
    errors: [FORBIDDEN],
    body: providerHooks.createBody,
    checks: HOOK_CHECKS,
    reply: Type.Object(
      { url: Type.String({ description: 'Secret: contains a token.' }) },
      { title: 'ProviderHookCreated' },
    ),
    oneStatement: true,
    write: (ctx, { body }) => createHook(ctx, body),
  }),
  defineRoute({
    id: 'provider_hooks.receive',
    method: 'POST',
    path: '/hooks/mail/{provider}/{token}',
    summary: "Receives signed notices in the provider's format",
    description: 'Duplicate notices have no effect.',
    tag: 'Email tracking',
    access: 'public',
    errors: [TOKEN_INVALID, UNAUTHORIZED, PROVIDER_UNREACHABLE],
    params: Type.Object({ provider: Type.String(), token: Type.String() }),
    // SNS posts its JSON as text. Signatures cover bytes, so bodies are read unparsed.
    upload: { contentTypes: ['application/json', 'text/plain'], maxBytes: CONTENT_BODY_BYTES },
    reply: Type.Object(
      { recorded: Type.Integer({ description: 'Number of new bounces and complaints.' }) },
      { title: 'NoticesReply' },
    ),
    handler: (ctx, { params, body }) => receiveNotices(ctx, params, body),
  }),
];
