import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { EntityTypeName } from '../../../resources/entity-types.ts';
import { Filters, Limit, listPage, Page, pageOptions, Search } from '../../../resources/paging.ts';
import type { ActorRecord } from '../../../tenancy/actor.ts';
import { REFUSALS } from './refusals.ts';

/** PostgreSQL's largest integer; no record has a higher version. */
export const MAX_VERSION = 2_147_483_647;

/** Query that names one record. */
export const RecordQuery = Type.Object({
  entityType: EntityTypeName,
  entitySortKey: Type.String({
    title: 'EntitySortKey',
    minLength: 1,
    description:
      "Id, code or key in the record's path; `<project_id>#<id>` inside projects, or the id alone if it is unambiguous.",
  }),
});
/** The type and key of a record whose history is read. */
export type RecordQuery = Static<typeof RecordQuery>;

/** Query of the versions of a record: all of them, or a page. */
export const VersionListQuery = Type.Object({
  ...RecordQuery.properties,
  ...pageOptions,
  order: Type.Optional(Type.Enum(['asc', 'desc'], { description: 'By version. Default: `asc`.' })),
  data: Type.Optional(Type.Boolean({ description: '`false`: without `data`.' })),
});
/** Query of the versions of a record: all of them, or a page. */
export type VersionListQuery = Static<typeof VersionListQuery>;

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
      'journey',
      'conversation',
      'automation',
    ]),
    membership_id: Type.Optional(Type.String({ description: 'For members.' })),
    user_id: Type.Optional(Type.String({ description: 'For members.' })),
    name: Type.Optional(
      Type.String({ description: 'Of a member today; absent if the membership was deleted.' }),
    ),
    form_code: Type.Optional(Type.String({ description: "Form of a visitor's submission." })),
    subscriber_id: Type.Optional(Type.String({ description: 'Subscriber who used a link in a message.' })),
    journey_id: Type.Optional(Type.String({ description: 'Journey that took the step.' })),
    conversation_id: Type.Optional(Type.String({ description: 'Conversation on a page.' })),
    key: Type.Optional(Type.String({ description: 'Key of an automation.' })),
    run_id: Type.Optional(Type.String({ description: 'Run of an automation.' })),
    chain: Type.Optional(Type.Array(Type.String(), { description: 'Runs that caused this one.' })),
    depth: Type.Optional(Type.Integer({ description: 'Length of the chain.' })),
  },
  { title: 'Actor', description: 'Author of a version; null if unknown.' },
);

/** An author, with the name of a member. */
export type ShownActor = ActorRecord & { readonly name?: string };

/** One version of a record (docs/specification/history.md#versions-of-a-record). */
export const VersionRecord = Type.Object(
  {
    version: Type.Integer(),
    timestamp: Type.String(),
    data: Type.Unknown({ description: 'The record as returned by GET, without secrets.' }),
    actor: Type.Unsafe<ShownActor | null>(nullable(Actor)),
  },
  { title: 'VersionRecord' },
);
/** A version of a record, with its data and author. */
export type VersionRecord = Static<typeof VersionRecord>;

/** A version in lists. */
export const ListedVersion = Type.Object(
  {
    ...VersionRecord.properties,
    data: Type.Optional(
      Type.Unknown({
        description: 'Absent with `data=false`, and from the version on at which a page exceeds 1 MiB.',
      }),
    ),
    changed_fields: Type.Optional(
      Type.Array(Type.String(), {
        description: 'Members that differ from the previous version. Only in a page or with `data=false`.',
      }),
    ),
  },
  { title: 'ListedVersion' },
);
/** A version in lists. */
export type ListedVersion = Static<typeof ListedVersion>;

/** The newest entry of a record in history, and what can be restored (docs/specification/history.md#one-record). */
export const RecordSummary = Type.Object(
  {
    entity_type: EntityTypeName,
    key: Type.String({ description: 'The full `entitySortKey`.' }),
    title: Type.String(),
    version: Type.Integer({ description: 'Newest version; of a deleted record, its last.' }),
    deleted_at: nullable(Type.String({ format: 'date-time' }), { description: 'Null if it exists.' }),
    actor: Type.Unsafe<ShownActor | null>(nullable(Actor)),
    refusal: nullable(Type.Enum([...REFUSALS]), {
      description: 'Why versions cannot be restored; null if they can.',
    }),
    restorable_fields: nullable(Type.Array(Type.String()), {
      description: 'Members that `fields` of a restore can name; null for any.',
    }),
  },
  { title: 'RecordSummary' },
);
/** The newest entry of a record in history, and what can be restored. */
export type RecordSummary = Static<typeof RecordSummary>;

/** A deleted record or one of its superseded versions (docs/specification/history.md#deleted-records). */
export const DeletedRecord = Type.Object(
  {
    pk: Type.String({ description: '`<tenant_code>#<entity_type>#DELETED`; `#UPDATED` for a version.' }),
    sk: Type.String({ description: '`<entity_sort_key>`, with `#VERSION-<n>` for a version.' }),
    entity: Type.Unknown(),
    timestamp: Type.String(),
  },
  { title: 'DeletedRecord' },
);
/** A deleted record, or an older version of it. */
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
/** Page, search and filters of the list of deleted records. */
export type DeletedListQuery = Static<typeof DeletedListQuery>;

/** A deleted record in the list of all kinds. */
const DeletedItem = Type.Object(
  {
    entity_type: EntityTypeName,
    key: Type.String(),
    title: Type.String(),
    deleted_at: Type.String(),
    actor: VersionRecord.properties.actor,
    is_restorable: Type.Boolean({ description: 'False for kinds that are never restored.' }),
  },
  { title: 'DeletedItem' },
);
/** A deleted record in the list of all kinds. */
export type DeletedItem = Static<typeof DeletedItem>;

/** One page of deleted records. */
export const DeletedList = listPage(DeletedItem);

/** The body that restores a record (docs/specification/history.md#restore-a-record). */
export const RestoreBody = Type.Object(
  {
    ...RecordQuery.properties,
    version: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: MAX_VERSION,
        description: 'Default: the last version of a deleted record.',
      }),
    ),
    fields: Type.Optional(
      Type.Array(Type.String(), {
        minItems: 1,
        maxItems: 200,
        description: 'Fields to restore from `version`. Default: all but `active` and `status`.',
      }),
    ),
    expected_version: Type.Optional(Type.Integer({ description: 'Must be the newest version.' })),
    dry_run: Type.Optional(Type.Boolean({ description: 'Writes nothing.' })),
    changes: Type.Optional(
      Type.Record(Type.String(), Type.Unknown(), {
        description: 'Fields that override the version, such as secrets or a name in use.',
      }),
    ),
  },
  { title: 'RestoreRecord', additionalProperties: false },
);
/** A request to restore a record. */
export type RestoreBody = Static<typeof RestoreBody>;

/** A restored record. */
export const Restored = Type.Object(
  {
    entityType: EntityTypeName,
    entitySortKey: Type.String(),
    version: Type.Integer({ description: 'New version; the newest one if nothing changes.' }),
    changed_fields: Type.Array(Type.String()),
    warnings: Type.Array(Type.Object({ message: Type.String() }, { title: 'RestoreWarning' }), {
      description: 'Parts that are not restored.',
    }),
  },
  { title: 'RestoredRecord' },
);
/** A restored record. */
export type Restored = Static<typeof Restored>;
