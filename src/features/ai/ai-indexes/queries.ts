import { sql } from 'kysely';
import type { IsAskedFor } from '../../../db/every-node.ts';
import { conditionSql } from '../../../resources/filter-sql.ts';
import type { FilterCondition } from '../../../resources/filters.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { homeIn } from '../../../tenancy/tenant-home.ts';
import type { Found, Item, ItemCounts } from './schema.ts';
import type { Scoring } from './scoring.ts';
import { rankByWords, toTsvector, type WordHit } from './words/ranking.ts';
import type { WordCounts } from './words/stems.ts';

/** Keeps the index from being deleted until the transaction ends; false when it is gone. */
export async function holdIndex(tx: ScopedDb, indexId: string): Promise<boolean> {
  const held = tx.query.selectFrom('ai_indexes').select('id').where('id', '=', indexId).forKeyShare();
  return (await held.executeTakeFirst()) !== undefined;
}

/** An item with its vector, and its words where items are ranked by words as well. */
export type VectorItem = Item & {
  readonly vector: readonly number[];
  readonly words?: WordCounts | undefined;
};

/** Writes items with their vectors, over those of the same ids. */
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
      select home.tenant_id, ${indexId}::uuid, given.id, given.input, given.metadata::jsonb, ${mark},
        given.embedding::real[], given.terms::tsvector, given.word_count, ${now}::timestamptz
      from unnest(${items.map(({ id }) => id)}::text[], ${items.map(({ input }) => input)}::text[],
        ${items.map(({ metadata }) => JSON.stringify(metadata))}::text[],
        ${items.map(({ vector }) => toText(vector))}::text[],
        ${items.map(({ words }) => termsOf(words))}::text[],
        ${items.map(({ words }) => words?.length ?? null)}::int[])
        as given (id, input, metadata, embedding, terms, word_count)
      cross join ${homeIn(tenantId)}
      on conflict (tenant_id, index_id, id) do update set input = excluded.input, metadata = excluded.metadata,
        model = excluded.model, embedding = excluded.embedding, embedding_error = null, terms = excluded.terms,
        word_count = excluded.word_count, updated_at = excluded.updated_at`,
  );
}

/** What is looked for in an index. */
export interface Search {
  readonly indexId: string;
  readonly vector: readonly number[];
  readonly mark: string;
  /** The words of a question, where items are ranked by words as well. */
  readonly words?: readonly (readonly string[])[];
  readonly conditions: readonly FilterCondition[];
  readonly limit: number;
}

/** An item that was found; of one that is large, its texts are left out. */
export interface Nearest {
  readonly id: string;
  readonly score: number;
  /** What it has in all. */
  readonly octets: number;
  readonly texts: Pick<Found, 'input' | 'metadata'> | null;
}

const MAX_ERROR_CHARS = 500;
/** Of more the texts are read by portions, bytes. */
const MOST_AT_ONCE = 16 * 1024;

/** The items that meet the conditions, those first whose vectors are most like the one that is looked for. */
export async function findNearest(
  db: ScopedDb,
  scoring: Scoring,
  { indexId, vector, mark, conditions, limit }: Search,
): Promise<Nearest[]> {
  const narrowing = conditions.map((condition) => sql` and ${conditionSql(condition, condition.operands)}`);
  const { rows } = await db.raw(
    (tenantId) => sql<Nearest>`
      select n.id, n.score, s.octets,
        case when s.octets <= ${MOST_AT_ONCE}::int then json_build_object('input', n.input, 'metadata', n.metadata) end as texts
      from (
        select id, input, metadata, ${scoring(vector)} as score from ai_index_items
        where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and model = ${mark}
          ${sql.join(narrowing, sql``)}
        order by score desc, id limit ${limit}) n
      cross join lateral (
        select octet_length(n.input) + octet_length(n.metadata::text) as octets offset 0) s
      order by n.score desc, n.id`,
  );
  return rows;
}

/** The items that meet the conditions and have words of the question, best first. */
export function findByWords(
  db: ScopedDb,
  { indexId, mark, conditions, words = [] }: Search,
): Promise<WordHit[]> {
  const narrowing = conditions.map((condition) => sql` and ${conditionSql(condition, condition.operands)}`);
  const from = (tenantId: string) => sql`
    from ai_index_items i
    where i.tenant_id = ${tenantId}::uuid and i.index_id = ${indexId}::uuid and i.model = ${mark}
      ${sql.join(narrowing, sql``)}`;
  return rankByWords(db, from, words);
}

/** Items by their ids, in no order and without a score; large ones without their texts. */
export async function findItems(
  db: ScopedDb,
  indexId: string,
  ids: readonly string[],
): Promise<Omit<Nearest, 'score'>[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<Omit<Nearest, 'score'>>`
      select i.id, s.octets,
        case when s.octets <= ${MOST_AT_ONCE}::int then json_build_object('input', i.input, 'metadata', i.metadata) end as texts
      from ai_index_items i
      cross join lateral (
        select octet_length(i.input) + octet_length(i.metadata::text) as octets offset 0) s
      where i.tenant_id = ${tenantId}::uuid and i.index_id = ${indexId}::uuid and i.id = any(${ids}::text[])`,
  );
  return rows;
}

/** The texts of some items by their ids; those that are gone are missing. */
export async function findTexts(
  db: ScopedDb,
  indexId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Found, 'input' | 'metadata'>>> {
  const { rows } = await db.raw(
    (tenantId) => sql<Pick<Found, 'id' | 'input' | 'metadata'>>`
      select id, input, metadata from ai_index_items
      where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and id = any(${ids}::text[])`,
  );
  return new Map(rows.map(({ id, ...texts }) => [id, texts]));
}

/** Deletes items, and tells how many there were. */
export async function deleteItems(db: ScopedDb, indexId: string, ids: readonly string[]): Promise<number> {
  const { numAffectedRows } = await db.raw(
    (tenantId) => sql`
      delete from ai_index_items
      where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and id = any(${ids}::text[])`,
  );
  return Number(numAffectedRows ?? 0n);
}

/** How many items an index has, how many wait for vectors of the present model, and how many the provider refuses. */
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
  const sum = (some: typeof rows) => some.reduce((total, { items }) => total + items, 0);
  return {
    item_count: sum(rows),
    pending_count: sum(rows.filter(({ model: mark }) => !mark.startsWith(`${model} `))),
    failed_count: rows.reduce((total, { refused }) => total + refused, 0),
  };
}

/** Some items whose vectors are of another model: at least one, and no more than so many bytes otherwise. */
export async function listOutdated(
  db: ScopedDb,
  indexId: string,
  model: string,
  limit: number,
  mostBytes: number,
): Promise<Pick<Item, 'id' | 'input'>[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<Pick<Item, 'id' | 'input'>>`
      select o.id, o.input from (
        select f.id, f.input, row_number() over by_id as nth, sum(octet_length(f.input)) over by_id as octets
        from (
          select id, input from ai_index_items
          where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid and not starts_with(model, ${`${model} `})
          limit ${limit}) f
        window by_id as (order by f.id)) o
      where o.nth = 1 or o.octets <= ${mostBytes}::int`,
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

/** Gives items new vectors, unless their texts have changed meanwhile: then they have them already. */
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

/** How the vectors of an index are. */
export interface VectorState {
  readonly model: string;
  /** How many numbers they have; null: not known yet. */
  readonly length: number | null;
  /** Why they could not be computed last. */
  readonly error: string | null;
}

/** The state of an index's vectors; undefined when it is gone. */
export async function findVectorState(db: ScopedDb, indexId: string): Promise<VectorState | undefined> {
  const { rows } = await db.raw(
    (tenantId) => sql<VectorState>`
      select model, vector_length as length, embedding_error as error from ai_indexes
      where tenant_id = ${tenantId}::uuid and id = ${indexId}::uuid`,
  );
  return rows[0];
}

/** Notes how many numbers the vectors of an index have, unless that is known. */
export async function setVectorLength(tx: ScopedDb, indexId: string, length: number): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
      update ai_indexes set vector_length = ${length}::int
      where tenant_id = ${tenantId}::uuid and id = ${indexId}::uuid and vector_length is null`,
  );
}

