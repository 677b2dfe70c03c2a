import Type, { type Static } from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { check, checkEach, overlongFaults } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { LLM_PROVIDER_ERROR } from '../../../model-provider/errors.ts';
import { columnsOf } from '../../../resources/body.ts';
import { byUnit, queryListRoute } from '../../../resources/list-routes.ts';
import { listPage, pageOptions } from '../../../resources/paging.ts';
import { optionsOf, routeProperties } from '../../../resources/route-parts.ts';
import { withMore } from '../../../resources/view.ts';
import { DUPLICATE_INDEX } from './errors.ts';
import { listItems, readItem } from './items.ts';
import { indexes } from './resource.ts';
import {
  DeleteItemsBody,
  IndexMatch,
  type Item,
  ItemCounts,
  MAX_METADATA_CHARS,
  type MetadataDefinition,
  QueryBody,
  SkippedItem,
  StoredItem,
  UpsertBody,
} from './schema.ts';
import {
  createIndex,
  deleteIndex,
  prepareItems,
  queryIndex,
  readIndex,
  removeFromIndex,
  writeItems,
} from './service.ts';

const path = '/api/ai/indexes';
const tag = 'AI';
const family = { path, id: 'ai_indexes', tag, noun: 'vector index' } as const;
const indexRoute = { tag, params: Type.Object({ name: Type.String() }) } as const;

/** Routes of indexes (docs/specification/ai.md#vector-indexes). */
const indexRoutes: readonly Route[] = [
  defineRoute({
    ...routeProperties('create', indexes, family, { errors: [DUPLICATE_INDEX] }),
    body: indexes.createBody,
    checks: [
      check(['metadataDefinition'], ({ metadataDefinition }: { metadataDefinition: MetadataDefinition }) =>
        duplicateIssues(
          metadataDefinition.map(({ fieldName }) => fieldName),
          (index) => `metadataDefinition[${index}].fieldName`,
        ),
      ),
    ],
    reply: Type.Object({ name: Type.String() }, { title: 'NameReply' }),
    write: async (ctx, { body }) => {
      await createIndex(ctx, columnsOf(indexes.fields, 'create', body), body.name, optionsOf(indexes, body));
      return { name: body.name };
    },
  }),
  queryListRoute(indexes, family, byUnit),
  defineRoute({
    ...routeProperties('get', indexes, family, {}),
    reply: withMore(indexes.reply, ItemCounts.properties, 'VectorIndexWithCounts'),
    handler: (ctx, { params }) => readIndex(ctx, params.name ?? ''),
  }),
  defineRoute({
    ...routeProperties('delete', indexes, family, { summary: 'Deletes a vector index with its items' }),
    reply: Type.Object(
      { id: Type.String({ description: 'Name of the index.' }), name: Type.String() },
      { title: 'VectorIndexDeleted' },
    ),
    write: async (ctx, { params: { name = '' } }) => {
      await deleteIndex(ctx, name);
      return { id: name, name };
    },
  }),
];

/** Routes of items in an index (docs/specification/ai.md#vector-indexes). */
const itemRoutes: readonly Route[] = [
  defineRoute({
    ...indexRoute,
    id: 'ai_indexes.upsert',
    method: 'POST',
    path: `${path}/{name}/upsert`,
    summary: 'Adds texts to an index, or replaces them by id',
    description:
      'Computes the vectors. Items whose text the embeddings provider rejects (empty or too long) are skipped; the others are written atomically. Metadata must match the index definition.',
    access: 'editor',
    errors: [NOT_FOUND, LLM_PROVIDER_ERROR],
    body: UpsertBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: [
      checkEach('data', ({ metadata }: Item, path) =>
        overlongFaults(`${path}.metadata`, metadata, MAX_METADATA_CHARS),
      ),
      check(['data'], ({ data }: Static<typeof UpsertBody>) =>
        duplicateIssues(
          data.map(({ id }) => id),
          (index) => `data[${index}].id`,
        ),
      ),
    ],
    reply: Type.Object(
      {
        success: Type.Boolean(),
        skipped: Type.Optional(Type.Array(SkippedItem, { description: 'Absent if all items were written.' })),
      },
      { title: 'AiIndexWriteReply' },
    ),
    prepare: (ctx, { params, body }) => prepareItems(ctx, params.name, body.data),
    write: async (ctx, _input, prepared) => {
      await writeItems(ctx, prepared);
      const skipped = [...prepared.skipped];
      return skipped.length === 0 ? { success: true } : { success: true, skipped };
    },
  }),
  defineRoute({
    ...indexRoute,
    id: 'ai_indexes.query',
    readsOnly: true,
    method: 'POST',
    path: `${path}/{name}/query`,
    summary: 'Finds the texts most similar to a text',
    description:
      'Exact search among items that match the filter. Operations are those of lists; an array matches if any element does.',
    access: 'member',
    errors: [NOT_FOUND, LLM_PROVIDER_ERROR],
    body: QueryBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: Type.Object({ results: Type.Array(IndexMatch) }, { title: 'VectorIndexMatches' }),
    handler: (ctx, { params, body }) => queryIndex(ctx, params.name, body),
  }),
  defineRoute({
    ...indexRoute,
    id: 'ai_indexes.list_items',
    method: 'GET',
    path: `${path}/{name}/items`,
    summary: 'Lists the texts of an index by id',
    access: 'member',
    errors: [NOT_FOUND],
    query: Type.Object(pageOptions),
    reply: listPage(StoredItem),
    handler: (ctx, { params, query }) => listItems(ctx, params.name, query),
  }),
  defineRoute({
    tag,
    params: Type.Object({ name: Type.String(), id: Type.String() }),
    id: 'ai_indexes.get_item',
    method: 'GET',
    path: `${path}/{name}/items/{id}`,
    summary: 'Reads a text of an index',
    access: 'member',
    errors: [NOT_FOUND],
    reply: StoredItem,
    handler: (ctx, { params }) => readItem(ctx, params.name, params.id),
  }),
  defineRoute({
    ...indexRoute,
    id: 'ai_indexes.delete_items',
    method: 'DELETE',
    path: `${path}/{name}/items`,
    summary: 'Deletes texts of an index',
    access: 'editor',
    errors: [NOT_FOUND],
    body: DeleteItemsBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: Type.Object(
      { deleted: Type.Integer({ description: 'Number of deleted items.' }) },
      { title: 'VectorIndexItemsDeleted' },
    ),
    write: async (ctx, { params, body }) => ({ deleted: await removeFromIndex(ctx, params.name, body.ids) }),
  }),
];

/** Routes of vector indexes and their items. */
export const routes: readonly Route[] = [...indexRoutes, ...itemRoutes];

function duplicateIssues(names: readonly string[], pathOf: (index: number) => string) {
  const seen = new Set<string>();
  return names.flatMap((name, index) => {
    if (seen.has(name)) return [{ field: pathOf(index), message: 'is repeated' }];
    seen.add(name);
    return [];
  });
}
