import { NOT_FOUND, RATE_LIMITED, TENANT_SUSPENDED, UNAUTHORIZED } from '../../../errors/platform-errors.ts';
import { defineAccountRoute } from '../../../http/bearer-route.ts';
import { configuredOrigins } from '../../../http/cors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { REFRESH_CONFLICT } from './errors.ts';
import { changePassword, setPassword } from './passwords.ts';
import {
  PasswordChange,
  PasswordSet,
  PasswordSetBody,
  RefreshTokenBody,
  SignedIn,
  SignIn,
  Success,
} from './schema.ts';
import { beginSession, prepareRefresh, prepareSignIn, refreshSession, signOut } from './service.ts';

const facts = {
  method: 'POST',
  tag: 'Signing in',
  access: 'public',
  envelope: 'entity',
  cors: configuredOrigins,
} as const;

/** Routes that issue access tokens (docs/specification/records.md#signing-in). */
export const routes: readonly Route[] = [
  defineRoute({
    ...facts,
    id: 'auth.login',
    path: '/auth/login',
    summary: 'Signs in',
    description: 'After 10 failures in 15 minutes per user or client, every attempt is refused.',
    errors: [UNAUTHORIZED, TENANT_SUSPENDED, RATE_LIMITED],
    body: SignIn,
    // Responses contain tokens and must not be cached (RFC 6749, 5.1).
    returnsSecrets: true,
    reply: SignedIn,
    prepare: (ctx, { body }) => prepareSignIn(ctx, body),
    write: (ctx, _input, tokens) => beginSession(ctx, tokens),
  }),
  defineRoute({
    ...facts,
    id: 'auth.refresh',
    path: '/auth/refresh',
    summary: 'Exchanges a refresh token for new tokens',
    description:
      'A token works once. Reuse within 10 s returns 409 (for concurrent tabs); later reuse ends the session and all its tokens.',
    errors: [UNAUTHORIZED, TENANT_SUSPENDED, REFRESH_CONFLICT],
    body: RefreshTokenBody,
    returnsSecrets: true,
    reply: SignedIn,
    prepare: (ctx, { body }) => prepareRefresh(ctx, body.refresh_token),
    write: (ctx, _input, exchange) => refreshSession(ctx, exchange),
  }),
  defineRoute({
    ...facts,
    id: 'auth.logout',
    path: '/auth/logout',
    summary: 'Signs out; ends the session and its access tokens',
    description: 'Unknown and expired tokens get the same response.',
    body: RefreshTokenBody,
    reply: Success,
    handler: (ctx, { body }) => signOut(ctx, body.refresh_token),
  }),
  defineAccountRoute({
    id: 'auth.change_password',
    method: 'PUT',
    path: '/auth/password',
    summary: "Changes the caller's password",
    description:
      'Ends all sessions of the user in all tenants, including this one; a browser session gets a new cookie. A wrong current password counts as a failed sign-in.',
    tag: 'Signing in',
    body: PasswordChange,
    reply: Success,
    handler: (ctx, { body }) => changePassword(ctx, body),
  }),
  defineRoute({
    id: 'users.set_password',
    method: 'POST',
    path: '/admin/users/password',
    summary: 'Sets the password of a user',
    description: 'Ends all sessions of the user in all tenants.',
    tag: 'Operator',
    access: 'operator',
    errors: [NOT_FOUND],
    body: PasswordSetBody,
    reply: PasswordSet,
    returnsSecrets: true,
    handler: (ctx, { body }) => setPassword(ctx.platform, body),
  }),
];
