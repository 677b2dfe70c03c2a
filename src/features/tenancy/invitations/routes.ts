import Type from 'typebox';
import { TOKEN_INVALID, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { ACCOUNT_FORM, readForm } from '../../../http/account-form.ts';
import { configuredOrigins } from '../../../http/cors.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/route.ts';
import { SignedIn } from '../sessions/index.ts';
import { enterConsole } from './entry.ts';
import { invitationPage } from './page.ts';
import { Acceptance, InvitationInfo } from './schema.ts';
import { acceptInvitation, prepareAcceptance, readInvitation } from './service.ts';
import { findSubject, submitAcceptance } from './submission.ts';

const params = Type.Object({ token: Type.String() });
const path = '/auth/invitations/{token}';
const pagePath = '/console/invitation/{token}';
const common = { tag: 'Signing in', access: 'public' } as const;

/** Routes to accept invitations (docs/specification/tenants.md#invitations). */
export const routes: readonly Route[] = [
  defineRoute({
    ...common,
    id: 'invitations.get',
    method: 'GET',
    path,
    summary: 'Reads the invitation of a link',
    cors: configuredOrigins,
    errors: [TOKEN_INVALID],
    params,
    returnsSecrets: true,
    reply: InvitationInfo,
    handler: (ctx, input) => readInvitation(ctx, input.params.token),
  }),
  defineRoute({
    ...common,
    id: 'invitations.accept',
    method: 'POST',
    path,
    summary: 'Accepts an invitation; activates the membership and starts a session',
    description: 'The link works once, for 7 days. A user without a password sets one; others keep theirs.',
    cors: configuredOrigins,
    errors: [TOKEN_INVALID, VALIDATION_ERROR],
    params,
    body: Acceptance,
    returnsSecrets: true,
    reply: SignedIn,
    prepare: (ctx, input) => prepareAcceptance(ctx, input.params.token, input.body),
    write: (ctx, _input, prepared) => acceptInvitation(ctx, prepared),
  }),
  defineRawRoute({
    ...common,
    id: 'invitations.page',
    method: 'GET',
    path: pagePath,
    summary: 'Page to accept an invitation; read-only',
    params,
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: async (ctx, input) => invitationPage(ctx, await findSubject(ctx, input.params.token)),
  }),
  defineRawRoute({
    ...common,
    id: 'invitations.submit',
    method: 'POST',
    path: pagePath,
    summary: 'Accepts an invitation (form of the page)',
    description:
      '`name` and `password` of a new user; `password` of another, unless signed in. Redirects to the console. Invalid input returns the form with status 400, a wrong password with 401.',
    params,
    upload: ACCOUNT_FORM,
    raw: { contentType: 'text/html', description: 'Confirmation page.' },
    handler: async (ctx, input) => {
      const form = await readForm(input.body);
      const subject = await submitAcceptance(ctx, input.params.token, form);
      return (await enterConsole(ctx, subject, form.get('password') ?? '')) ?? invitationPage(ctx, subject);
    },
  }),
];
