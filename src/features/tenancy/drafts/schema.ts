import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';

/** Maximum size of a body, in bytes. */
export const MAX_DRAFT_BYTES = 2 * 1024 * 1024;

const EntityType = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,49}$',
  description: 'Kind of the edited item, such as `form`.',
});
const Key = Type.String({
  minLength: 1,
  maxLength: 600,
  description: 'Key of the item among those of its kind; `new` for a new one.',
});

/** Path of a draft. */
export const DraftPath = Type.Object({ entity_type: EntityType, key: Key });
/** Path of a draft. */
export type DraftPath = Static<typeof DraftPath>;

/** Query of the read of one draft. */
export const AuthorQuery = Type.Object({
  membership_id: Type.Optional(
    Type.String({ description: 'Author of a shared draft. Default: the caller.' }),
  ),
});

/** Query of the list. */
export const DraftsQuery = Type.Object({ entity_type: EntityType, key: Type.Optional(Key) });
/** Query of the list. */
export type DraftsQuery = Static<typeof DraftsQuery>;

/** Body that keeps a draft. */
export const DraftBody = Type.Object(
  {
    base_version: Type.Optional(
      nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), {
        description: 'Version of the item that the changes began with.',
      }),
    ),
    data: Type.Record(Type.String(), Type.Unknown(), {
      description: 'The unsaved item, stored verbatim. It is not checked, so it must not have secrets.',
    }),
    shared: Type.Optional(
      Type.Boolean({ default: false, description: 'True: members who can see the item see the draft.' }),
    ),
  },
  { title: 'DraftBody' },
);
/** Body that keeps a draft. */
export type DraftBody = Static<typeof DraftBody>;

const author = Type.Object({ membership_id: Type.String(), name: Type.String() }, { title: 'DraftAuthor' });
const common = {
  entity_type: Type.String(),
  key: Type.String(),
  author,
  is_own: Type.Boolean(),
  base_version: nullable(Type.Integer()),
  shared: Type.Boolean(),
  saved_at: Type.String({ format: 'date-time' }),
};

/** A draft in the list. */
export const ListedDraft = Type.Object(common, { title: 'ListedDraft' });
/** A draft in the list. */
export type ListedDraft = Static<typeof ListedDraft>;

/** A draft with its content. */
export const Draft = Type.Object(
  { ...common, data: Type.Record(Type.String(), Type.Unknown()) },
  { title: 'Draft' },
);
/** A draft with its content. */
export type Draft = Static<typeof Draft>;

/** Response of the list. */
export const ListedDrafts = Type.Object({ results: Type.Array(ListedDraft) }, { title: 'ListedDrafts' });

/** Response of a write. */
export const DraftSaved = Type.Object(
  { saved_at: Type.String({ format: 'date-time' }) },
  { title: 'DraftSaved' },
);
/** Response of a removal. */
export const DraftRemoved = Type.Object({ success: Type.Boolean() }, { title: 'DraftRemoved' });
