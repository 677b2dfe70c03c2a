/**
 * Statements compiled once for each scope and shape. Building one and adding the scope costs more than a small read
 * (measured in docs/decisions), and the statements of a resource differ only in their values.
 */
import { type Compilable, CompiledQuery, type QueryCreator, SelectQueryNode } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { isPlainRead } from '../db/plain-read.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyRow } from './resource.ts';

/**
 * Size of the statement cache of a process, in characters. A resource has about ten statements for each scope, and
 * its list one for every combination of filters. Thousands of tenants can have entities of their own.
 */
const MAX_CACHED_CHARS = 32 * 1024 * 1024;
/** Approximate size of a cache entry without its text. */
const ENTRY_OVERHEAD = 600;

/** Tables whose names and columns are known only at runtime. */
export interface AnyTables {
  [table: string]: Record<string, unknown>;
}

/** A query builder for such tables. */
export type AnyQuery = QueryCreator<AnyTables>;

/** A placeholder for the value at its index in the list of values. */
class Slot {
  readonly index: number;

  constructor(index: number) {
    this.index = index;
  }
}

/** Database access to the rows of a scope, or of all tenants. */
export type RowsDb = ScopedDb | EveryTenantDb;

const compiled = new LRUCache<string, CompiledQuery>({
  maxSize: MAX_CACHED_CHARS,
  sizeCalculation: ({ sql }, key) => sql.length + key.length + ENTRY_OVERHEAD,
});

/**
 * Runs the statement that `build` creates with a placeholder (slot) for each of `values`. `shape` identifies it within
 * `owner`, a resource or the model of an entity: statements of the same shape differ only in their values.
 */
export async function runCompiled<Row = AnyRow>(
  db: RowsDb,
  owner: object,
  shape: string,
  values: readonly unknown[],
  build: (query: AnyQuery, slots: readonly unknown[]) => Compilable,
): Promise<Row[]> {
  const key = `${numberOf(owner)} ${numberOf('scope' in db ? db.scope : db)} ${shape}`;
  let statement = compiled.get(key);
  if (!statement) {
    const slots = values.map((_value, index) => new Slot(index));
    const { query, sql, parameters } = build(db.query.withTables<AnyTables>(), slots).compile();
    // Drop the query tree, which is many times as large as its text, but keep the mark of read-only statements.
    const text = CompiledQuery.raw(sql, [...parameters]);
    statement = isPlainRead(query) ? { ...text, query: SelectQueryNode.create() } : text;
    compiled.set(key, statement);
  }
  const parameters = statement.parameters.map((each) => (each instanceof Slot ? values[each.index] : each));
  const { rows } = await db.query.executeQuery<Row>({ ...statement, parameters });
  return rows;
}

const numbers = new WeakMap<object, number>();
let lastNumber = 0;

/**
 * Returns a unique number for an object. After the object is garbage-collected, its cache entries are never found again
 * and are evicted eventually.
 */
function numberOf(object: object): number {
  const existing = numbers.get(object);
  if (existing !== undefined) return existing;
  lastNumber += 1;
  numbers.set(object, lastNumber);
  return lastNumber;
}
