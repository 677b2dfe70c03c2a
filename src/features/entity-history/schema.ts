import Type, { type Static } from 'typebox';
import { ENTITY_TYPES } from '../../resources/entity-types.ts';

const EntityTypeName = Type.Enum([...ENTITY_TYPES], { description: 'The kind of record.' });

/** Query that names one record. */
export const RecordQuery = Type.Object({
  entityType: EntityTypeName,
  entitySortKey: Type.String({
    description:
      "The id, code or key in the record's own path; `<project_id>#<id>` for what lives inside a project.",
  }),
});
export type RecordQuery = Static<typeof RecordQuery>;

/** Query that names a kind of record. */
export const KindQuery = Type.Object({ entityType: EntityTypeName });

/** Path of one version. Text, so that `1.5` and `one` are refused rather than rounded. */
export const VersionPath = Type.Object({
  version: Type.String({ pattern: '^-?\\d+$', description: 'An integer.' }),
});

/** One version of a record (document 1, Entity version record). */
export const VersionRecord = Type.Object(
  {
    version: Type.Integer(),
    timestamp: Type.String(),
    data: Type.Unknown({ description: 'The record as its GET showed it, secrets left out.' }),
  },
  { title: 'VersionRecord' },
);
export type VersionRecord = Static<typeof VersionRecord>;

/** A deleted record or one of its superseded versions (document 1, Deleted-record entry). */
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
