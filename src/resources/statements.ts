/**
 * Statements of a resource for records by key. A write is one statement, for one record or a thousand: a single
 * record's values are parameters, several records are one JSON value, and history versions are made from the written
 * rows.
 */
import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isSqlState, UNIQUE_VIOLATION } from '../db/sqlstate.ts';
import { AppError } from '../errors/app-error.ts';
import { type Actor, toActorRecord } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { tenantRowOf } from '../tenancy/tenant-row.ts';
import type { Columns } from './body.ts';
import { type AnyQuery, type AnyTables, type RowsDb, runCompiled } from './compiled-statements.ts';
import { COLUMN_KINDS } from './fields.ts';
import { chooseSlot, withTotals } from './record-totals.ts';
import type { Resource } from './resource.ts';
import { readColumns } from './view.ts';
import type { WriteKind } from './write-kind.ts';

/** The author, time and access of a write. */
export interface Writer {
  readonly actor: Actor;
  readonly db: ScopedDb;
  readonly now: Date;
}

/** A change of one record. All changes of one statement set the same columns. */
export interface Change {
  /** Columns of a new record. */
  readonly initial?: Columns;
  readonly columns: Columns;
  /** The key's columns. */
  readonly key: Columns;
  /** Values that the stored record must have; otherwise the change is skipped. */
  readonly expected?: Columns;
}

/** The parts of a change; if several parts set a column, the later one wins. */
const PARTS = ['initial', 'columns', 'key', 'expected'] as const;

/** A column that a statement receives, named by its part and index: `key0`. */
interface InputColumn {
  readonly part: (typeof PARTS)[number];
  readonly column: string;
  readonly name: string;
}

/** A statement under construction: its columns and the slots of their values. */
interface Statement {
  readonly resource: Resource;
  readonly tenantId: string;
  readonly inputs: readonly InputColumn[];
  /** The values of a single record by column; null: the rows of `input` have them. */
  readonly one: ReadonlyMap<InputColumn, unknown> | null;
  readonly moment: unknown;
  readonly actor: unknown;
}

/**
 * Writes records in one statement, with their next versions in history (for deletes, the last ones). Returns the
 * written rows. Skips records that the scope may not write or that are not as expected.
 * @throws AppError of the resource's `duplicates` for a duplicate unique value.
 */
export async function writeRows<Row>(
  write: WriteKind,
  { actor, db, now }: Writer,
  resource: Resource,
  changes: readonly Change[],
): Promise<Row[]> {
  const [first] = changes;
  if (!first) return [];
  const inputs = inputColumns(first);
  const isOne = changes.length === 1;
  const shape = JSON.stringify([write, isOne, inputs.map(({ name, column }) => [name, column])]);
  const sent = isOne ? inputs.map((each) => toParameter(resource, each, first)) : [pack(inputs, changes)];
  const values = [now, JSON.stringify(toActorRecord(actor)), ...sent, ...chooseSlot(write, resource)];
  try {
    return await runCompiled<Row>(db, resource, shape, values, (query, [moment, actor, ...slots]) => {
      const one = isOne ? new Map(inputs.map((each, index) => [each, slots[index]])) : null;
      const statement = { resource, tenantId: db.tenantId, inputs, one, moment, actor };
      const input = isOne ? query : query.with('input', (q) => inputRows(q, statement, slots[0]));
      const written = withComputed(resource, (into) => WRITE_STEPS[write](input, statement, into));
      const recorded = withHistory(written, statement, write === 'delete');
      return withTotals(recorded, write, resource, slots[sent.length]).selectFrom('written').selectAll();
    });
  } catch (error) {
    const [, duplicate] =
      Object.entries(resource.duplicates ?? {}).find(([name]) => isSqlState(error, UNIQUE_VIOLATION, name)) ??
      [];
    if (duplicate === undefined) throw error;
    throw typeof duplicate === 'function' ? duplicate() : new AppError(duplicate, { cause: error });
  }
}

/** Returns the row of a key, optionally locked until the transaction ends; null if the scope does not reach it. */
export async function findRow<Row>(
  db: RowsDb,
  resource: Resource,
  key: readonly string[],
  isLocked: boolean,
): Promise<Row | null> {
  if (!resource.key.isKey(key)) return null;
  const [row] = await runCompiled<Row>(db, resource, isLocked ? 'lock' : 'find', key, (query, slots) => {
    const all = query
      .selectFrom(resource.table)
      .select(readColumns(resource, resource.columns, resource.table));
    const one = resource.key.columns.reduce(
      (some, column, index) => some.where(column, '=', slots[index]),
      all,
    );
    return isLocked ? one.forUpdate() : one;
  });
  return row ?? null;
}

