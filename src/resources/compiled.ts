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

/** Shapes kept for one scope: a resource has about ten, and lists one for every choice of filters. */
const KEPT_SHAPES = 100;

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

const compiled = new WeakMap<object, WeakMap<object, LRUCache<string, CompiledQuery>>>();

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
  const shapes = shapesOf(owner, 'scope' in db ? db.scope : db);
  let statement = shapes.get(shape);
  if (!statement) {
    const slots = values.map((_value, place) => new Slot(place));
    const { query, sql, parameters } = build(db.query.withTables<AnyTables>(), slots).compile();
    // Without the tree that it was made from, which is many times as large as its text; but what only reads still says so.
    const text = CompiledQuery.raw(sql, [...parameters]);
    statement = isPlainRead(query) ? { ...text, query: SelectQueryNode.create() } : text;
    shapes.set(shape, statement);
  }
  const parameters = statement.parameters.map((each) => (each instanceof Slot ? values[each.place] : each));
  const { rows } = await db.query.executeQuery<Row>({ ...statement, parameters });
  return rows;
}

function shapesOf(owner: object, scope: object): LRUCache<string, CompiledQuery> {
  const scopes = compiled.get(owner) ?? new WeakMap<object, LRUCache<string, CompiledQuery>>();
  compiled.set(owner, scopes);
  const shapes = scopes.get(scope) ?? new LRUCache<string, CompiledQuery>({ max: KEPT_SHAPES });
  scopes.set(scope, shapes);
  return shapes;
}
