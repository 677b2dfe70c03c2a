import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { check } from '../../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../../http/route.ts';
import { MembersBody } from './schema.ts';
import { addMembers, removeMembers } from './service.ts';

const shared = {
  tag: 'Lists and audiences',
  method: 'POST',
  access: 'editor',
  params: Type.Object({ id: Type.String() }),
  errors: [NOT_FOUND, FORBIDDEN],
  body: MembersBody,
  maxBodyBytes: CONTENT_BODY_BYTES,
  checks: [
    check<MembersBody>(['emails', 'subscriber_ids'], ({ emails, subscriber_ids }) =>
      (emails === undefined) === (subscriber_ids === undefined)
        ? [{ field: 'emails', message: 'or subscriber_ids is required, but not both' }]
        : [],
    ),
  ],
} as const;

/** Routes of members of lists (docs/specification/subscribers.md#members-of-lists). */
export const listMemberRoutes: readonly Route[] = [
  defineRoute({
    ...shared,
    id: 'lists.add_members',
    path: '/api/lists/{id}/members',
    summary: 'Adds subscribers to a list',
    description:
      "Up to 10,000 subscribers, by address or id. An address selects the subscriber in the list's unit, else the oldest visible one.",
    reply: Type.Object(
      {
        added: Type.Integer({ description: 'Subscribers newly added.' }),
        unknown: Type.Array(Type.String(), { description: 'Unknown addresses or ids.' }),
      },
      { title: 'ListMembersAdded' },
    ),
    write: (ctx, { params, body }) => addMembers(ctx, params.id, body),
  }),
  defineRoute({
    ...shared,
    id: 'lists.remove_members',
    path: '/api/lists/{id}/members/remove',
    summary: 'Removes subscribers from a list',
    description:
      'Up to 10,000 subscribers, by address or id. Subscribers that are unknown or not on the list are ignored.',
    reply: Type.Object({ removed: Type.Integer() }, { title: 'ListMembersRemoved' }),
    write: (ctx, { params, body }) => removeMembers(ctx, params.id, body),
  }),
];
