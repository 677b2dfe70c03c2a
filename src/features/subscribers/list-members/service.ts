/** Puts many subscribers into a list, or takes them out of it: each who changes gets one version. */
import { sql } from 'kysely';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { normalizeAddress } from '../../../mail/address.ts';
import { isUuid } from '../../../resources/keys.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { getRecord, replaceRecords } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { changeGroups, listGroupsOf, lists, lockVisibleGroups } from '../../subscriber-groups/index.ts';
import { subscribers } from '../resource.ts';
import type { MembersBody } from './routes.ts';

/** Subscribers that one statement changes. */
const AT_ONCE = 1000;

/** A subscriber, locked until the transaction ends. */
interface Member {
  readonly id: string;
  readonly active: boolean;
  readonly owner_bu_id: string;
}

/** The subscribers that a call names. */
interface Named {
  readonly members: readonly Member[];
  /** What names no subscriber, as it was given. */
  readonly unknown: string[];
}

/** @throws AppError NOT_FOUND for the list, FORBIDDEN for a subscriber of a unit in which the caller is no editor. */
export async function addMembers(ctx: MemberContext, listId: string, body: MembersBody) {
  const { members, unknown } = await findNamed(ctx, listId, body);
  const held = await listGroupsOf(ctx.db, idsOf(members), 'lists');
  const joining = members.filter(({ id }) => !held.get(id)?.has(listId));
  await changeAll(ctx, joining, () => ({ lists: [listId], replaces: [] }));
  return { added: joining.length, unknown };
}

/** @throws AppError as `addMembers`. */
export async function removeMembers(ctx: MemberContext, listId: string, body: MembersBody) {
  const { members } = await findNamed(ctx, listId, body);
  const held = await listGroupsOf(ctx.db, idsOf(members), 'lists');
  const leaving = members.filter(({ id }) => held.get(id)?.has(listId));
  const others = (id: string) => [...(held.get(id) ?? [])].filter((other) => other !== listId);
  await changeAll(ctx, leaving, (id) => ({ lists: others(id), replaces: ['lists'] }));
  return { removed: leaving.length };
}

/** Changes the lists of subscribers, and writes the next version of each. */
async function changeAll(
  ctx: MemberContext,
  members: readonly Member[],
  change: (id: string) => { readonly lists: readonly string[]; readonly replaces: readonly 'lists'[] },
): Promise<void> {
  for (let from = 0; from < members.length; from += AT_ONCE) {
    const some = members.slice(from, from + AT_ONCE);
    const changes = some.map(({ id, active }) => {
      const { lists: after, replaces } = change(id);
      return { subscriberId: id, groups: { lists: after, audiences: [] }, replaces, was: active, is: active };
    });
    await changeGroups(ctx.db, changes, ctx.now);
    await replaceRecords(
      ctx,
      subscribers,
      some.map(({ id }) => ({ key: id, columns: {} })),
    );
  }
}

/** The list stays until the transaction ends. @throws AppError NOT_FOUND or FORBIDDEN. */
async function findNamed({ db, caller }: MemberContext, listId: string, body: MembersBody): Promise<Named> {
  const { owner_bu_id: unitId } = await getRecord(db, lists, listId);
  if ((await lockVisibleGroups(db, { lists: [listId], audiences: [] })).lists.length === 0)
    throw new AppError(NOT_FOUND);
  const named =
    body.emails === undefined
      ? await lockByIds(db, body.subscriber_ids ?? [])
      : await lockByAddresses(db, body.emails, unitId);
  // Also of those who would stay as they are, so that the answer does not depend on who is in the list.
  for (const owner of new Set(named.members.map(({ owner_bu_id }) => owner_bu_id)))
    requireRole(caller, owner, 'editor');
  return named;
}

async function lockByIds(tx: ScopedDb, given: readonly string[]): Promise<Named> {
  const keys = new Map(given.map((id) => [id, id.toLowerCase()]));
  const rows = await lock(tx)
    .where('id', '=', sql<string>`any(${[...new Set(keys.values())].filter(isUuid)}::uuid[])`)
    .execute();
  const found = new Set(idsOf(rows));
  return { members: rows, unknown: [...keys].filter(([, key]) => !found.has(key)).map(([id]) => id) };
}

async function lockByAddresses(tx: ScopedDb, given: readonly string[], unitId: string): Promise<Named> {
  const keys = new Map(given.map((email) => [email, normalizeAddress(email)]));
  const rows = await lock(tx)
    .where('address_key', '=', sql<string>`any(${[...new Set(keys.values())]}::text[])`)
    .execute();
  const found = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const known = found.get(row.address_key);
    // Ids tell which is the oldest, as rows come in their order.
    if (known === undefined || (row.owner_bu_id === unitId && known.owner_bu_id !== unitId))
      found.set(row.address_key, row);
  }
  const unknown = [...keys].filter(([, key]) => !found.has(key)).map(([email]) => email);
  return { members: [...found.values()], unknown };
}

/** Locks subscribers, always in the same order. */
function lock(tx: ScopedDb) {
  return tx.query
    .selectFrom('subscribers')
    .select(['id', 'active', 'address_key', 'owner_bu_id'])
    .orderBy('id')
    .forNoKeyUpdate();
}

function idsOf(members: readonly Member[]): string[] {
  return members.map(({ id }) => id);
}
