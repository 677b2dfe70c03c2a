import Type, { type Static } from 'typebox';

/** Maximum number of subscribers in one request. */
const MAX_MEMBERS = 10_000;

const Keys = Type.Array(Type.String(), { maxItems: MAX_MEMBERS });

/** Subscribers that join or leave a list. */
export const MembersBody = Type.Object(
  {
    emails: Type.Optional(Keys),
    subscriber_ids: Type.Optional(Keys),
  },
  { title: 'ListMembers', description: 'Subscribers either by address or by id.' },
);

/** The subscribers that a request names. */
export type MembersBody = Static<typeof MembersBody>;
