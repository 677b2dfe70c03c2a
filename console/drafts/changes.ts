/** The parts in which two values differ. */
import { isEqual, isMembers, itemsById, keysOf, memberOf } from './json.ts';
import type { Path } from './merge.ts';

/** A part that differs. Undefined: that value does not have it. */
export interface Change {
  readonly path: Path;
  readonly before: unknown;
  readonly after: unknown;
}

/** Returns the smallest parts in which two values differ, as {@link merge} distinguishes them. */
export function changesBetween(before: unknown, after: unknown, path: Path = []): Change[] {
  if (isEqual(before, after)) return [];
  if (isMembers(before) && isMembers(after))
    return keysOf(before, after).flatMap((key) =>
      changesBetween(memberOf(before, key), memberOf(after, key), [...path, key]),
    );
  const [old, current] = [itemsById(before), itemsById(after)];
  const hasSameItems = old !== null && current !== null && isEqual([...old.keys()], [...current.keys()]);
  if (!hasSameItems) return [{ path, before, after }];
  return [...old.keys()].flatMap((id) => changesBetween(old.get(id), current.get(id), [...path, id]));
}
