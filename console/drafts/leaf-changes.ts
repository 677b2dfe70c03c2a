/** The single values in which two JSON values differ, for people to read. */
import { isEqual, isMembers, keysOf, type Members, memberOf } from './json.ts';

/** A value that differs. Undefined: that side does not have it. */
export interface LeafChange {
  /** Such as `pages[0].title`, or `elements[email].title` for an item with a name. */
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Members that name an item of a list, the best first. */
const NAME_MEMBERS = ['id', 'key', 'name'] as const;

/** Returns the values that differ. Items of lists are compared by their names, others by their places. */
export function leafChanges(before: unknown, after: unknown, path = ''): LeafChange[] {
  if (isEqual(before, after)) return [];
  if (isMembers(before) && isMembers(after))
    return keysOf(before, after).flatMap((key) =>
      leafChanges(memberOf(before, key), memberOf(after, key), path === '' ? key : `${path}.${key}`),
    );
  if (Array.isArray(before) && Array.isArray(after)) return changesOfLists(before, after, path);
  // A tree that only one side has is shown by its values, too.
  if (before === undefined && isTree(after)) return leafChanges(emptyLike(after), after, path);
  if (after === undefined && isTree(before)) return leafChanges(before, emptyLike(before), path);
  return [{ path, before, after }];
}

/** Returns true for an object with members, and for a list with objects. */
function isTree(value: unknown): boolean {
  return isMembers(value)
    ? Object.keys(value).length > 0
    : Array.isArray(value) && value.some((item) => isMembers(item) || Array.isArray(item));
}

function emptyLike(value: unknown): unknown {
  return Array.isArray(value) ? [] : {};
}

function changesOfLists(before: readonly unknown[], after: readonly unknown[], path: string): LeafChange[] {
  const [old, current] = [itemsByName(before), itemsByName(after)];
  if (old === null || current === null) return changesByPlace(before, after, path);
  const names = [...new Set([...old.keys(), ...current.keys()])];
  const changes = names.flatMap((name) => leafChanges(old.get(name), current.get(name), `${path}[${name}]`));
  const order = (items: ReadonlyMap<string, unknown>, others: ReadonlyMap<string, unknown>) =>
    [...items.keys()].filter((name) => others.has(name));
  const [earlier, later] = [order(old, current), order(current, old)];
  return isEqual(earlier, later)
    ? changes
    : [...changes, { path: `${path}[]`, before: earlier.join(', '), after: later.join(', ') }];
}

/** Compares what is between the equal beginning and end of two lists. */
function changesByPlace(before: readonly unknown[], after: readonly unknown[], path: string): LeafChange[] {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && isEqual(before[start], after[start])) start += 1;
  let end = 0;
  while (end < shorter - start && isEqual(before.at(-1 - end), after.at(-1 - end))) end += 1;
  const [old, current] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  return Array.from({ length: Math.max(old.length, current.length) }, (_, index) =>
    leafChanges(old[index], current[index], `${path}[${start + index}]`),
  ).flat();
}

/** Returns the items of a list by their names; null if an item has no name of its own. */
function itemsByName(list: readonly unknown[]): ReadonlyMap<string, Members> | null {
  const items = new Map<string, Members>();
  for (const item of list) {
    const name = nameOf(item);
    if (name === null || !isMembers(item) || items.has(name)) return null;
    items.set(name, item);
  }
  return items;
}

function nameOf(item: unknown): string | null {
  if (!isMembers(item)) return null;
  for (const member of NAME_MEMBERS) {
    const name = memberOf(item, member);
    if ((typeof name === 'string' && name !== '') || typeof name === 'number') return String(name);
  }
  return null;
}
