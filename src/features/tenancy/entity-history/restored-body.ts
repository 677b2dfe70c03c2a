/** Request bodies that restore versions. They combine members of the version with members of the current record. */
import { mergeWritten, selectWritten } from '../../../db/written-json.ts';
import type { Route } from '../../../http/route.ts';
import { isSameMember, writtenOf } from '../../../http/updates.ts';
import type { Resource } from '../../../resources/resource.ts';
import { platformColumnsOf, type RestoredRecord } from '../../../resources/restored-records.ts';
import type { LastEntry } from './queries.ts';
import type { Members, Restorer } from './restorers.ts';

/** Members that a restoration changes only if `fields` names them, so that a restored record does not start to run. */
const KEPT_MEMBERS: readonly string[] = ['active', 'status'];

/**
 * Returns the content with which a deleted record is created again: `chosen`, or `last` with only the members `fields`
 * of `chosen`.
 */
export function versionToCreate(last: Members, chosen: Members, fields?: readonly string[]): Members {
  if (fields !== undefined) return mergeWritten(last, membersOf(chosen, fields));
  const isRestored = (name: string) => !KEPT_MEMBERS.includes(name) || Object.hasOwn(last, name);
  return selectWritten(mergeWritten(chosen, membersOf(last, KEPT_MEMBERS)), isRestored);
}

/** Returns the members of a version that have these names. */
export function membersOf(version: Members, names: readonly string[] = []): Members {
  return selectWritten(version, (name) => names.includes(name));
}

/** Returns the key, version and platform columns that a restored record takes over from the deleted one. */
export function restoredRecordOf(
  { entityType, resource }: Restorer,
  key: readonly string[],
  entry: LastEntry,
): RestoredRecord {
  const { created_at: createdAt } = entry.data;
  return {
    entityType,
    key,
    firstVersion: entry.version + 1,
    columns: platformColumnsOf(resource, entry.data),
    ...(typeof createdAt === 'string' && resource.kinds.has('created_at') ? { createdAt } : {}),
  };
}

/** The version that an update restores, and the current record. */
interface RestoredContent {
  /** The record as its GET shows it. */
  readonly current: Members;
  /** Content of the restored version. */
  readonly data: Members;
  /** The members to restore; all if absent. */
  readonly fields?: readonly string[] | undefined;
  /** Members that override those of the restored version. */
  readonly changes: Members;
  /** Version number of the current record. */
  readonly version: number;
}

/** Returns the whole body of an update that restores a version of an existing record. */
export function bodyOfUpdate(
  { resource }: Restorer,
  route: Route,
  { current, data, fields, changes, version }: RestoredContent,
): Members {
  const { keeps = [], once = [], contentOf } = route.updates ?? {};
  const all = new Set([...writtenOf(route, data), ...writtenOf(route, current)]);
  const untouched = new Set(['version', ...KEPT_MEMBERS, ...once, resource.ownerName]);
  const names = new Set(fields ?? [...all].filter((name) => !untouched.has(name)));
  const restored = selectWritten(data, (name) => names.has(name));
  const unchanged = selectWritten(current, (name) => {
    if (names.has(name) && (contentOf || Object.hasOwn(data, name))) return false;
    return all.has(name) && !keeps.includes(name);
  });
  const isInBody = (name: string) => Object.hasOwn(restored, name) || Object.hasOwn(unchanged, name);
  // The members have the order of the version, or of the record if only some are restored.
  const merged = fields === undefined ? mergeWritten(data, unchanged) : mergeWritten(current, restored);
  const nulls = [...names].filter(
    (name) => !contentOf && !Object.hasOwn(data, name) && isOmittedWhenNull(resource, name),
  );
  const emptied = Object.fromEntries(nulls.map((name) => [name, null]));
  return mergeWritten(
    selectWritten(merged, isInBody),
    mergeWritten(mergeWritten(emptied, changes), { version }),
  );
}

/** True if an update with this body changes the record. */
export function isChange(route: Route, current: Members, body: Members): boolean {
  const { keeps = [], contentOf } = route.updates ?? {};
  const names = new Set(Object.keys(body));
  if (contentOf) for (const name of writtenOf(route, current)) if (!keeps.includes(name)) names.add(name);
  names.delete('version');
  return [...names].some((name) => !isSameMember(body, current, name));
}

/** True if responses omit the member when it is null: in a version without the member, it was null. */
function isOmittedWhenNull({ fields }: Resource, member: string): boolean {
  return Object.entries(fields).some(
    ([name, field]) => field.kind !== 'constant' && (field.at ?? name) === member && field.omitsNull,
  );
}
