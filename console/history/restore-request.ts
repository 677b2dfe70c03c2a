/** The request that restores parts of an older version. */
import type { ListedVersion, RestoreRecord } from '../../sdk/src/generated/schemas.ts';
import { isEqual, isMembers, itemsById, keysOf, type Members, memberOf } from '../drafts/json.ts';
import type { Path } from '../drafts/merge.ts';

/** The key of a record in history. */
export type RecordKey = Pick<RestoreRecord, 'entityType' | 'entitySortKey'>;

/** A version with its content. */
export interface Version extends Omit<ListedVersion, 'data'> {
  readonly data: Members;
}

/** The versions to combine, and the parts to take from the older one. */
interface Restoration {
  readonly then: Version;
  /** The newest version: another one is refused by the server. */
  readonly now: Version;
  readonly paths: readonly Path[];
}

/**
 * Returns the request that restores these parts. The API restores whole members of a record: the other parts of such a
 * member are sent as they are now.
 */
export function restoreRequest(key: RecordKey, { then, now, paths }: Restoration): RestoreRecord {
  const isTaken = (path: Path) => paths.some((each) => isEqual(each, path));
  const fields = [...new Set(paths.flatMap(([name = '']) => name))];
  const changes = fields.flatMap((name) => {
    const old = memberOf(then.data, name);
    const value = takeParts(memberOf(now.data, name), old, isTaken, [name]);
    return isEqual(value, old) ? [] : [[name, value] as const];
  });
  return {
    ...key,
    version: then.version,
    expected_version: now.version,
    fields,
    ...(changes.length === 0 ? {} : { changes: Object.fromEntries(changes) }),
  };
}

/** Returns `now` with the parts of `then` that `isTaken` selects. Parts are those that `changesBetween` names. */
function takeParts(now: unknown, then: unknown, isTaken: (path: Path) => boolean, path: Path): unknown {
  if (isMembers(now) && isMembers(then)) {
    const taken = keysOf(now, then).map(
      (key) => [key, takeParts(memberOf(now, key), memberOf(then, key), isTaken, [...path, key])] as const,
    );
    return Object.fromEntries(taken.filter(([, value]) => value !== undefined));
  }
  const [current, old] = [itemsById(now), itemsById(then)];
  if (current !== null && old !== null && isEqual([...current.keys()], [...old.keys()]))
    return [...current.keys()].map((id) => takeParts(current.get(id), old.get(id), isTaken, [...path, id]));
  return isTaken(path) ? then : now;
}
