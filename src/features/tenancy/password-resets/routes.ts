import Type from 'typebox';
import { TOKEN_INVALID } from '../../../errors/platform-errors.ts';
import { ACCOUNT_FORM, readForm } from '../../../http/account-form.ts';
import { configuredOrigins } from '../../../http/cors.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/route.ts';
import { Success } from '../sessions/index.ts';
import { resetPage } from './page.ts';
import { requestReset } from './request.ts';
import { ResetCompletion, ResetHint, ResetRequest } from './schema.ts';
import { completeReset, findResetSubject, readReset, submitReset } from './service.ts';

const params = Type.Object({ token: Type.String() });
const path = '/auth/password-resets';
const pagePath = '/console/reset/{token}';
const common = { tag: 'Signing in', access: 'public' } as const;

/** Routes to set a new password without the current one (docs/specification/records.md#passwords). */
export const routes: readonly Route[] = [
  defineRoute({
    ...common,
    id: 'password_resets.create',
    method: 'POST',
    path,
    summary: 'Sends a password-reset link',
    description: 'The response is the same for every address. A user gets at most 3 such mails per hour.',
    cors: configuredOrigins,
    rateLimit: { limit: 30, windowSeconds: 60 * 60, per: 'address' },
    body: ResetRequest,
    reply: Success,
    handler: (ctx, { body }) => requestReset(ctx, body),
  }),
  defineRoute({
    ...common,
    id: 'password_resets.get',
    method: 'GET',
    path: `${path}/{token}`,
    summary: 'Reads whose password a link resets',
    cors: configuredOrigins,
    errors: [TOKEN_INVALID],
    params,
    returnsSecrets: true,
    reply: ResetHint,
    handler: (ctx, input) => readReset(ctx, input.params.token),
  }),
  defineRoute({
    ...common,
    id: 'password_resets.complete',
    method: 'POST',
    path: `${path}/{token}`,
    summary: 'Sets a new password with a reset link',
    description: 'The link works once, for 1 hour. Ends all sessions of the user in all tenants.',
    cors: configuredOrigins,
    errors: [TOKEN_INVALID],
    params,
    body: ResetCompletion,
    reply: Success,
    handler: (ctx, input) => completeReset(ctx, input.params.token, input.body.password),
  }),
  defineRawRoute({
    ...common,
    id: 'password_resets.page',
    method: 'GET',
    path: pagePath,
    summary: 'Page to set a new password; read-only',
    params,
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: async (ctx, input) => resetPage(ctx, await findResetSubject(ctx, input.params.token)),
  }),
  defineRawRoute({
    ...common,
    id: 'password_resets.submit',
    method: 'POST',
    path: pagePath,
    summary: 'Sets a new password (form of the page)',
    description: '`password`: the new password. Invalid input returns the form with status 400.',
    params,
    upload: ACCOUNT_FORM,
    raw: { contentType: 'text/html', description: 'Confirmation page.' },
    handler: async (ctx, input) => {
      const password = (await readForm(input.body)).get('password') ?? '';
      return resetPage(ctx, await submitReset(ctx, input.params.token, password));
    },
  }),
];
