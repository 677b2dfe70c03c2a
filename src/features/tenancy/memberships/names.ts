/** Names of all members, for lists and histories that identify an actor by id. */
import type { Static } from 'typebox';
import { type Chunk, LargeResponse } from '../../../http/large-response.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { listNames } from './queries.ts';
import type { MemberName, MemberNames } from './schema.ts';

/** Names per query. */
const PAGE_ROWS = 100;

/** Returns the names of all members of the tenant, active or not, in the order in which they were added. */
export async function answerNames(db: ScopedDb): Promise<Static<typeof MemberNames> | LargeResponse> {
  const first = await listNames(db, null, PAGE_ROWS);
  return first.length < PAGE_ROWS
    ? { results: first }
    : new LargeResponse(db.tenantId, chunksFrom(db, first), {});
}

async function* chunksFrom(db: ScopedDb, first: readonly MemberName[]): AsyncGenerator<Chunk> {
  let names = first;
  for (;;) {
    const texts = names.map((name) => JSON.stringify(name));
    yield { size: 0, read: async () => texts };
    const last = names.at(-1);
    if (last === undefined || names.length < PAGE_ROWS) return;
    names = await listNames(db, last.membership_id, PAGE_ROWS);
  }
}
