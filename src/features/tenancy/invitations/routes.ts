import Type from 'typebox';
import { TOKEN_INVALID, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { ACCOUNT_FORM, readForm } from '../../../http/account-form.ts';
import { operatorsOrigins } from '../../../http/cors.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/route.ts';
import { SignedIn } from '../sessions/index.ts';
import { invitationPage } from './page.ts';
import { Acceptance, InvitationInfo } from './schema.ts';
import { acceptInvitation, prepareAcceptance, readInvitation } from './service.ts';
import { findSubject, submitAcceptance } from './submission.ts';

const params = Type.Object({ token: Type.String() });
const path = '/auth/invitations/{token}';
const pagePath = '/console/invitation/{token}';
const facts = { tag: 'Signing in', access: 'public' } as const;

/** Routes to accept invitations (docs/specification/tenants.md#invitations). */
export const routes: readonly Route[] = [
  defineRoute({
    ...facts,
    id: 'invitations.get',
    method: 'GET',
    path,
    summary: 'Describes the invitation of a link',
    cors: operatorsOrigins,
    errors: [TOKEN_INVALID],
    params,
    answersSecrets: true,
    reply: InvitationInfo,
    handler: (ctx, input) => readInvitation(ctx, input.params.token),
  }),
  defineRoute({
    ...facts,
    id: 'invitations.accept',
    method: 'POST',
    path,
    summary: 'Accepts an invitation: the membership becomes active, and a session in this tenant begins',
    description:
      'The link works once, for seven days. A person without a password sets one; others keep name and password.',
    cors: operatorsOrigins,
    errors: [TOKEN_INVALID, VALIDATION_ERROR],
    params,
    body: Acceptance,
    answersSecrets: true,
    reply: SignedIn,
    prepare: (ctx, input) => prepareAcceptance(ctx, input.params.token, input.body),
    write: (ctx, _input, prepared) => acceptInvitation(ctx, prepared),
  }),
  defineRawRoute({
    ...facts,
    id: 'invitations.page',
    method: 'GET',
    path: pagePath,
    summary: 'The page on which an invited person joins; changes nothing by itself',
    params,
    raw: { contentType: 'text/html', description: 'The page.' },
    handler: async (ctx, input) => invitationPage(await findSubject(ctx, input.params.token)),
  }),
  defineRawRoute({
    ...facts,
    id: 'invitations.submit',
    method: 'POST',
    path: pagePath,
    summary: 'Accepts an invitation: the form of that page',
    description:
      '`name` and `password` of a person who has no password yet. What is not accepted is answered with the form and status 400.',
    params,
    upload: ACCOUNT_FORM,
    raw: { contentType: 'text/html', description: 'A page that says that the person has joined.' },
    handler: async (ctx, input) =>
      invitationPage(await submitAcceptance(ctx, input.params.token, await readForm(input.body))),
  }),
];
