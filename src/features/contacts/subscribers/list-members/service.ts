/** Adds many subscribers to a list or removes them; each changed subscriber gets one version. */
import { sql } from 'kysely';
import { AppError } from '../../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { normalizeAddress } from '../../../../mail/address.ts';
import { isUuid } from '../../../../resources/keys.ts';
import { requireRole } from '../../../../resources/ownership.ts';
import { getRecord, replaceRecords } from '../../../../resources/records.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { changeGroups, listGroupsOf, lists, lockVisibleGroups } from '../../subscriber-groups/index.ts';
import { subscribers } from '../resource.ts';
import type { MembersBody } from './schema.ts';

/** Subscribers that one statement changes. */
const MAX_BATCH_SIZE = 1000;

/** A subscriber, locked until the transaction ends. */
interface Member {
  readonly id: string;
  readonly active: boolean;
  readonly owner_bu_id: string;
}

/** The subscribers of a request. */
interface RequestedSubscribers {
  readonly members: readonly Member[];
  /** Requested addresses or ids without a subscriber. */
  readonly unknown: string[];
}

/**
 * Adds subscribers. @throws AppError NOT_FOUND for the list, FORBIDDEN if the caller is not an editor of their units.
 */
export async function addMembers(ctx: MemberContext, listId: string, body: MembersBody) {
  const { members, unknown } = await lockRequested(ctx, listId, body);
  const current = await listGroupsOf(ctx.db, idsOf(members), 'lists');
  const joining = members.filter(({ id }) => !current.get(id)?.has(listId));
  await changeLists(ctx, joining, () => ({ lists: [listId], replaces: [] }));
  return { added: joining.length, unknown };
}

/** Removes subscribers. @throws AppError as `addMembers`. */
export async function removeMembers(ctx: MemberContext, listId: string, body: MembersBody) {
  const { members } = await lockRequested(ctx, listId, body);
  const current = await listGroupsOf(ctx.db, idsOf(members), 'lists');
  const leaving = members.filter(({ id }) => current.get(id)?.has(listId));
  const others = (id: string) => [...(current.get(id) ?? [])].filter((other) => other !== listId);
  await changeLists(ctx, leaving, (id) => ({ lists: others(id), replaces: ['lists'] }));
  return { removed: leaving.length };
}

/** Changes the lists of subscribers, and writes the next version of each. */
async function changeLists(
  ctx: MemberContext,
  members: readonly Member[],
  change: (id: string) => { readonly lists: readonly string[]; readonly replaces: readonly 'lists'[] },
): Promise<void> {
  for (let from = 0; from < members.length; from += MAX_BATCH_SIZE) {
    const batch = members.slice(from, from + MAX_BATCH_SIZE);
    const changes = batch.map(({ id, active }) => {
      const { lists: after, replaces } = change(id);
      const groups = { lists: after, audiences: [] };
      return { subscriberId: id, groups, replaces, wasActive: active, isActive: active };
    });
    await changeGroups(ctx.db, changes, ctx.now);
    await replaceRecords(
      ctx,
      subscribers,
      batch.map(({ id }) => ({ key: id, columns: {} })),
    );
  }
}

/** Locks the list and the subscribers until the transaction ends. @throws AppError NOT_FOUND, FORBIDDEN. */
async function lockRequested(
  { db, caller }: MemberContext,
  listId: string,
  body: MembersBody,
): Promise<RequestedSubscribers> {
  const { owner_bu_id: unitId } = await getRecord(db, lists, listId);
  if ((await lockVisibleGroups(db, { lists: [listId], audiences: [] })).lists.length === 0)
    throw new AppError(NOT_FOUND);
  const requested =
    body.emails === undefined
      ? await lockByIds(db, body.subscriber_ids ?? [])
      : await lockByAddresses(db, body.emails, unitId);
  // Checks unchanged subscribers, too, so that the answer does not reveal the members of the list.
  for (const owner of new Set(requested.members.map(({ owner_bu_id }) => owner_bu_id)))
    requireRole(caller, owner, 'editor');
  return requested;
}

async function lockByIds(tx: ScopedDb, ids: readonly string[]): Promise<RequestedSubscribers> {
  const keys = new Map(ids.map((id) => [id, id.toLowerCase()]));
  const rows = await lock(tx)
    .where('id', '=', sql<string>`any(${[...new Set(keys.values())].filter(isUuid)}::uuid[])`)
    .execute();
  const found = new Set(idsOf(rows));
  return { members: rows, unknown: [...keys].filter(([, key]) => !found.has(key)).map(([id]) => id) };
}

async function lockByAddresses(
  tx: ScopedDb,
  emails: readonly string[],
  unitId: string,
): Promise<RequestedSubscribers> {
  const keys = new Map(emails.map((email) => [email, normalizeAddress(email)]));
  const rows = await lock(tx)
    .where('address_key', '=', sql<string>`any(${[...new Set(keys.values())]}::text[])`)
    .execute();
  const found = new Map<string, (typeof rows)[number]>();
  for (const row of rows) {
    const current = found.get(row.address_key);
    // Rows are sorted by id, so the first one is the oldest.
    if (current === undefined || (row.owner_bu_id === unitId && current.owner_bu_id !== unitId))
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
