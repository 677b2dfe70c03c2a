/** Comparison of JSON values. A member that is undefined counts as absent, as in JSON. */

/** The members of a JSON object. */
export type Members = Readonly<Record<string, unknown>>;

/** Returns true for objects that are not arrays. */
export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns true if two values are the same JSON. Does not descend into parts that are the same object. */
export function isEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isEqual(item, b[index]));
  if (isMembers(a) && isMembers(b))
    return keysOf(a, b).every((key) => isEqual(memberOf(a, key), memberOf(b, key)));
  return false;
}

/** Returns the names of the members of all given objects, each once, in the order of the first. */
export function keysOf(...objects: readonly Members[]): string[] {
  return [...new Set(objects.flatMap((each) => Object.keys(each)))];
}

/** Returns an own member. `constructor` is a possible name of a member, and not one of every object. */
export function memberOf(members: Members, key: string): unknown {
  return Object.hasOwn(members, key) ? members[key] : undefined;
}

/** Members that identify an item of a list. */
const ID_MEMBERS = ['id', 'key'] as const;

/** Returns the items of a list by their ids; null if it is not a list, or an item has no id of its own. */
export function itemsById(list: unknown): Map<string, Members> | null {
  if (!Array.isArray(list)) return null;
  const items = new Map<string, Members>();
  for (const item of list) {
    const id = idOf(item);
    if (id === null || items.has(id)) return null;
    items.set(id, item);
  }
  return items;
}

function idOf(item: unknown): string | null {
  if (!isMembers(item)) return null;
  for (const name of ID_MEMBERS) {
    const id = memberOf(item, name);
    if (typeof id === 'string' || typeof id === 'number') return String(id);
  }
  return null;
}
