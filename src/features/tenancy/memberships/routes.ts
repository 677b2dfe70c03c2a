import Type from 'typebox';
import { NOT_FOUND, VALIDATION_ERROR, VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { listParameters, readListQuery, requestsPage } from '../../../resources/list-queries.ts';
import { orderedPage, type PageReply, Search } from '../../../resources/paging.ts';
import { answerMembershipPage, answerMemberships } from './answer-list.ts';
import { DUPLICATE_MEMBERSHIP, LAST_TENANT_ADMIN } from './errors.ts';
import { resendInvitation } from './invitations/service.ts';
import { answerNames } from './names.ts';
import { membershipResource } from './resource.ts';
import {
  checkInvite,
  InvitationSent,
  MemberNames,
  Membership,
  MembershipCreate,
  MembershipCreated,
  MembershipUpdate,
} from './schema.ts';
import { addOrInvite, changeMembership, readMembership, removeMember } from './service.ts';
import { prepareUser } from './users.ts';

const tag = 'Memberships';
const path = '/api/client/v1/memberships';

/**
 * The owner's administration of memberships and grants
 * (docs/specification/tenants.md#memberships-and-grants).
 */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'memberships.create',
    method: 'POST',
    path,
    needsConfirmation: true,
    summary: 'Adds a user to the tenant',
    description:
      'An existing user keeps name and password. With `invite` the user gets a link by mail and joins by accepting.',
    tag,
    access: 'owner',
    errors: [DUPLICATE_MEMBERSHIP, VALIDATION_ERROR],
    body: MembershipCreate,
    checks: [checkInvite],
    reply: MembershipCreated,
    // The password is hashed in a thread, outside the transaction.
    prepare: (_ctx, { body }) => prepareUser(body),
    write: (ctx, { body }, user) => addOrInvite(ctx, user, body),
  }),
  defineRoute({
    id: 'memberships.list',
    method: 'GET',
    path,
    summary: 'Lists all memberships with their grants, newest first',
    tag,
    access: 'owner',
    query: Type.Object({ ...listParameters, search: Type.Optional(Search) }),
    search: ['name', 'email'],
    ...listFacts(membershipResource),
    items: { entityType: 'tenant_membership', key: 'membership_id' },
    reply: Type.Unsafe<PageReply<Membership>>(orderedPage(Membership)),
    handler: (ctx, { query }) =>
      query.search !== undefined || requestsPage(query)
        ? answerMembershipPage(ctx.db, readListQuery(query), query.search)
        : answerMemberships(ctx.db),
  }),
  defineRoute({
    id: 'memberships.get',
    method: 'GET',
    path: `${path}/{membership_id}`,
    summary: 'Reads a membership with its grants',
    tag,
    access: 'owner',
    errors: [NOT_FOUND],
    params: Type.Object({ membership_id: Type.String() }),
    reply: Membership,
    handler: (ctx, { params }) => readMembership(ctx.db, params.membership_id),
  }),
  defineRoute({
    id: 'members.names',
    method: 'GET',
    path: '/api/client/v1/members/names',
    summary: 'Lists the names of all members, without addresses',
    tag,
    access: 'member',
    reply: MemberNames,
    handler: (ctx) => answerNames(ctx.db),
  }),
  defineRoute({
    id: 'memberships.update',
    method: 'PUT',
    path: `${path}/{membership_id}`,
    needsConfirmation: true,
    summary: 'Updates status, ownership or grants',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, LAST_TENANT_ADMIN, VERSION_CONFLICT, VALIDATION_ERROR],
    params: Type.Object({ membership_id: Type.String() }),
    updates: {},
    body: MembershipUpdate,
    reply: Type.Object({ membership_id: Type.String() }, { title: 'MembershipIdReply' }),
    write: (ctx, { params, body }) => changeMembership(ctx, params.membership_id, body),
  }),
  defineRoute({
    id: 'memberships.delete',
    method: 'DELETE',
    path: `${path}/{membership_id}`,
    needsConfirmation: true,
    summary: 'Removes a user with grants, API keys and sessions from the tenant',
    description: 'Also withdraws an invitation. Deletes a user without other memberships.',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, LAST_TENANT_ADMIN],
    params: Type.Object({ membership_id: Type.String() }),
    reply: Type.Object({ membership_id: Type.String() }, { title: 'MembershipIdReply' }),
    write: (ctx, { params }) => removeMember(ctx, params.membership_id),
  }),
  defineRoute({
    id: 'memberships.resend_invitation',
    method: 'POST',
    path: `${path}/{membership_id}/invitation`,
    summary: 'Resends an invitation with a new link',
    description: 'The previous link expires. The new one is valid for 7 days.',
    tag,
    access: 'owner',
    errors: [NOT_FOUND, VALIDATION_ERROR],
    rateLimit: { limit: 100, windowSeconds: 60 * 60, per: 'tenant' },
    params: Type.Object({ membership_id: Type.String() }),
    reply: InvitationSent,
    write: (ctx, { params }) => resendInvitation(ctx, params.membership_id),
  }),
];
