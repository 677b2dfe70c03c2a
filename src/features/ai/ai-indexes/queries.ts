import { sql } from 'kysely';
import type { TenantCondition } from '../../../db/gathered-rows.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { conditionSql } from '../../../resources/filter-sql.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import type { IndexMatch, Item, ItemCounts } from './schema.ts';
import type { Scoring } from './scoring.ts';
import { rankByWords, toTsvector, type WordHit } from './words/ranking.ts';
import type { WordCounts } from './words/stems.ts';

/** Share-locks an index against deletion until the transaction ends. Returns false if it no longer exists. */
export async function shareLockIndex(tx: ScopedDb, indexId: string): Promise<boolean> {
  const lock = tx.query.selectFrom('ai_indexes').select('id').where('id', '=', indexId).forKeyShare();
  return (await lock.executeTakeFirst()) !== undefined;
}

/** An item with its vector, and with its words if the index is also ranked by words. */
export type VectorItem = Item & {
  readonly vector: readonly number[];
  readonly words?: WordCounts | undefined;
};

/** Inserts items with their vectors, replacing items with the same ids. */
export async function upsertItems(
  tx: ScopedDb,
  indexId: string,
  items: readonly VectorItem[],
  mark: string,
  now: Date,
): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
      insert into ai_index_items (tenant_id, index_id, id, input, metadata, model, embedding, terms, word_count, updated_at)
      select tenant_row.tenant_id, ${indexId}::uuid, given.id, given.input, given.metadata::jsonb, ${mark},
        given.embedding::real[], given.terms::tsvector, given.word_count, ${now}::timestamptz
      from unnest(${items.map(({ id }) => id)}::text[], ${items.map(({ input }) => input)}::text[],
        ${items.map(({ metadata }) => JSON.stringify(metadata))}::text[],
        ${items.map(({ vector }) => toText(vector))}::text[],
        ${items.map(({ words }) => termsOf(words))}::text[],
        ${items.map(({ words }) => words?.length ?? null)}::int[])
        as given (id, input, metadata, embedding, terms, word_count)
      cross join ${tenantRow(tenantId)}
      on conflict (tenant_id, index_id, id) do update set input = excluded.input, metadata = excluded.metadata,
        model = excluded.model, embedding = excluded.embedding, embedding_error = null, terms = excluded.terms,
        word_count = excluded.word_count, updated_at = excluded.updated_at`,
  );
}

/** A search in an index. */
export interface Search {
  readonly indexId: string;
  readonly vector: readonly number[];
  readonly mark: string;
  /** Words of the question, if items are also ranked by words. */
  readonly words?: readonly (readonly string[])[];
  readonly conditions: readonly FilterCondition[];
  readonly limit: number;
}

/** A found item. Large items have no texts yet. */
export interface FoundItem {
  readonly id: string;
  readonly score: number;
  /** Total size of its texts in bytes. */
  readonly bytes: number;
  readonly texts: Pick<IndexMatch, 'input' | 'metadata'> | null;
}

const MAX_ERROR_CHARS = 500;
/** Larger texts are read in chunks, in bytes. */
const MAX_INLINE_BYTES = 16 * 1024;

/** Returns the items that meet the conditions, most similar vectors first. */
export async function findNearest(
  db: ScopedDb,
  scoring: Scoring,
  { indexId, vector, mark, conditions, limit }: Search,
): Promise<FoundItem[]> {
  const filters = conditions.map((condition) => sql` and ${conditionSql(condition, condition.operands)}`);
  const { rows } = await db.raw(
    (tenantId) => sql<FoundItem>`
      select n.id, n.score, s.bytes,
        case when s.bytes <= ${MAX_INLINE_BYTES}::int then json_build_object('input', n.input, 'metadata', n.metadata) end as texts
      from (
        select id, input, metadata, ${scoring(vector)} as score from ai_index_items
        where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and model = ${mark}
          ${sql.join(filters, sql``)}
        order by score desc, id limit ${limit}) n
      cross join lateral (
        select octet_length(n.input) + octet_length(n.metadata::text) as bytes offset 0) s
      order by n.score desc, n.id`,
  );
  return rows;
}

/** Returns the items that meet the conditions and have words of the question, best first. */
export function findByWords(
  db: ScopedDb,
  { indexId, mark, conditions, words = [] }: Search,
): Promise<WordHit[]> {
  const filters = conditions.map((condition) => sql` and ${conditionSql(condition, condition.operands)}`);
  const from = (tenantId: string) => sql`
    from ai_index_items i
    where i.tenant_id = ${tenantId}::uuid and i.index_id = ${indexId}::uuid and i.model = ${mark}
      ${sql.join(filters, sql``)}`;
  return rankByWords(db, from, words);
}

/** Returns items by id, unordered and without scores; large ones without their texts. */
export async function findItems(
  db: ScopedDb,
  indexId: string,
  ids: readonly string[],
): Promise<Omit<FoundItem, 'score'>[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<Omit<FoundItem, 'score'>>`
      select i.id, s.bytes,
        case when s.bytes <= ${MAX_INLINE_BYTES}::int then json_build_object('input', i.input, 'metadata', i.metadata) end as texts
      from ai_index_items i
      cross join lateral (
        select octet_length(i.input) + octet_length(i.metadata::text) as bytes offset 0) s
      where i.tenant_id = ${tenantId}::uuid and i.index_id = ${indexId}::uuid and i.id = any(${ids}::text[])`,
  );
  return rows;
}

/** Returns texts of items by id. Deleted items are missing. */
export async function findTexts(
  db: ScopedDb,
  indexId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<IndexMatch, 'input' | 'metadata'>>> {
  const { rows } = await db.raw(
    (tenantId) => sql<Pick<IndexMatch, 'id' | 'input' | 'metadata'>>`
      select id, input, metadata from ai_index_items
      where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and id = any(${ids}::text[])`,
  );
  return new Map(rows.map(({ id, ...texts }) => [id, texts]));
}

/** Deletes items and returns their number. */
export async function deleteItems(db: ScopedDb, indexId: string, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await db.raw(
    (tenantId) => sql`
      delete from ai_index_items
      where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and id = any(${ids}::text[])`,
  );
  return Number(numAffectedRows ?? 0n);
}

/**
 * Counts the items of an index, those that wait for vectors of the current model, and those that the provider refuses.
 */
export async function countItems(
  db: ScopedDb,
  indexId: string,
  model: string,
): Promise<Omit<ItemCounts, 'embedding_error'>> {
  const { rows } = await db.raw(
    (tenantId) => sql<{ model: string; items: number; refused: number }>`
      select model, count(*) as items, count(embedding_error) as refused from ai_index_items
      where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid group by model`,
  );
  const sum = (group: typeof rows) => group.reduce((total, { items }) => total + items, 0);
  return {
    item_count: sum(rows),
    pending_count: sum(rows.filter(({ model: mark }) => !mark.startsWith(`${model} `))),
    failed_count: rows.reduce((total, { refused }) => total + refused, 0),
  };
}

/** Returns items with vectors of another model, up to a total size in bytes but at least one. */
export async function listOutdated(
  db: ScopedDb,
  indexId: string,
  model: string,
  limit: number,
  maxBytes: number,
): Promise<Pick<Item, 'id' | 'input'>[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<Pick<Item, 'id' | 'input'>>`
      select o.id, o.input from (
        select f.id, f.input, row_number() over by_id as nth, sum(octet_length(f.input)) over by_id as bytes
        from (
          select id, input from ai_index_items
          where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and not starts_with(model, ${`${model} `})
          limit ${limit}) f
        window by_id as (order by f.id)) o
      where o.nth = 1 or o.bytes <= ${maxBytes}::int`,
  );
  return rows;
}

/** An item with its new vector, or the reason why it has none. */
export interface NewVector extends Pick<Item, 'id' | 'input'> {
  readonly mark: string;
  readonly embedding: readonly number[];
  readonly refusal: string | null;
  readonly words: WordCounts | undefined;
}

/** Sets vectors of items. Items whose texts changed meanwhile have newer vectors and are skipped. */
export async function updateVectors(
  db: ScopedDb,
  indexId: string,
  items: readonly NewVector[],
): Promise<void> {
  const given = items.map(({ words, ...item }) => ({
    ...item,
    terms: termsOf(words),
    word_count: words?.length ?? null,
  }));
  await db.raw(
    (tenantId) => sql`
      update ai_index_items i set model = given.mark, embedding = given.embedding, embedding_error = given.refusal,
        terms = given.terms::tsvector, word_count = given.word_count
      from json_to_recordset(${JSON.stringify(given)})
        as given (id text, input text, mark text, embedding real[], refusal text, terms text, word_count int)
      where i.tenant_id = ${tenantId}::uuid and i.index_id = ${indexId}::uuid and i.id = given.id
        and i.input = given.input`,
  );
}

/** State of an index's vectors. */
export interface VectorState {
  readonly model: string;
  /** Length of the vectors; null if not yet known. */
  readonly length: number | null;
  /** Error of the last failed computation. */
  readonly error: string | null;
}

/** Returns the state of an index's vectors; undefined if the index does not exist. */
export async function findVectorState(db: ScopedDb, indexId: string): Promise<VectorState | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<VectorState>`
      select model, vector_length as length, embedding_error as error from ai_indexes
      where tenant_id = ${tenantId}::uuid and id = ${indexId}::uuid`,
  );
  return rows[0];
}

/** Sets the vector length of an index unless it is known. */
export async function setVectorLength(tx: ScopedDb, indexId: string, length: number): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
      update ai_indexes set vector_length = ${length}::int
      where tenant_id = ${tenantId}::uuid and id = ${indexId}::uuid and vector_length is null`,
  );
}

