import Type from 'typebox';
import {
  CSRF_REJECTED,
  NOT_FOUND,
  RATE_LIMITED,
  TENANT_SUSPENDED,
  UNAUTHORIZED,
} from '../../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../../http/route.ts';
import { defineSessionRoute } from '../../../../http/session-surface.ts';
import { Success } from '../schema.ts';
import {
  BrowserSessions,
  BrowserSignIn,
  Confirmation,
  Confirmed,
  checkPreferences,
  checkTimeZone,
  ProfileChange,
  ProfileChanged,
  SessionInfo,
} from './schema.ts';
import {
  changeProfile,
  confirmSession,
  describeSession,
  endSession,
  listSessions,
  signInBrowser,
  signOutBrowser,
} from './service.ts';

const tag = 'Browser sessions';
const path = '/auth/session';

/** Routes of browser sessions (docs/specification/browser-sessions.md#sessions). */
export const browserRoutes: readonly Route[] = [
  defineRoute({
    id: 'browser_sessions.create',
    method: 'POST',
    path,
    summary: 'Signs in and sets the cookie',
    description: 'For pages of this origin. The limits of `/auth/login` apply.',
    tag,
    access: 'public',
    errors: [UNAUTHORIZED, CSRF_REJECTED, TENANT_SUSPENDED, RATE_LIMITED],
    body: BrowserSignIn,
    returnsSecrets: true,
    reply: SessionInfo,
    ignoresKey: true,
    handler: (ctx, { body }) => signInBrowser(ctx, body),
  }),
  defineSessionRoute({
    id: 'browser_sessions.get',
    method: 'GET',
    path,
    summary: 'Reads the user, the tenants and the CSRF token of the session',
    tag,
    returnsSecrets: true,
    reply: SessionInfo,
    handler: (ctx) => describeSession(ctx, ctx.db, ctx.session),
  }),
  defineSessionRoute({
    id: 'browser_sessions.sign_out',
    method: 'DELETE',
    path,
    summary: 'Signs out this browser',
    tag,
    reply: Success,
    handler: (ctx) => signOutBrowser(ctx),
  }),
  defineSessionRoute({
    id: 'browser_sessions.confirm',
    method: 'POST',
    path: `${path}/confirm`,
    summary: 'Verifies the password; allows sensitive calls for 10 minutes',
    description: 'A wrong password counts as a failed sign-in.',
    tag,
    body: Confirmation,
    ignoresKey: true,
    reply: Confirmed,
    handler: (ctx, { body }) => confirmSession(ctx, body.password),
  }),
  defineSessionRoute({
    id: 'browser_sessions.list',
    method: 'GET',
    path: '/auth/sessions',
    summary: 'Lists the sessions of the user in all browsers',
    tag,
    reply: BrowserSessions,
    handler: (ctx) => listSessions(ctx),
  }),
  defineSessionRoute({
    id: 'browser_sessions.delete',
    method: 'DELETE',
    path: '/auth/sessions/{id}',
    summary: 'Ends a session of the user',
    tag,
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: Success,
    handler: (ctx, { params }) => endSession(ctx, params.id),
  }),
  defineSessionRoute({
    id: 'auth.update_profile',
    method: 'PUT',
    path: '/auth/profile',
    summary: "Updates the user's profile; absent members stay unchanged",
    tag,
    body: ProfileChange,
    checks: [checkTimeZone, checkPreferences],
    reply: ProfileChanged,
    write: (ctx, { body }) => changeProfile(ctx, body),
  }),
];
