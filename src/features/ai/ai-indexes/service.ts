import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { INVALID_REQUEST, invalidRequest, ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { LargeResponse, toChunks } from '../../../http/large-response.ts';
import type { Platform } from '../../../platform.ts';
import type { Columns } from '../../../resources/body.ts';
import { lastVersionsOf } from '../../../resources/history.ts';
import { requireRole } from '../../../resources/ownership.ts';
import {
  type CreateOptions,
  createRecord,
  deleteRecord,
  findRecord,
  getRecord,
} from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { type Embeddings, embedderOf, requireLength } from './embedding/embedder.ts';
import { removeItems } from './jobs.ts';
import { metadataFaults, readMetadataFilter } from './metadata.ts';
import {
  countItems,
  deleteItems,
  type FoundItem,
  findByWords,
  findItems,
  findNearest,
  findTexts,
  findVectorState,
  type Search,
  setVectorLength,
  shareLockIndex,
  upsertItems,
  type VectorItem,
} from './queries.ts';
import { indexes } from './resource.ts';
import type { IndexMatch, Item, MetadataFilter, QueryBody, SkippedItem } from './schema.ts';
import { type Scoring, scoringOf } from './scoring.ts';
import { fuse } from './words/fusion.ts';
import { queryWords } from './words/stems.ts';

const DEFAULT_TOP_K = 5;
/** Number of items with the most similar vectors that are combined with the best items by words. */
const HYBRID_CANDIDATES = 100;
/** Largest total size of an index's items in an answer, in bytes. Any single item fits. */
const MAX_KNOWLEDGE_BYTES = 5 * 1024 * 1024;

/**
 * Creates an index. It continues the versions of a deleted index of the same name.
 * @throws AppError DUPLICATE_INDEX, and the errors of `createRecord`.
 */
export async function createIndex(
  ctx: MemberContext,
  columns: Columns,
  name: string,
  owner: Pick<CreateOptions, 'businessUnit'>,
): Promise<void> {
  // The deleted index with that name may have belonged to another unit.
  const last = (await lastVersionsOf(ctx.db, 'ai_vector_index', [name])).get(name) ?? 0;
  const allColumns = { ...columns, id: uuidv7(), model: embedderOf(ctx.platform).model };
  await createRecord(ctx, indexes, allColumns, { ...owner, key: name, firstVersion: last + 1 });
}

/** Returns the index with its item counts. @throws AppError NOT_FOUND. */
export async function readIndex({ db, platform }: MemberContext, name: string) {
  const row = await getRecord(db, indexes, name);
  const counts = await countItems(db, row.id, embedderOf(platform).model);
  const state = await findVectorState(db, row.id);
  return { ...indexes.view(row), ...counts, embedding_error: state?.error ?? null };
}

/** Deletes an index; a job deletes its items. @throws AppError NOT_FOUND or FORBIDDEN. */
export async function deleteIndex(ctx: MemberContext, name: string): Promise<void> {
  const { id } = await deleteRecord(ctx, indexes, name);
  const payload = { tenantId: ctx.db.tenantId, indexId: id };
  await ctx.platform.jobs.enqueue(ctx.db, removeItems, payload);
}

/** Items that are ready to be written to an index. */
export interface PreparedItems {
  readonly indexId: string;
  readonly items: readonly VectorItem[];
  readonly embeddings: Embeddings;
  readonly skipped: readonly SkippedItem[];
}

/**
 * Checks items against their index and computes their vectors. Skips items whose text the provider refuses. @throws
 * AppError NOT_FOUND, FORBIDDEN, INVALID_REQUEST for undefined metadata or if all texts are refused,
 * LLM_PROVIDER_ERROR.
 */
export async function prepareItems(
  { db, caller, platform }: MemberContext,
  name: string,
  items: readonly Item[],
): Promise<PreparedItems> {
  const row = await getRecord(db, indexes, name);
  requireRole(caller, row.owner_bu_id, 'editor');
  const faults = metadataFaults(row.metadata_definition, items);
  if (faults.length > 0) throw invalidRequest(faults);
  const embeddings = await embedderOf(platform).embed(
    db.tenantId,
    items.map(({ input }) => input),
  );
  await requireKnownLength(db, row.id, platform, embeddings);
  const vectorItems = items.flatMap((item, index) => {
    const { vector } = embeddings.texts[index] ?? {};
    return vector === undefined ? [] : [{ ...item, vector, words: embeddings.words?.[index] }];
  });
  const refusals = items.flatMap(({ id }, index) => {
    const { refusal } = embeddings.texts[index] ?? {};
    return refusal === undefined ? [] : [{ id, index, message: refusal }];
  });
  if (vectorItems.length === 0)
    throw invalidRequest(refusals.map(({ index, message }) => ({ field: `data[${index}].input`, message })));
  const skipped = refusals.map(({ id, message }) => ({ id, message }));
  return { indexId: row.id, items: vectorItems, embeddings, skipped };
}

/** Vectors of the current model can only be compared with those of the index if they have the same length. */
async function requireKnownLength(
  db: ScopedDb,
  indexId: string,
  platform: Platform,
  embeddings: Pick<Embeddings, 'length'>,
): Promise<void> {
  const state = await findVectorState(db, indexId);
  if (state?.model === embedderOf(platform).model) requireLength(embeddings, state.length);
}

/** Writes items with their vectors atomically. @throws AppError NOT_FOUND if the index was deleted meanwhile. */
export async function writeItems(
  { db, now, platform }: Pick<MemberContext, 'db' | 'now' | 'platform'>,
  { indexId, items, embeddings }: PreparedItems,
): Promise<void> {
  if (!(await shareLockIndex(db, indexId))) throw new AppError(indexes.notFound);
  const state = await findVectorState(db, indexId);
  if (state?.model === embedderOf(platform).model && state.length === null)
    await setVectorLength(db, indexId, embeddings.length);
  await upsertItems(db, indexId, items, embeddings.mark, now);
}

/** Deletes items and returns their number. @throws AppError NOT_FOUND or FORBIDDEN. */
export async function removeFromIndex(
  { db, caller }: MemberContext,
  name: string,
  ids: readonly string[],
): Promise<number> {
  const { id, owner_bu_id: unitId } = await getRecord(db, indexes, name);
  requireRole(caller, unitId, 'editor');
  return deleteItems(db, id, ids);
}

/**
 * Returns the items most similar to a text that match the filter. @throws AppError NOT_FOUND, INVALID_REQUEST or
 * LLM_PROVIDER_ERROR.
 */
export async function queryIndex(
  ctx: MemberContext,
  name: string,
  body: QueryBody,
): Promise<{ results: IndexMatch[] } | LargeResponse> {
  const { db } = ctx;
  const row = await getRecord(db, indexes, name);
  const { input, top_k = DEFAULT_TOP_K, filter = {} } = body;
  const conditions = readMetadataFilter(row.metadata_definition, filter);
  const question = await readQuestion(ctx, input);
  if ('refusal' in question) throw invalidRequest([{ field: 'input', message: question.refusal }]);
  await requireKnownLength(db, row.id, ctx.platform, question);
  const found = await nearest(ctx, { indexId: row.id, ...question, conditions, limit: top_k });
  const small = found.flatMap(({ id, score, texts }) => (texts === null ? [] : [{ id, score, ...texts }]));
  if (small.length === found.length) return { results: small };
  const chunks = toChunks(
    found,
    ({ texts, bytes }) => (texts === null ? bytes : 0),
    async (items) => (await withTexts(db, row.id, items)).map((item) => JSON.stringify(item)),
  );
  return new LargeResponse(db.tenantId, chunks, {});
}

/** Reads texts of large items. Omits items that were deleted meanwhile. */
async function withTexts(db: ScopedDb, indexId: string, items: readonly FoundItem[]): Promise<IndexMatch[]> {
  const large = items.flatMap(({ id, texts }) => (texts === null ? [id] : []));
  const read = large.length === 0 ? new Map() : await findTexts(db, indexId, large);
  return items.flatMap(({ id, score, texts }) => {
    const itemTexts = texts ?? read.get(id);
    return itemTexts === undefined ? [] : [{ id, score, ...itemTexts }];
  });
}

/** A search in one of an assistant's indexes. */
export interface KnowledgeSearch {
  readonly index: string;
  readonly top_k?: number;
  readonly filter?: MetadataFilter;
}

/** An item given to a model, with its index. */
export interface KnowledgeItem extends IndexMatch {
  readonly index: string;
}

/**
 * Returns the most similar items of each index, up to its `top_k` and a total size. Skips an index that was deleted,
 * was recreated without the filter's fields, or now belongs to another unit. @throws AppError LLM_PROVIDER_ERROR.
 */
export async function findInIndexes(
  ctx: { readonly platform: Platform; readonly db: ScopedDb },
  unitId: string,
  searches: readonly KnowledgeSearch[],
  input: string,
): Promise<KnowledgeItem[]> {
  const resolved = await Promise.all(searches.map((each) => resolveSearch(ctx.db, unitId, each)));
  const possible = resolved.filter((search) => search !== null);
  if (possible.length === 0) return [];
  const question = await readQuestion(ctx, input);
  // The provider refuses the text, perhaps as too long. The model then answers without knowledge.
  if ('refusal' in question) return [];
  const found = await Promise.all(
    possible.map(async ({ index, ...search }) =>
      (await findKnowledge(ctx, { ...search, ...question })).map((item) => ({ ...item, index })),
    ),
  );
  return found.flat();
}

type ResolvedSearch = Omit<Search, keyof Question> & { readonly index: string };

/** Returns the index and the conditions of a search, or null if the index is skipped. */
async function resolveSearch(
  db: ScopedDb,
  unitId: string,
  { index, top_k = DEFAULT_TOP_K, filter = {} }: KnowledgeSearch,
): Promise<ResolvedSearch | null> {
  const row = await findRecord(db, indexes, index);
  if (row?.owner_bu_id !== unitId) return null;
  try {
    const conditions = readMetadataFilter(row.metadata_definition, filter);
    return { index, indexId: row.id, conditions, limit: top_k };
  } catch (error) {
    if (error instanceof AppError && error.definition === INVALID_REQUEST) return null;
    throw error;
  }
}

async function findKnowledge(
  ctx: { readonly platform: Platform; readonly db: ScopedDb },
  search: Search,
): Promise<IndexMatch[]> {
  let bytes = 0;
  const fitting = (await nearest(ctx, search)).filter((item) => {
    bytes += item.bytes;
    return bytes <= MAX_KNOWLEDGE_BYTES;
  });
  return withTexts(ctx.db, search.indexId, fitting);
}

/**
 * Checks an assistant's indexes. They must belong to its unit, so that an answer never depends on who asks. @throws
 * AppError VALIDATION_ERROR for another index, INVALID_REQUEST for a filter that the index does not support.
 */
export async function requireKnowledge(
  db: ScopedDb,
  unitId: string,
  knowledge: readonly KnowledgeSearch[],
): Promise<void> {
  for (const [position, { index, filter = {} }] of knowledge.entries()) {
    const row = await findRecord(db, indexes, index);
    if (row?.owner_bu_id !== unitId)
      throw ruleBroken(
        `knowledge[${position}].index`,
        "must reference an index of the assistant's business unit",
      );
    readMetadataFilter(row.metadata_definition, filter, `knowledge[${position}].filter`);
  }
}

/** A question, converted for the comparison with items. */
type Question = Pick<Search, 'vector' | 'mark' | 'words'>;

/**
 * Converts a question, or returns why the provider refuses it. @throws AppError LLM_PROVIDER_ERROR.
 */
async function readQuestion(
  { platform, db }: { readonly platform: Platform; readonly db: ScopedDb },
  input: string,
): Promise<(Question & { readonly length: number }) | { readonly refusal: string }> {
  const embedder = embedderOf(platform);
  const { mark, length, texts } = await embedder.embed(db.tenantId, [input]);
  const { vector, refusal = '' } = texts[0] ?? {};
  if (vector === undefined) return { refusal };
  return { mark, length, vector, ...(embedder.ranksWords ? { words: queryWords(input) } : {}) };
}

async function nearest(
  { platform, db }: { readonly platform: Platform; readonly db: ScopedDb },
  search: Search,
): Promise<FoundItem[]> {
  const scoring = await scoringOf(platform);
  const found = search.words ? await findHybrid(db, scoring, search) : await findNearest(db, scoring, search);
  // Rounded, because the last digits depend on how the database computes. A cosine is at most 1.
  return found.map(({ score, ...item }) => ({ ...item, score: Math.min(Math.round(score * 1e6) / 1e6, 1) }));
}

/** Returns the best items by vector and words together. */
async function findHybrid(db: ScopedDb, scoring: Scoring, search: Search): Promise<FoundItem[]> {
  const { indexId, limit } = search;
  const byVector = await findNearest(db, scoring, { ...search, limit: Math.max(limit, HYBRID_CANDIDATES) });
  const byWords = await findByWords(db, search);
  const known = new Set(byVector.map(({ id }) => id));
  const others = byWords.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const foundByWords = others.length === 0 ? [] : await findItems(db, indexId, others);
  const scores = fuse(byVector, byWords);
  return [...byVector, ...foundByWords]
    .map((item) => ({ ...item, score: scores.get(item.id) ?? 0 }))
    .sort((one, other) => other.score - one.score || (one.id < other.id ? -1 : 1))
    .slice(0, limit);
}
