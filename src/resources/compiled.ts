/**
 * Statements compiled once for each scope and shape. Building one and adding the scope to it costs more than a small
 * read takes (measured in docs/decisions), and the statements of a resource differ in their values only.
 */
import { type Compilable, CompiledQuery, type QueryCreator, SelectQueryNode } from 'kysely';
import { LRUCache } from 'lru-cache';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { isPlainRead } from '../db/plain-read.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { AnyRow } from './resource.ts';

/**
 * How much of statements is kept in a process, in characters: a resource has about ten for each scope, lists one for every choice
 * of filters, and thousands of tenants have entities of their own.
 */
const KEPT_CHARS = 32 * 1024 * 1024;
/** What keeping one takes beside its text, about. */
const OVERHEAD = 600;

/** Any tables. */
export interface AnyTables {
  [table: string]: Record<string, unknown>;
}

/** The scoped builder, for tables known only by their resource. */
export type AnyQuery = QueryCreator<AnyTables>;

/** Stands in a statement for the value at its place in the list of values. */
class Slot {
  readonly place: number;

  constructor(place: number) {
    this.place = place;
  }
}

/** The rows that a statement reaches: those of a scope, or of all tenants. */
export type RowsDb = ScopedDb | EveryTenantDb;

const compiled = new LRUCache<string, CompiledQuery>({
  maxSize: KEPT_CHARS,
  sizeCalculation: ({ sql }, key) => sql.length + key.length + OVERHEAD,
});

/**
 * Runs the statement that `build` makes of slots, one for each of `values`. `shape` tells it from every other one of
 * `owner`, a resource or the model of an entity: two statements of one shape differ in nothing but their values.
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
    const slots = values.map((_value, place) => new Slot(place));
    const { query, sql, parameters } = build(db.query.withTables<AnyTables>(), slots).compile();
    // Without the tree that it was made from, which is many times as large as its text; but what only reads still says so.
    const text = CompiledQuery.raw(sql, [...parameters]);
    statement = isPlainRead(query) ? { ...text, query: SelectQueryNode.create() } : text;
    compiled.set(key, statement);
  }
  const parameters = statement.parameters.map((each) => (each instanceof Slot ? values[each.place] : each));
  const { rows } = await db.query.executeQuery<Row>({ ...statement, parameters });
  return rows;
}

const numbers = new WeakMap<object, number>();
let last = 0;

/** Tells an object from every other one, also when it is gone: what was kept for it is never found then, and pushed out in time. */
function numberOf(object: object): number {
  const known = numbers.get(object);
  if (known !== undefined) return known;
  last += 1;
  numbers.set(object, last);
  return last;
}