/** Builds the part `into` of a statement from the part `input`, for each kind of write. */
const WRITE_STEPS: Readonly<
  Record<WriteKind, (query: AnyQuery, statement: Statement, into: string) => AnyQuery>
> = {
  insert: (query, statement, into) => query.with(into, (q) => insert(q, statement)),
  add: (query, statement, into) =>
    query.with(into, (q) => insert(q, statement).onConflict((c) => c.doNothing())),
  update: (query, statement, into) => query.with(into, (q) => update(q, statement)),
  save: (query, statement, into) =>
    query
      .with('changed', (q) => update(q, statement))
      // Skips rows that exist and were not changed (out of reach, or not as expected), and duplicates of any unique
      // value: which of two conflicts PostgreSQL reports first is not defined.
      .with('made', (q) => insert(q, statement).onConflict((c) => c.doNothing()))
      .with(into, (q) => q.selectFrom('changed').selectAll().unionAll(q.selectFrom('made').selectAll())),
  delete: (query, statement, into) =>
    query.with(into, (q) => {
      const all = q.deleteFrom(`${statement.resource.table} as target`);
      return (statement.one ? all : all.using('input'))
        .where(matching(statement))
        .returning(storedColumns(statement.resource, 'target'));
    }),
};

/**
 * Adds `written`, with computed columns: a node of a cluster writes rows of one table and cannot read others in the
 * same step.
 */
export function withComputed(resource: Resource, write: (into: string) => AnyQuery): AnyQuery {
  if (resource.computed.size === 0) return write('written');
  const columns = readColumns(resource, resource.columns, 'stored');
  return write('stored').with('written', (q) => q.selectFrom('stored').select(columns));
}

function insert(query: AnyQuery, statement: Statement) {
  const { resource, tenantId, inputs } = statement;
  // For a tenant's own key, the tenant is the key.
  const stored = inputs.filter(({ part, column }) => part !== 'expected' && column !== 'tenant_id');
  const named = new Map(stored.map((each) => [each.column, each]));
  const values = [...named].map(([column, each]) => [column, valueFor(statement, each)] as const);
  // An insert names the table without its schema.
  const name = resource.table.replace(/^.*\./, '');
  const into = query.insertInto(resource.table).returning(storedColumns(resource, name));
  if (statement.one) return into.values({ tenant_id: tenantId, ...Object.fromEntries(values) });
  return into.columns(['tenant_id', ...named.keys()]).expression((eb) =>
    eb
      .selectFrom('input')
      .crossJoin(tenantRowOf)
      .select(['tenant_row.tenant_id', ...values.map(([column, value]) => value.as(column))]),
  );
}

function update(query: AnyQuery, statement: Statement) {
  const { resource, inputs, moment } = statement;
  const set = inputs.flatMap((each) =>
    each.part === 'columns' ? [[each.column, valueFor(statement, each)] as const] : [],
  );
  const all = query.updateTable(`${resource.table} as target`);
  return (statement.one ? all : all.from('input'))
    .set({
      ...Object.fromEntries(set),
      ...(resource.isVersioned ? { version: sql`target.version + 1` } : {}),
      ...(resource.kinds.has('updated_at') ? { updated_at: sql`${moment}::timestamptz` } : {}),
    })
    .where(matching(statement))
    .returning(storedColumns(statement.resource, 'target'));
}

/** The columns that a statement returns of written rows: all but computed ones. */
export function storedColumns({ columns, computed }: Resource, table: string) {
  return columns
    .filter((column) => !computed.has(column))
    .map((column) => sql.ref(`${table}.${column}`).as(column));
}

