import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { runCompiled } from './compiled.ts';
import type { Resource } from './resource.ts';

/** The row of a key, locked until the transaction ends if asked for; null when the scope reaches none. */
export async function findRow<Row>(
  db: ScopedDb,
  resource: Resource,
  key: readonly string[],
  isLocked: boolean,
): Promise<Row | null> {
  if (!resource.key.isKey(key)) return null;
  const [row] = await runCompiled<Row>(db, resource, isLocked ? 'lock' : 'find', key, (query, slots) => {
    const all = query.selectFrom(resource.table).select([...resource.columns]);
    const one = resource.key.columns.reduce(
      (some, column, place) => some.where(column, '=', slots[place]),
      all,
    );
    return isLocked ? one.forUpdate() : one;
  });
  return row ?? null;
}
