import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';

/** Name of an index. */
export const IndexName = Type.String({
  pattern: '^[a-z0-9-]{1,100}$',
  description: 'Lower-case letters, digits and hyphens.',
});

/** Fields of the items' metadata. */
export const MetadataDefinition = Type.Array(
  Type.Object(
    {
      fieldName: Type.String({ minLength: 1, maxLength: 100 }),
      fieldType: Type.Enum(['string', 'number', 'boolean', 'array']),
    },
    { title: 'VectorIndexField' },
  ),
  { maxItems: 100 },
);
/** Metadata fields of an index, with their types. */
export type MetadataDefinition = Static<typeof MetadataDefinition>;

/** Maximum length of an item's metadata, in characters of JSON. */
export const MAX_METADATA_CHARS = 100_000;

const Metadata = Type.Record(Type.String(), Type.Unknown(), {
  description: 'At most 100,000 characters of JSON.',
});

/** An item to write. */
export const Item = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 500 }),
    input: Type.String({ maxLength: 1_000_000, description: 'Text to search.' }),
    metadata: Metadata,
  },
  { title: 'VectorIndexItemInput' },
);
/** An item to write to an index. */
export type Item = Static<typeof Item>;

/** Body of a request that adds or replaces items. */
export const UpsertBody = Type.Object(
  { data: Type.Array(Item, { minItems: 1, maxItems: 1000 }) },
  { title: 'VectorIndexUpsert' },
);

/** An item that was not written. */
export const SkippedItem = Type.Object(
  {
    id: Type.String(),
    message: Type.String({ description: 'Why the embeddings provider rejected the text.' }),
  },
  { title: 'SkippedIndexItem' },
);
/** An item that was not written, with the reason. */
export type SkippedItem = Static<typeof SkippedItem>;

/** Filter of queries. */
export const MetadataFilter = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Conditions by metadata field, ANDed: a value or `{operation, value}`.',
});
/** Conditions of a query on the items' metadata. */
export type MetadataFilter = Static<typeof MetadataFilter>;

/** Body of a similarity query. */
export const QueryBody = Type.Object(
  {
    input: Type.String({ maxLength: 1_000_000 }),
    top_k: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 5.' })),
    filter: Type.Optional(MetadataFilter),
  },
  { title: 'VectorIndexQuery' },
);
/** A similarity query. */
export type QueryBody = Static<typeof QueryBody>;

/** An item that a query has found. */
export const IndexMatch = Type.Object(
  {
    id: Type.String(),
    score: Type.Number({
      description: 'Similarity, at most 1: a cosine, or a fused rank if there is no embeddings provider.',
    }),
    input: Type.String(),
    metadata: Metadata,
  },
  { title: 'VectorIndexMatch' },
);
/** An item that matches a query, with its score. */
export type IndexMatch = Static<typeof IndexMatch>;

/** An item of an index. */
export const StoredItem = Type.Object(
  {
    id: Type.String(),
    input: Type.String(),
    metadata: Metadata,
    embedding_error: nullable(
      Type.String({
        description: 'Why the embeddings provider rejected the text; queries then skip it.',
      }),
    ),
    updated_at: Type.String(),
  },
  { title: 'VectorIndexItem' },
);

/** Body of a request that deletes items. */
export const DeleteItemsBody = Type.Object(
  {
    ids: Type.Array(Type.String(), { minItems: 1, maxItems: 1000 }),
  },
  { title: 'VectorIndexItemIds' },
);

/** Number of items in an index, by the state of their vectors. */
export const ItemCounts = Type.Object({
  item_count: Type.Integer(),
  pending_count: Type.Integer({
    description: 'Items with vectors of a former model; a job recomputes them.',
  }),
  failed_count: Type.Integer({
    description: 'Items rejected by the embeddings provider; see their `embedding_error`.',
  }),
  embedding_error: nullable(
    Type.String({
      description: 'Last error of recomputing vectors; retried hourly.',
    }),
  ),
});
/** Numbers of items by the state of their vectors. */
export type ItemCounts = Static<typeof ItemCounts>;
