/** Writes of records whose keys callers choose. Such a key may have belonged to a deleted record. */

import { writeAllOrNone } from './all-or-none.ts';
import { lastVersionsOf } from './history.ts';
import { keyOf, sortKeyOf } from './keys.ts';
import type { Resource } from './resource.ts';
import { type Change, type Writer, writeRows } from './statements.ts';

/**
 * Replaces or creates records, all or none. New ones continue from the last versions of their keys in history.
 * @throws AppError like `writeAllOrNone`
 */
export async function putRows<Row extends object>(
  writer: Writer,
  resource: Resource,
  changes: readonly Change[],
): Promise<Row[]> {
  const [only, ...others] = changes;
  // The record usually exists: history is read only if it does not.
  if (only !== undefined && others.length === 0 && resource.entityType !== undefined) {
    const { initial: _initial, ...replacement } = only;
    const rows = await writeRows<Row>('update', writer, resource, [replacement]);
    if (rows.length > 0) return rows;
  }
  return writeAllOrNone<Row>('save', writer, resource, await withNextVersions(writer, resource, changes));
}

async function withNextVersions(
  { db }: Writer,
  resource: Resource,
  changes: readonly Change[],
): Promise<readonly Change[]> {
  const { entityType, key } = resource;
  if (entityType === undefined || changes.length === 0) return changes;
  const sortKeys = changes.map((change) => sortKeyOf(key, keyOf(resource, change.key)));
  const last = await lastVersionsOf(db, entityType, sortKeys);
  return changes.map((change, index) => ({
    ...change,
    initial: { ...change.initial, version: (last.get(sortKeys[index] ?? '') ?? 0) + 1 },
  }));
}