/** Sets the model and length of all vectors of an index. */
export async function setModel(
  db: ScopedDb,
  indexId: string,
  { model, length }: Pick<VectorState, 'model' | 'length'>,
): Promise<void> {
  await db.raw(
    (tenantId) => sql`
      update ai_indexes set model = ${model}, vector_length = ${length}::int, embedding_error = null
      where tenant_id = ${tenantId}::uuid and id = ${indexId}::uuid`,
  );
}

/** Stores the error of a failed computation of an index's vectors. */
export async function setEmbeddingError(db: ScopedDb, indexId: string, error: string): Promise<void> {
  await db.raw(
    (tenantId) => sql`
      update ai_indexes set embedding_error = ${error.slice(0, MAX_ERROR_CHARS)}
      where tenant_id = ${tenantId}::uuid and id = ${indexId}::uuid`,
  );
}

/** Lists indexes of all tenants whose vectors are from another model. */
export function indexesOfOtherModels(model: string) {
  return (inTenants: TenantCondition) => sql<{ tenant_id: string; id: string }>`
    select tenant_id, id from ai_indexes where model <> ${model} and ${inTenants('tenant_id')}`;
}

function termsOf(words: WordCounts | undefined): string | null {
  return words === undefined ? null : toTsvector(words);
}

function toText(vector: readonly number[]): string {
  let text = '';
  for (const value of vector) text += `,${numberText(value)}`;
  return `{${text.slice(1)}}`;
}

/**
 * Numbers with few decimals, like those of the built-in embedder, are formatted as integers, which is five times as
 * fast.
 */
function numberText(value: number): string {
  if (value === 0) return '0';
  const millionths = Math.round(value * 1e6);
  return millionths / 1e6 === value ? `${millionths}e-6` : `${value}`;
}
