/** Lists and reads the items of an index. */
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { LargeResponse, toChunks } from '../../../http/large-response.ts';
import {
  type ListPage,
  offsetOf,
  type PageRequest,
  pageOf,
  toListPage,
  totalOf,
} from '../../../resources/paging.ts';
import { getRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findTexts } from './queries.ts';
import { indexes } from './resource.ts';
import type { StoredItem } from './schema.ts';

type ItemView = Static<typeof StoredItem>;
type Texts = Pick<ItemView, 'input' | 'metadata'>;

/** An item of the list. Large items have no texts yet. */
interface ListedItem {
  readonly id: string;
  readonly updated_at: string;
  readonly embedding_error: string | null;
  readonly bytes: number;
  readonly texts: Texts | null;
}

/** Larger texts are read in chunks, in bytes. */
const MAX_INLINE_BYTES = 16 * 1024;

/** Returns a page of an index's items, ordered by id. @throws AppError NOT_FOUND. */
export async function listItems(
  { db }: MemberContext,
  name: string,
  query: Partial<PageRequest>,
): Promise<ListPage<ItemView> | LargeResponse> {
  const { id: indexId } = await getRecord(db, indexes, name);
  const page = pageOf(query);
  const items = await findPage(db, indexId, page);
  const total = await totalOf(page, items.length, () => countAll(db, indexId));
  const small = items.flatMap(({ id, embedding_error, updated_at, texts }) =>
    texts ? [{ id, ...texts, embedding_error, updated_at }] : [],
  );
  const { results, ...counts } = toListPage(small, total, page);
  if (results.length === items.length) return { results, ...counts };
  const chunks = toChunks(
    items,
    ({ texts, bytes }) => (texts === null ? bytes : 0),
    async (chunk) => (await withTexts(db, indexId, chunk)).map((item) => JSON.stringify(item)),
  );
  return new LargeResponse(db.tenantId, chunks, counts);
}

/** Returns an item of an index. @throws AppError NOT_FOUND. */
export async function readItem({ db }: MemberContext, name: string, id: string): Promise<ItemView> {
  const { id: indexId } = await getRecord(db, indexes, name);
  const item = await db.query
    .selectFrom('ai_index_items')
    .select(['id', 'input', 'metadata', 'embedding_error', 'updated_at'])
    .where('index_id', '=', indexId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (item === undefined) throw new AppError(NOT_FOUND);
  return { ...item, metadata: { ...item.metadata } };
}

async function findPage(db: ScopedDb, indexId: string, page: PageRequest): Promise<ListedItem[]> {
  const { rows } = await db.raw(
    (tenantId) => sql<ListedItem>`
      select n.id, n.embedding_error, n.updated_at, s.bytes,
        case when s.bytes <= ${MAX_INLINE_BYTES}::int then json_build_object('input', n.input, 'metadata', n.metadata) end as texts
      from (
        select id, input, metadata, embedding_error, updated_at from ai_index_items
        where tenant_id = ${tenantId}::uuid and index_id = ${indexId}::uuid
        order by id limit ${page.limit}::bigint offset ${offsetOf(page)}::bigint) n
      cross join lateral (
        select octet_length(n.input) + octet_length(n.metadata::text) as bytes offset 0) s
      order by n.id`,
  );
  return rows;
}

async function countAll(db: ScopedDb, indexId: string): Promise<number> {
  const { count } = await db.query
    .selectFrom('ai_index_items')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('index_id', '=', indexId)
    .executeTakeFirstOrThrow();
  return count;
}

/** Reads the texts of items. Omits items that were deleted meanwhile. */
async function withTexts(db: ScopedDb, indexId: string, items: readonly ListedItem[]): Promise<ItemView[]> {
  const large = items.flatMap(({ id, texts }) => (texts === null ? [id] : []));
  const read = large.length === 0 ? new Map<string, Texts>() : await findTexts(db, indexId, large);
  return items.flatMap(({ id, embedding_error, updated_at, texts }) => {
    const itemTexts = texts ?? read.get(id);
    return itemTexts === undefined ? [] : [{ id, ...itemTexts, embedding_error, updated_at }];
  });
}
