import { NOT_FOUND, RATE_LIMITED, TENANT_SUSPENDED, UNAUTHORIZED } from '../../../errors/platform-errors.ts';
import { defineBearerRoute } from '../../../http/bearer-route.ts';
import { operatorsOrigins } from '../../../http/cors.ts';
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
  cors: operatorsOrigins,
} as const;

/** Routes that issue access tokens (docs/specification/records.md#signing-in). */
export const routes: readonly Route[] = [
  defineRoute({
    ...facts,
    id: 'auth.login',
    path: '/auth/login',
    summary: 'Signs a person in',
    description:
      'After ten failures in 15 minutes for a person or from a client the next attempt is refused, right or wrong.',
    errors: [UNAUTHORIZED, TENANT_SUSPENDED, RATE_LIMITED],
    body: SignIn,
    // Responses contain tokens and must not be cached (RFC 6749, 5.1).
    answersSecrets: true,
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
      'A token can be exchanged once. For 10 s after that it is answered 409, so that several tabs may refresh together; later use ends its session with all its tokens.',
    errors: [UNAUTHORIZED, TENANT_SUSPENDED, REFRESH_CONFLICT],
    body: RefreshTokenBody,
    answersSecrets: true,
    reply: SignedIn,
    prepare: (ctx, { body }) => prepareRefresh(ctx, body.refresh_token),
    write: (ctx, _input, exchange) => refreshSession(ctx, exchange),
  }),
  defineRoute({
    ...facts,
    id: 'auth.logout',
    path: '/auth/logout',
    summary: 'Signs out: ends the session at once, its access tokens too',
    description: 'A token that is unknown, or whose session has ended, is answered the same.',
    body: RefreshTokenBody,
    reply: Success,
    handler: (ctx, { body }) => signOut(ctx, body.refresh_token),
  }),
  defineBearerRoute({
    id: 'auth.change_password',
    method: 'PUT',
    path: '/auth/password',
    summary: "Changes the signed-in person's password",
    description:
      'Ends all sessions of the person in all tenants, the present one too: sign in again. A wrong present password counts as a failed sign-in.',
    tag: 'Signing in',
    access: 'member',
    body: PasswordChange,
    reply: Success,
    handler: (ctx, { body }) => changePassword(ctx, body),
  }),
  defineRoute({
    id: 'users.set_password',
    method: 'POST',
    path: '/admin/users/password',
    summary: 'Sets the password of a person',
    description: 'For whoever has none or has lost it. Ends all sessions of the person in all tenants.',
    tag: 'Operator',
    access: 'operator',
    errors: [NOT_FOUND],
    body: PasswordSetBody,
    reply: PasswordSet,
    answersSecrets: true,
    handler: (ctx, { body }) => setPassword(ctx.platform, body),
  }),
];
