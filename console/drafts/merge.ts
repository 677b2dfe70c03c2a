/** Three-way merge of two people's changes to one value. */
import { isEqual, isMembers, itemsById, keysOf, type Members, memberOf } from './json.ts';

/** Path of a part of a value: names of members, and ids of items in lists. */
export type Path = readonly string[];

/** The side whose change of a part is taken. */
export type Side = 'mine' | 'theirs';

/** A part that both sides have changed, each in its own way. Undefined: that side does not have it. */
export interface Conflict {
  readonly path: Path;
  readonly base: unknown;
  readonly mine: unknown;
  readonly theirs: unknown;
}

/** Chooses the side that wins a conflict. */
export type Choose = (conflict: Conflict) => Side;

/** The result of a merge. */
export interface Merge<Value> {
  readonly value: Value;
  /** The parts that {@link Choose} decided about. */
  readonly conflicts: readonly Conflict[];
}

/** Members that determine the meaning of the others. Objects that differ in one are not merged by member. */
const KIND_MEMBERS = ['type', 'kind'] as const;

/**
 * Merges the changes that `mine` and `theirs` made to `base`. Objects are merged by member, and lists by item if all
 * items have an id. Other lists, and what only one side has, are changed as a whole.
 */
export function merge<Value>(base: Value, mine: Value, theirs: Value, choose?: Choose): Merge<Value>;
export function merge(
  base: unknown,
  mine: unknown,
  theirs: unknown,
  choose: Choose = () => 'mine',
): Merge<unknown> {
  const conflicts: Conflict[] = [];
  const decide: Decide = (conflict) => {
    conflicts.push(conflict);
    return choose(conflict) === 'mine' ? conflict.mine : conflict.theirs;
  };
  return { value: mergeAt({ path: [], base, mine, theirs }, decide), conflicts };
}

type Decide = (conflict: Conflict) => unknown;

function mergeAt(part: Conflict, decide: Decide): unknown {
  const { base, mine, theirs } = part;
  if (isEqual(mine, theirs) || isEqual(base, theirs)) return mine;
  if (isEqual(base, mine)) return theirs;
  if (isMembers(base) && isMembers(mine) && isMembers(theirs) && isSameKind(base, mine, theirs))
    return mergeMembers(part.path, [base, mine, theirs], decide);
  const lists = [base, mine, theirs].map(itemsById);
  return mergeLists(part.path, lists, decide) ?? decide(part);
}

function isSameKind(base: Members, ...others: readonly Members[]): boolean {
  return KIND_MEMBERS.every((name) =>
    others.every((other) => isEqual(memberOf(base, name), memberOf(other, name))),
  );
}

type Three<Part> = readonly [base: Part, mine: Part, theirs: Part];

function mergeMembers(path: Path, [base, mine, theirs]: Three<Members>, decide: Decide): Members {
  const merged: [string, unknown][] = [];
  for (const key of keysOf(mine, theirs)) {
    const part = { base: memberOf(base, key), mine: memberOf(mine, key), theirs: memberOf(theirs, key) };
    const value = mergeAt({ path: [...path, key], ...part }, decide);
    if (value !== undefined) merged.push([key, value]);
  }
  return Object.fromEntries(merged);
}

type Items = ReadonlyMap<string, Members>;

/** Merges lists by the ids of their items; null if they have none, or if both sides have moved the same items. */
function mergeLists(path: Path, lists: readonly (Items | null)[], decide: Decide): unknown[] | null {
  const [base, mine, theirs] = lists;
  if (!base || !mine || !theirs) return null;
  const order = mergeOrder([...base.keys()], [...mine.keys()], [...theirs.keys()]);
  if (order === null) return null;
  return order.flatMap((id) => {
    const part = { base: base.get(id), mine: mine.get(id), theirs: theirs.get(id) };
    const item = mergeAt({ path: [...path, id], ...part }, decide);
    return item === undefined ? [] : [item];
  });
}

/** Returns all ids in the order of the side that has moved items; null if both have, each in its own way. */
function mergeOrder(base: string[], mine: string[], theirs: string[]): string[] | null {
  const [inMine, inTheirs] = [new Set(mine), new Set(theirs)];
  const shared = new Set(base.filter((id) => inMine.has(id) && inTheirs.has(id)));
  const [before, here, there] = [base, mine, theirs].map((ids) => ids.filter((id) => shared.has(id)));
  if (isEqual(here, there) || isEqual(before, there)) return insertInto(mine, theirs);
  return isEqual(before, here) ? insertInto(theirs, mine) : null;
}

/** Inserts the ids that only the second list has, each behind the one that precedes it there. */
function insertInto(ids: readonly string[], others: readonly string[]): string[] {
  const merged = [...ids];
  for (const [index, id] of others.entries()) {
    if (merged.includes(id)) continue;
    const previous = others[index - 1];
    merged.splice(previous === undefined ? 0 : merged.indexOf(previous) + 1, 0, id);
  }
  return merged;
}
