import Type from 'typebox';
import { Limit, Page } from '../../../resources/paging.ts';

const entity = Type.String({ description: 'The name of an entity.' });
const id = Type.String({ description: 'The id of a record.' });

/** Path parameters of an entity. */
export const EntityParams = Type.Object({ entity });
/** Path parameters of a record. */
export const RecordParams = Type.Object({ entity, id });

const fields = Type.Optional(
  Type.String({ description: 'Comma-separated fields to return; `id` is always included.' }),
);
const include = Type.Optional(
  Type.String({
    description: 'Comma-separated relations to load, nested up to 4 levels: `order_items.product`.',
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
      Type.String({
        description: 'Comma-separated fields; `-` before a field means descending. Nulls last.',
      }),
    ),
    fields,
    include,
    search: Type.Optional(
      Type.String({ description: 'All words must occur in searchable fields; the last is a prefix.' }),
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
    description: 'Fields of the entity. Unknown and read-only fields are ignored.',
  },
);

/** A record in responses. The schema declares no members: a stored response sent again then keeps their order. */
export const RecordReply = Type.Unknown({
  title: 'EntityRecord',
  description:
    "`id`, the fields of the entity, `_created_at`, `_updated_at`, `_created_by` and `_updated_by`. `GET /api/openapi.json` describes the tenant's entities in full.",
});

/** A page of records. */
export const RecordList = Type.Object(
  {
    data: Type.Array(RecordReply),
    pagination: Type.Object(
      {
        page: Type.Integer(),
        per_page: Type.Integer(),
        total: Type.Integer({ description: 'Matching records on all pages.' }),
        total_pages: Type.Integer(),
      },
      { title: 'Pagination' },
    ),
  },
  { title: 'EntityRecordPage' },
);

/** Query of counts: the parameters of a list, a field to count by, and optionally a field to sum. */
export const CountsQuery = Type.Object(
  {
    ...RecordListQuery.properties,
    by: Type.String({ description: 'Field to count by.' }),
    sum: Type.Optional(Type.String({ description: 'Number field to sum per value.' })),
  },
  { additionalProperties: Type.Unknown() },
);

/** Number of records per value. */
export const CountsReply = Type.Object(
  {
    results: Type.Array(
      Type.Object(
        {
          value: Type.Unknown({ description: 'Null for records without a value.' }),
          count: Type.Integer(),
          sum: Type.Optional(Type.Number()),
        },
        { title: 'RecordGroup' },
      ),
    ),
    total: Type.Integer({ description: 'Matching records.' }),
    sum: Type.Optional(Type.Number({ description: 'Over all matching records; only with `sum`.' })),
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
  { to: Type.String({ description: 'State of the workflow.' }) },
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
    ids: Type.Array(Type.String(), { description: 'In request order.' }),
  },
  { title: 'RecordsCreated' },
);

/** Body of a bulk update. */
export const BulkUpdateBody = Type.Object(
  {
    filter: Type.Record(Type.String(), Type.Unknown(), {
      description: 'Filter keys of the list: `{"status__in": "a,b"}`.',
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
