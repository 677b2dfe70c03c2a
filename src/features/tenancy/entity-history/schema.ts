import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { ENTITY_TYPES } from '../../../resources/entity-types.ts';
import { Filters, Limit, listPage, Page, Search } from '../../../resources/paging.ts';
import type { ActorRecord } from '../../../tenancy/actor.ts';

/** PostgreSQL's largest integer; no record has a higher version. */
export const MAX_VERSION = 2_147_483_647;

const EntityTypeName = Type.Enum([...ENTITY_TYPES], {
  title: 'EntityTypeName',
  description: 'The kind of record.',
});

/** Query that names one record. */
export const RecordQuery = Type.Object({
  entityType: EntityTypeName,
  entitySortKey: Type.String({
    title: 'EntitySortKey',
    minLength: 1,
    description:
      "The id, code or key in the record's own path; `<project_id>#<id>` for what lives inside a project, or the plain id if only one project has or had it.",
  }),
});
export type RecordQuery = Static<typeof RecordQuery>;

/** Query that names a kind of record. */
export const KindQuery = Type.Object({ entityType: EntityTypeName });

/** Path of one version. Text, so that `1.5` and `one` are refused rather than rounded. */
export const VersionPath = Type.Object({
  version: Type.String({ pattern: '^-?\\d+$', description: 'An integer.' }),
});

/** The author of a version (an extension: docs/specification/history.md#versions-of-a-record). */
const Actor = Type.Object(
  {
    kind: Type.Enum([
      'member',
      'operator',
      'platform',
      'visitor',
      'subscriber',
      'conversation',
      'automation',
    ]),
    membership_id: Type.Optional(Type.String({ description: 'Of a member.' })),
    user_id: Type.Optional(Type.String({ description: 'Of a member.' })),
    form_code: Type.Optional(Type.String({ description: 'The form that a visitor filled in.' })),
    subscriber_id: Type.Optional(
      Type.String({ description: 'The subscriber, who used a link of a message.' }),
    ),
    conversation_id: Type.Optional(Type.String({ description: 'The conversation of a page.' })),
    key: Type.Optional(Type.String({ description: 'Of an automation.' })),
    run_id: Type.Optional(Type.String({ description: 'The run of an automation.' })),
    chain: Type.Optional(Type.Array(Type.String(), { description: 'The runs that led to this one.' })),
    depth: Type.Optional(Type.Integer({ description: 'How many runs deep that chain is.' })),
  },
  { title: 'Actor', description: 'The author of a version; null if it was not stored.' },
);

/** One version of a record (docs/specification/history.md#versions-of-a-record). */
export const VersionRecord = Type.Object(
  {
    version: Type.Integer(),
    timestamp: Type.String(),
    data: Type.Unknown({ description: 'The record as its GET showed it, secrets left out.' }),
    actor: Type.Unsafe<ActorRecord | null>(nullable(Actor)),
  },
  { title: 'VersionRecord' },
);
export type VersionRecord = Static<typeof VersionRecord>;

/** A deleted record or one of its superseded versions (docs/specification/history.md#deleted-records). */
export const DeletedRecord = Type.Object(
  {
    pk: Type.String({ description: '`<tenant_code>#<entity_type>#DELETED`, or `#UPDATED` for a version.' }),
    sk: Type.String({ description: '`<entity_sort_key>`, followed by `#VERSION-<n>` for a version.' }),
    entity: Type.Unknown(),
    timestamp: Type.String(),
  },
  { title: 'DeletedRecord' },
);
export type DeletedRecord = Static<typeof DeletedRecord>;

/** The body of the list of deleted records. */
export const DeletedListQuery = Type.Object(
  {
    page: Page,
    limit: Limit,
    search: Type.Optional(Search),
    filters: Type.Optional(Filters),
  },
  { title: 'DeletedListQuery' },
);
export type DeletedListQuery = Static<typeof DeletedListQuery>;

/** One page of deleted records. */
export const DeletedList = listPage(
  Type.Object(
    {
      entity_type: EntityTypeName,
      key: Type.String(),
      title: Type.String(),
      deleted_at: Type.String(),
      actor: VersionRecord.properties.actor,
    },
    { title: 'DeletedItem' },
  ),
);

/** The body that restores a record (docs/specification/history.md#restore-a-record). */
export const RestoreBody = Type.Object(
  {
    ...RecordQuery.properties,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_VERSION,
        description: 'Default: the last one of a deleted record.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 200,
        description: 'The only members to take from `version`. Default: all but `active` and `status`.',
      }),
    ),
    expected_version: Type.Optional(Type.Integer({ description: 'The newest version; another is refused.' })),
    dry_run: Type.Optional(Type.Boolean({ description: 'Writes nothing.' })),
    changes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Members that replace those of the version, such as secrets or a name that is taken.',
      }),
    ),
  },
  { title: 'RestoreRecord', additionalProperties: false },
);
export type RestoreBody = Static<typeof RestoreBody>;

/** A restored record. */
export const Restored = Type.Object(
  {
    entityType: EntityTypeName,
    entitySortKey: Type.String(),
    version: Type.Integer({ description: 'The new version; the newest one if nothing changes.' }),
    changed_fields: Type.Array(Type.String()),
    warnings: Type.Array(Type.Object({ message: Type.String() }, { title: 'RestoreWarning' }), {
      description: 'What is not restored.',
    }),
  },
  { title: 'RestoredRecord' },
);
export type Restored = Static<typeof Restored>;