/** True if the target has the key and the expected values, compared as text, because JSON has no equality. */
function matching(statement: Statement): Expression<SqlBool> {
  const equal = statement.inputs.flatMap((each) => {
    const [stored, wanted] = [sql.ref(`target.${each.column}`), valueFor(statement, each)];
    if (each.part === 'key') return [sql`${stored} = ${wanted}`, ...keyInInput(statement, each, stored)];
    return each.part === 'expected' ? [sql`${stored}::text is not distinct from ${wanted}`] : [];
  });
  return equal.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(equal, sql` and `)}`;
}

/**
 * For several records: requires the key to be one of the keys in `input`, which the planner can look up in an index.
 * With only the join, the planner does not know the number of records, and may compare each with all of the tenant's.
 */
function keyInInput(
  { one }: Statement,
  { name }: InputColumn,
  stored: RawBuilder<unknown>,
): RawBuilder<unknown>[] {
  if (one) return [];
  const keys = expressionBuilder<AnyTables, never>().selectFrom('input').select(`input.${name}`);
  return [sql`${stored} = any(array(${keys}))`];
}

/** The input columns of a change. */
function inputColumns(change: Change): InputColumn[] {
  return PARTS.flatMap((part) =>
    Object.keys(change[part] ?? {}).map((column, index) => ({ part, column, name: `${part}${index}` })),
  );
}

/** The SQL of an input column's value. */
function valueFor({ resource, one }: Statement, input: InputColumn): RawBuilder<unknown> {
  return one ? sql`${one.get(input)}::${typeOf(resource, input)}` : sql.ref(`input.${input.name}`);
}

/** The SQL type of an input column. Expected values are compared as text: a unit may be text that is not an id. */
function typeOf({ kinds }: Resource, { part, column }: InputColumn): RawBuilder<unknown> {
  return sql.raw(part === 'expected' ? 'text' : COLUMN_KINDS[kinds.get(column) ?? 'text'].type);
}

/** A column's value as a parameter. */
function toParameter({ kinds }: Resource, { part, column }: InputColumn, change: Change): unknown {
  const value = toJson(change[part]?.[column]);
  const isJson = kinds.get(column) === 'json' || (part === 'expected' && typeof value !== 'string');
  return isJson && value !== null ? JSON.stringify(value) : value;
}

/** Converts the changes to a single JSON parameter. */
function pack(inputs: readonly InputColumn[], changes: readonly Change[]): string {
  const rows = changes.map((change) =>
    Object.fromEntries(inputs.map(({ name, part, column }) => [name, toJson(change[part]?.[column])])),
  );
  return JSON.stringify(rows);
}

/** Selects the rows of a parameter that `pack` built. */
function inputRows(query: AnyQuery, { resource, inputs }: Statement, json: unknown) {
  const columns = inputs.map((each) => sql`${sql.id(each.name)} ${typeOf(resource, each)}`);
  return query
    .selectFrom((eb) =>
      eb.fn<Columns>('json_to_recordset', [sql`${json}::json`]).as<'given'>(sql`given(${sql.join(columns)})`),
    )
    .selectAll();
}

/** Converts a value for JSON: bytes to PostgreSQL's text form, undefined to null. */
function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : (value ?? null);
}

/** Records the versions in `written`, as their GET shows them; some kinds of records have no history. */
export function withHistory(
  query: AnyQuery,
  { resource, moment, actor }: Pick<Statement, 'resource' | 'moment' | 'actor'>,
  isDeletion: boolean,
): AnyQuery {
  const { entityType } = resource;
  if (entityType === undefined) return query;
  const recorded: Record<string, RawBuilder<unknown>> = {
    tenant_id: sql.ref('tenant_row.tenant_id'),
    entity_type: sql`${sql.lit(entityType)}`,
    sort_key: sortKey(resource),
    version: sql.ref('written.version'),
    deleted: sql`${sql.lit(isDeletion)}::boolean`,
    owner_bu_id: ownerInHistory(resource),
    recorded_at: sql`${moment}::timestamptz`,
    data: sql`${resource.sqlView('written')}`,
    actor: sql`${actor}::json`,
  };
  const values = Object.entries(recorded).map(([column, value]) => value.as(column));
  return query.with('recorded', (q) =>
    q
      .insertInto('record_history')
      .columns(Object.keys(recorded))
      .expression((eb) => eb.selectFrom('written').crossJoin(tenantRowOf).select(values)),
  );
}

/** `<project_id>#<id>` for records inside a project. */
function sortKey({ key }: Resource): RawBuilder<unknown> {
  const parts = key.columns.map((column) => sql`${sql.ref(`written.${column}`)}::text`);
  const suffix = key.suffix === undefined ? [] : [sql`${sql.lit(key.suffix)}::text`];
  return sql`${sql.join([...parts, ...suffix], sql` || '#' || `)}`;
}

/** Returns SQL of the owning unit in history: null for shared records, and if the tenant owns the records. */
function ownerInHistory({ kinds, historyOwner = 'owner_bu_id' }: Resource): RawBuilder<unknown> {
  if (!kinds.has(historyOwner)) return sql`null::uuid`;
  const owner = sql.ref(`written.${historyOwner}`);
  return kinds.has('shared') ? sql`case when written.shared then null else ${owner} end` : owner;
}
