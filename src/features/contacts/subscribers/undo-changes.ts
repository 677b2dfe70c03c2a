/** Undoes changes of subscribers by operations, such as an import. */
import Type, { type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { AppError } from '../../../errors/app-error.ts';
import { nullable } from '../../../http/schemas.ts';
import type { RecordChange } from '../../../long-operations/changes.ts';
import type { PartContext, SkipReason, Undone } from '../../../long-operations/operation-kind.ts';
import { findVersions } from '../../../resources/history.ts';
import { deleteRecords } from '../../../resources/records.ts';
import { type Caller, type Role, roleCovers, roleIn } from '../../../tenancy/caller.ts';
import { findGroupIssues, type Groups, listGroupsOf } from '../subscriber-groups/index.ts';
import { type SubscriberChange, toChange, writeChanges } from './changes.ts';
import { eraseSubscriberData } from './erasure.ts';
import { lockSubscribersById, type StoredSubscriber } from './locked-subscribers.ts';
import { type BodyFields, mergedBody } from './merged-body.ts';
import { subscribers } from './resource.ts';

/** The fields of a version that a revert restores. Choices of subscription types stay: they are consent. */
const Version = Type.Object({
  first_name: Type.String(),
  last_name: nullable(Type.String()),
  email: Type.String(),
  active: Type.Boolean(),
  inactive_reason: nullable(Type.String()),
  lists: Type.Array(Type.String()),
  audiences: Type.Array(Type.String()),
  additional_fields_data: Type.Record(Type.String(), Type.Unknown()),
});
type Version = Static<typeof Version>;
const version = Compile(Version);

const NO_GROUPS: Groups = { lists: [], audiences: [] };

/** A subscriber to restore: its present row and its earlier version. */
interface Restored {
  readonly current: StoredSubscriber;
  readonly earlier: Version;
}

/**
 * Erases created subscribers and restores changed ones, unless they have changed since. Those in whose unit the caller
 * does not have the role `needed` are skipped.
 */
export async function undoChanges(
  changes: readonly RecordChange[],
  ctx: PartContext,
  needed: Role,
): Promise<Undone> {
  if (changes.length === 0) return { removed: 0, restored: 0, skipped: [] };
  const { db, caller } = ctx;
  const found = await lockSubscribersById(
    db,
    changes.map(({ key }) => key),
  );
  const rows = new Map(found.map((row) => [row.id, row]));
  const skipped = new Map<string, SkipReason>();
  for (const { key, after } of changes) {
    const row = rows.get(key);
    if (row === undefined || !hasRole(caller, row, needed)) skipped.set(key, 'unavailable');
    else if (row.version !== after) skipped.set(key, 'changed');
  }
  const undone = changes.filter(({ key }) => !skipped.has(key));
  const created = undone.filter(({ before }) => before === null).map(({ key }) => key);
  await eraseSubscriberData(ctx, await deleteRecords(ctx, subscribers, created));
  const earlier = await findVersions(
    db,
    'marketing_subscriber',
    undone.flatMap(({ key, before }) => (before === null ? [] : [{ key, version: before }])),
  );
  const restored = undone.flatMap(({ key, before }): Restored[] => {
    const current = rows.get(key);
    if (before === null || current === undefined) return [];
    const data = earlier.get(key);
    if (version.Check(data)) return [{ current, earlier: data }];
    skipped.set(key, 'unavailable');
    return [];
  });
  const valid = await toValidChanges(ctx, restored, skipped);
  await writeChanges(ctx, valid);
  return {
    removed: created.length,
    restored: valid.length,
    skipped: [...skipped].map(([key, reason]) => ({ key, reason })),
  };
}

function hasRole(caller: Caller, { owner_bu_id }: StoredSubscriber, needed: Role): boolean {
  const role = roleIn(caller, owner_bu_id);
  return role !== null && roleCovers(role, needed);
}

/** Returns the changes to earlier versions; adds invalid ones to `skipped`. */
async function toValidChanges(
  { db, now }: PartContext,
  restored: readonly Restored[],
  skipped: Map<string, SkipReason>,
): Promise<SubscriberChange[]> {
  const groupsOf = await findRemainingGroups(db, restored);
  return restored.flatMap(({ current, earlier }) => {
    const { id, owner_bu_id: ownerId, address_key: addressKey } = current;
    const fields: BodyFields = {
      ...earlier,
      ...groupsOf(id, earlier),
      additional_fields_data: dataToWrite(current, earlier),
    };
    try {
      return [toChange({ fields, ownerId, addressKey }, mergedBody(fields, current, now), current)];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      skipped.set(id, 'invalid');
      return [];
    }
  });
}

/** Returns additional fields that turn the present ones into earlier ones; null removes a field. */
function dataToWrite({ additional_fields_data: present }: StoredSubscriber, earlier: Version): object {
  const removed = Object.keys(present ?? {}).map((name) => [name, null]);
  return { ...Object.fromEntries(removed), ...earlier.additional_fields_data };
}

/** Share-locks the earlier groups. Returns a function that leaves out those that no longer exist. */
async function findRemainingGroups(
  db: PartContext['db'],
  restored: readonly Restored[],
): Promise<(id: string, earlier: Groups) => Groups> {
  const all = (kind: keyof Groups) => [...new Set(restored.flatMap(({ earlier }) => earlier[kind]))];
  const groups = { lists: all('lists'), audiences: all('audiences') };
  const issues = new Set((await findGroupIssues(db, groups, NO_GROUPS)).map(({ field }) => field));
  const gone = new Set(
    (['lists', 'audiences'] as const).flatMap((kind) =>
      groups[kind].filter((_id, index) => issues.has(`${kind}[${index}]`)),
    ),
  );
  const present = await listGroupsOf(
    db,
    restored.map(({ current }) => current.id),
  );
  return (id, earlier) => {
    const isKept = (group: string) => !gone.has(group) || present.get(id)?.has(group) === true;
    return { lists: earlier.lists.filter(isKept), audiences: earlier.audiences.filter(isKept) };
  };
}
