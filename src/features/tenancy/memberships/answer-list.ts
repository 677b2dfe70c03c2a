/** The list of memberships. An item has up to 1,000 grants, so large lists are sent in chunks. */

import { expressionBuilder, sql } from 'kysely';
import type { Tables } from '../../../db/tables.ts';
import type { JsonText } from '../../../http/json-text.ts';
import { type Chunk, LargeResponse, toChunks } from '../../../http/large-response.ts';
import type { FieldSql } from '../../../resources/filter-field.ts';
import { searchWords } from '../../../resources/filters.ts';
import { type ListQuery, toPageReply } from '../../../resources/list-queries.ts';
import { listOrdered } from '../../../resources/lists.ts';
import type { PageReply } from '../../../resources/paging.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { listMemberships, listPositions, type MembershipPosition } from './queries.ts';
import { membershipResource } from './resource.ts';
import { type Membership, Membership as MembershipSchema } from './schema.ts';

/** Memberships per query. */
const PAGE_ROWS = 100;
/** Estimated JSON size of a membership without its grants, in bytes. */
const MEMBERSHIP_BYTES = 2048;
/** Estimated JSON size of a grant, in bytes. */
const GRANT_BYTES = 256;
/** Largest chunk, in bytes. */
const MAX_CHUNK_BYTES = 1024 * 1024;

/** Returns all memberships of the tenant with their grants, newest first. */
export async function answerMemberships(db: ScopedDb): Promise<{ results: Membership[] } | LargeResponse> {
  const first = await listPositions(db, null, PAGE_ROWS);
  const bytes = first.reduce((sum, position) => sum + bytesOf(position), 0);
  return first.length < PAGE_ROWS && bytes <= MAX_CHUNK_BYTES
    ? { results: await listMemberships(db, idsOf(first)) }
    : new LargeResponse(db.tenantId, chunksFrom(db, first), {});
}

/**
 * Returns one page of memberships in the requested order. Each word of `search` must occur in the name or the address
 * of the user.
 * @throws AppError INVALID_REQUEST.
 */
export async function answerMembershipPage(
  db: ScopedDb,
  request: ListQuery,
  search?: string,
): Promise<PageReply<Membership> | JsonText> {
  // Each word becomes a filter on a field of its own, so that all of them must match.
  const words = searchWords(search).map((word, index) => [`word ${index}`, word] as const);
  const { rows, ...page } = await listOrdered(db, membershipResource, {
    ...request,
    fields: Object.fromEntries(words.map(([name]) => [name, { type: 'text', sql: ofUser }])),
    added: Object.fromEntries(words.map(([name, value]) => [name, { operation: 'like', value }])),
  });
  const ids = rows.map(({ membership_id }) => membership_id);
  const found = new Map((await listMemberships(db, ids)).map((each) => [each.membership_id, each]));
  const results = ids.flatMap((id) => found.get(id) ?? []);
  return toPageReply({ results, ...page }, request, Object.keys(MembershipSchema.properties));
}

/** Filter SQL over the name and address of a membership's user. */
const ofUser: FieldSql = (compare) => {
  const eb = expressionBuilder<Tables, never>();
  return eb.exists(
    eb
      .selectFrom('users as u')
      .select('u.user_id')
      .where('u.user_id', '=', sql<string>`memberships.user_id`)
      .where(compare(sql`u.name || ' ' || u.email`)),
  );
};

async function* chunksFrom(db: ScopedDb, first: readonly MembershipPosition[]): AsyncGenerator<Chunk> {
  let positions = first;
  for (;;) {
    yield* toChunks(positions, bytesOf, async (own) =>
      (await listMemberships(db, idsOf(own))).map((membership) => JSON.stringify(membership)),
    );
    const last = positions.at(-1);
    if (last === undefined || positions.length < PAGE_ROWS) return;
    positions = await listPositions(db, last, PAGE_ROWS);
  }
}

function bytesOf({ grants }: MembershipPosition): number {
  return MEMBERSHIP_BYTES + grants * GRANT_BYTES;
}

function idsOf(positions: readonly MembershipPosition[]): string[] {
  return positions.map(({ membership_id }) => membership_id);
}
