import Type from 'typebox';
import { Limit, Page } from '../../../resources/paging.ts';

const entity = Type.String({ description: 'The name of an entity.' });
const id = Type.String({ description: 'The id of a record.' });

/** Paths of an entity. */
export const EntityParams = Type.Object({ entity });
/** Paths of a record. */
export const RecordParams = Type.Object({ entity, id });

const fields = Type.Optional(
  Type.String({ description: 'Fields to return, separated by commas; always with `id`.' }),
);
const include = Type.Optional(
  Type.String({
    description:
      'Relations to load, separated by commas; nested with dots, four deep: `order_items.product`.',
  }),
);

/** What of a record is shown. */
export const SelectionQuery = Type.Object({ fields, include });

/** What a list takes beside its filters, which the definition of the entity knows. */
export const RecordListQuery = Type.Object(
  {
    page: Type.Optional(Page),
    per_page: Type.Optional(Limit),
    sort: Type.Optional(
      Type.String({ description: 'Fields separated by commas; a leading `-` descends. Nulls are last.' }),
    ),
    fields,
    include,
    search: Type.Optional(
      Type.String({ description: 'Words that must all occur in searchable fields, the last as a prefix.' }),
    ),
  },
  { additionalProperties: Type.Unknown() },
);

/** A record, by the definition of its entity. */
export const RecordBodySchema = Type.Object(
  {},
  {
    title: 'EntityRecordValues',
    additionalProperties: Type.Unknown(),
    description: 'The fields of the entity. Others, and those of every record, are ignored.',
  },
);

/** A record as answers show it. Without declared members, so that a repeated answer has them in the same order. */
export const RecordReply = Type.Unknown({
  title: 'EntityRecord',
  description:
    "`id`, the fields of the entity, `_created_at`, `_updated_at`, `_created_by` and `_updated_by`. The tenant's own document (`GET /api/openapi.json`) has them in full.",
});

/** A page of records. */
export const RecordList = Type.Object(
  {
    data: Type.Array(RecordReply),
    pagination: Type.Object(
      {
        page: Type.Integer(),
        per_page: Type.Integer(),
        total: Type.Integer({ description: 'Records that match, on all pages.' }),
        total_pages: Type.Integer(),
      },
      { title: 'Pagination' },
    ),
  },
  { title: 'EntityRecordPage' },
);

/** What counts take beside the parameters of a list. */
export const CountsQuery = Type.Object(
  {
    ...RecordListQuery.properties,
    by: Type.String({ description: 'The field whose values are counted.' }),
    sum: Type.Optional(Type.String({ description: 'A field of numbers that is added up for each value.' })),
  },
  { additionalProperties: Type.Unknown() },
);

/** Records by the values of a field. */
export const CountsReply = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          value: Type.Unknown({ description: 'As records show it; null where they have none.' }),
          count: Type.Integer(),
          sum: Type.Optional(Type.Number()),
        },
        { title: 'RecordGroup' },
      ),
    ),
    total: Type.Integer({ description: 'Records that match, of whatever value.' }),
    sum: Type.Optional(Type.Number({ description: 'Of all records that match; only with `sum`.' })),
  },
  { title: 'RecordCount' },
);

/** The answer of a deletion. */
export const DeletedReply = Type.Object(
  { success: Type.Boolean(), message: Type.String() },
  { title: 'RecordDeleted' },
);

/** The state to go to. */
export const MoveBody = Type.Object(
  { to: Type.String({ description: 'A state of the workflow.' }) },
  { title: 'RecordMove' },
);

/** How many records or ids one call takes. */
const several = { minItems: 1, maxItems: 1000 };

/** New records. */
export const BulkCreateBody = Type.Object(
  { records: Type.Array(Type.Unknown(), several) },
  { title: 'RecordsCreate' },
);
/** What bulk creation answers. */
export const BulkCreateReply = Type.Object(
  {
    success: Type.Boolean(),
    created: Type.Integer(),
    ids: Type.Array(Type.String(), { description: 'In the order of the records.' }),
  },
  { title: 'RecordsCreated' },
);

/** Which records change, and how. */
export const BulkUpdateBody = Type.Object(
  {
    filter: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Conditions with the keys of the list, such as `{"status__in": "a,b"}`.',
    }),
    update: RecordBodySchema,
  },
  { title: 'RecordsUpdate' },
);
/** What a bulk update answers. */
export const BulkUpdateReply = Type.Object(
  { success: Type.Boolean(), updated: Type.Integer() },
  { title: 'RecordsUpdated' },
);

/** Which records go. */
export const BulkDeleteBody = Type.Object(
  { ids: Type.Array(Type.Unknown(), several) },
  { title: 'RecordIds' },
);
/** What a bulk deletion answers. */
export const BulkDeleteReply = Type.Object(
  { success: Type.Boolean(), deleted: Type.Integer() },
  { title: 'RecordsDeleted' },
);