/** Notes the model by which the vectors of all items are made, and their length. */
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

/** Notes why the vectors of an index could not be computed. */
export async function setEmbeddingError(db: ScopedDb, indexId: string, error: string): Promise<void> {
  await db.raw(
    (tenantId) => sql`
      update ai_indexes set embedding_error = ${error.slice(0, MAX_ERROR_CHARS)}
      where tenant_id = ${tenantId}::uuid and id = ${indexId}::uuid`,
  );
}

/** Indexes of all tenants whose vectors are of another model. */
export function indexesOfOtherModels(model: string) {
  return (isAskedFor: IsAskedFor) => sql<{ tenant_id: string; id: string }>`
    select tenant_id, id from ai_indexes where model <> ${model} and ${isAskedFor('tenant_id')}`;
}

function termsOf(words: WordCounts | undefined): string | null {
  return words === undefined ? null : toTsvector(words);
}

function toText(vector: readonly number[]): string {
  let text = '';
  for (const value of vector) text += `,${numberText(value)}`;
  return `{${text.slice(1)}}`;
}

/** A number as text; one of few decimals, as the built-in embedder makes them, as a whole number, which is made in a fifth of the time. */
function numberText(value: number): string {
  if (value === 0) return '0';
  const millionths = Math.round(value * 1e6);
  return millionths / 1e6 === value ? `${millionths}e-6` : `${value}`;
}
