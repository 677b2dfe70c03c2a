import Type from 'typebox';
import { Limit, Page } from '../../../resources/paging.ts';

const entity = Type.String({ description: 'The name of an entity.' });
const id = Type.String({ description: 'The id of a record.' });

/** Path parameters of an entity. */
export const EntityParams = Type.Object({ entity });
/** Path parameters of a record. */
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

/** Query of a single record. */
export const SelectionQuery = Type.Object({ fields, include });

/** Query of a list; filters depend on the definition. */
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

/** Body of a record; its members depend on the definition. */
export const RecordBodySchema = Type.Object(
  {},
  {
    title: 'EntityRecordValues',
    additionalProperties: Type.Unknown(),
    description: 'The fields of the entity. Others, and those of every record, are ignored.',
  },
);

/** A record in responses. It declares no members, so that a repeated answer keeps their order. */
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

/** Query of counts, in addition to that of a list. */
export const CountsQuery = Type.Object(
  {
    ...RecordListQuery.properties,
    by: Type.String({ description: 'The field whose values are counted.' }),
    sum: Type.Optional(Type.String({ description: 'A field of numbers that is added up for each value.' })),
  },
  { additionalProperties: Type.Unknown() },
);

/** Number of records per value. */
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

/** Response of a deletion. */
export const DeletedReply = Type.Object(
  { success: Type.Boolean(), message: Type.String() },
  { title: 'RecordDeleted' },
);

/** Body of a move. */
export const MoveBody = Type.Object(
  { to: Type.String({ description: 'A state of the workflow.' }) },
  { title: 'RecordMove' },
);

/** Number of records or ids per call. */
const several = { minItems: 1, maxItems: 1000 };

/** Body of a bulk create. */
export const BulkCreateBody = Type.Object(
  { records: Type.Array(Type.Unknown(), several) },
  { title: 'RecordsCreate' },
);
/** Response of a bulk create. */
export const BulkCreateReply = Type.Object(
  {
    success: Type.Boolean(),
    created: Type.Integer(),
    ids: Type.Array(Type.String(), { description: 'In the order of the records.' }),
  },
  { title: 'RecordsCreated' },
);

/** Body of a bulk update. */
export const BulkUpdateBody = Type.Object(
  {
    filter: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Conditions with the keys of the list, such as `{"status__in": "a,b"}`.',
    }),
    update: RecordBodySchema,
  },
  { title: 'RecordsUpdate' },
);
/** Response of a bulk update. */
export const BulkUpdateReply = Type.Object(
  { success: Type.Boolean(), updated: Type.Integer() },
  { title: 'RecordsUpdated' },
);

/** Body of a bulk deletion. */
export const BulkDeleteBody = Type.Object(
  { ids: Type.Array(Type.Unknown(), several) },
  { title: 'RecordIds' },
);
/** Response of a bulk deletion. */
export const BulkDeleteReply = Type.Object(
  { success: Type.Boolean(), deleted: Type.Integer() },
  { title: 'RecordsDeleted' },
);
