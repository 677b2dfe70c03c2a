/**
 * The statements of a resource for records by their keys. A write is one statement, for one record as for a thousand:
 * the records arrive as one JSON value, and the versions that history keeps are made from the rows that were written.
 */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import { isSqlState, UNIQUE_VIOLATION } from '../db/sqlstate.ts';
import { AppError } from '../errors/app-error.ts';
import { type Actor, toActorRecord } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { Columns } from './body.ts';
import { type AnyQuery, type RowsDb, runCompiled } from './compiled.ts';
import { COLUMN_KINDS } from './fields.ts';
import type { Resource } from './resource.ts';
import { readColumns } from './view.ts';

/** Who writes, when, and through which rows. */
export interface Writer {
  readonly actor: Actor;
  readonly db: ScopedDb;
  readonly now: Date;
}

/** What a statement does; `save` inserts what is not there, and updates the rest. */
export type Write = 'insert' | 'update' | 'save' | 'delete';

/** A change of one record. All changes of one statement name the same columns. */
export interface Change {
  /** What a record gets when there is none yet. */
  readonly initial?: Columns;
  readonly columns: Columns;
  /** The key's columns. */
  readonly key: Columns;
  /** What the stored record must have, or the change is left out. */
  readonly expected?: Columns;
}

/** In a column that several parts give, the later ones win. */
const PARTS = ['initial', 'columns', 'key', 'expected'] as const;

/** A column that a statement is given, under the name of its part and its place in that: `key0`. */
interface Given {
  readonly part: (typeof PARTS)[number];
  readonly column: string;
  readonly name: string;
}

/** A statement in the making: what it is given, and the slots of its values. */
interface Statement {
  readonly resource: Resource;
  readonly tenantId: string;
  readonly given: readonly Given[];
  readonly isOne: boolean;
  readonly json: unknown;
  readonly moment: unknown;
  readonly who: unknown;
}

/**
 * Writes records in one statement, with their next versions in history (the last ones, of what is deleted). Returns
 * those that were written, as they are stored: not a record that the scope may not write, or that is not as expected.
 * @throws AppError of the resource's `taken` when another record has what must be unique.
 */
export async function writeRows<Row>(
  write: Write,
  { actor, db, now }: Writer,
  resource: Resource,
  changes: readonly Change[],
): Promise<Row[]> {
  const [first] = changes;
  if (!first) return [];
  const given = givenBy(first);
  const isOne = changes.length === 1;
  const shape = JSON.stringify([write, isOne, given.map(({ name, column }) => [name, column])]);
  const values = [pack(given, changes), now, JSON.stringify(toActorRecord(actor))];
  try {
    return await runCompiled<Row>(db, resource, shape, values, (query, [json, moment, who]) => {
      const statement = { resource, tenantId: db.tenantId, given, isOne, json, moment, who };
      const input = query.with('input', (q) => inputRows(q, statement));
      const written = WRITTEN[write](input, statement);
      return withHistory(written, statement, write === 'delete')
        .selectFrom('written')
        .selectAll();
    });
  } catch (error) {
    const [, taken] =
      Object.entries(resource.taken ?? {}).find(([name]) => isSqlState(error, UNIQUE_VIOLATION, name)) ?? [];
    if (taken === undefined) throw error;
    throw typeof taken === 'function' ? taken() : new AppError(taken, { cause: error });
  }
}

/** The row of a key, locked until the transaction ends if asked for; null when the scope reaches none. */
export async function findRow<Row>(
  db: RowsDb,
  resource: Resource,
  key: readonly string[],
  isLocked: boolean,
): Promise<Row | null> {
  if (!resource.key.isKey(key)) return null;
  const [row] = await runCompiled<Row>(db, resource, isLocked ? 'lock' : 'find', key, (query, slots) => {
    const all = query.selectFrom(resource.table).select(storedColumns(resource));
    const one = resource.key.columns.reduce(
      (some, column, place) => some.where(column, '=', slots[place]),
      all,
    );
    return isLocked ? one.forUpdate() : one;
  });
  return row ?? null;
}

/** How each write makes `written` of `input`. */
const WRITTEN: Readonly<Record<Write, (query: AnyQuery, statement: Statement) => AnyQuery>> = {
  insert: (query, statement) =>
    query.with('written', (q) => insert(q, statement).returning(storedColumns(statement.resource))),
  update: (query, statement) => query.with('written', (q) => update(q, statement)),
  save: (query, statement) =>
    query
      .with('changed', (q) => update(q, statement))
      // What is there but was not changed meets the conflict: it is not the caller's, or not as expected.
      .with('made', (q) =>
        insert(q, statement)
          .onConflict((c) => c.columns(['tenant_id', ...statement.resource.key.columns]).doNothing())
          .returning(storedColumns(statement.resource)),
      )
      .with('written', (q) => q.selectFrom('changed').selectAll().unionAll(q.selectFrom('made').selectAll())),
  delete: (query, statement) =>
    query.with('written', (q) =>
      q
        .deleteFrom(`${statement.resource.table} as target`)
        .using('input')
        .where(matching(statement))
        .returning(storedColumns(statement.resource, 'target')),
    ),
};

function insert(query: AnyQuery, { resource, tenantId, given }: Statement) {
  // A tenant's own key is the tenant.
  const stored = given.filter(({ part, column }) => part !== 'expected' && column !== 'tenant_id');
  const names = new Map(stored.map(({ column, name }) => [column, name]));
  const values = [...names.values()].map((name) => sql.ref(name).as(name));
  return query
    .insertInto(resource.table)
    .columns(['tenant_id', ...names.keys()])
    .expression((eb) => eb.selectFrom('input').select([sql`${tenantId}::uuid`.as('tenant_id'), ...values]));
}

function update(query: AnyQuery, statement: Statement) {
  const { resource, given, moment } = statement;
  const set = given.flatMap(({ part, column, name }) =>
    part === 'columns' ? [[column, sql.ref(`input.${name}`)] as const] : [],
  );
  return query
    .updateTable(`${resource.table} as target`)
    .from('input')
    .set({
      ...Object.fromEntries(set),
      ...(resource.isVersioned ? { version: sql`target.version + 1` } : {}),
      ...(resource.kinds.has('updated_at') ? { updated_at: sql`${moment}::timestamptz` } : {}),
    })
    .where(matching(statement))
    .returning(storedColumns(statement.resource, 'target'));
}

function storedColumns(resource: Resource, table = resource.table) {
  return readColumns(resource, resource.columns, table);
}

/** Whether the target has the key and what is expected, compared as text: JSON has no equality of its own. */
function matching({ given }: Statement): Expression<SqlBool> {
  const equal = given.flatMap(({ part, column, name }) => {
    const [stored, wanted] = [sql.ref(`target.${column}`), sql.ref(`input.${name}`)];
    if (part === 'key') return [sql`${stored} = ${wanted}`];
    return part === 'expected' ? [sql`${stored}::text is not distinct from ${wanted}`] : [];
  });
  return equal.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(equal, sql` and `)}`;
}

/** The columns that a change gives. */
function givenBy(change: Change): Given[] {
  return PARTS.flatMap((part) =>
    Object.keys(change[part] ?? {}).map((column, place) => ({ part, column, name: `${part}${place}` })),
  );
}

/** Changes as the one value of a statement. */
function pack(given: readonly Given[], changes: readonly Change[]): string {
  const rows = changes.map((change) =>
    Object.fromEntries(given.map(({ name, part, column }) => [name, toJson(change[part]?.[column])])),
  );
  return JSON.stringify(rows.length === 1 ? rows[0] : rows);
}

/** The rows of that value. Of one record PostgreSQL knows that it is one, and looks its key up by the index. */
function inputRows(query: AnyQuery, { resource, given, isOne, json }: Statement) {
  // What is expected is compared as text: a unit may be named by something that is no id.
  const typeOf = ({ part, column }: Given) =>
    part === 'expected' ? 'text' : COLUMN_KINDS[resource.kinds.get(column) ?? 'text'].type;
  const columns = given.map((each) => sql`${sql.id(each.name)} ${sql.raw(typeOf(each))}`);
  return query
    .selectFrom((eb) =>
      eb
        .fn<Columns>(isOne ? 'json_to_record' : 'json_to_recordset', [sql`${json}::json`])
        .as<'given'>(sql`given(${sql.join(columns)})`),
    )
    .selectAll();
}

/** Octets as PostgreSQL reads them of a text. */
function toJson(value: unknown): unknown {
  return value instanceof Uint8Array ? `\\x${Buffer.from(value).toString('hex')}` : (value ?? null);
}

/** Notes the versions that `written` holds, as their GET shows them; records of some kinds leave none. */
function withHistory(
  query: AnyQuery,
  { resource, tenantId, moment, who }: Statement,
  isDeletion: boolean,
): AnyQuery {
  const { entityType } = resource;
  if (entityType === undefined) return query;
  const noted: Record<string, RawBuilder<unknown>> = {
    tenant_id: sql`${tenantId}::uuid`,
    entity_type: sql`${sql.lit(entityType)}`,
    sort_key: sortKey(resource),
    version: sql.ref('written.version'),
    deleted: sql`${sql.lit(isDeletion)}::boolean`,
    owner_bu_id: ownerInHistory(resource),
    recorded_at: sql`${moment}::timestamptz`,
    data: sql`${resource.sqlView('written')}`,
    actor: sql`${who}::json`,
  };
  const values = Object.entries(noted).map(([column, value]) => value.as(column));
  return query.with('noted', (q) =>
    q
      .insertInto('record_history')
      .columns(Object.keys(noted))
      .expression((eb) => eb.selectFrom('written').select(values)),
  );
}

/** `<project_id>#<id>` of what lives in a project. */
function sortKey({ key }: Resource): RawBuilder<unknown> {
  const parts = key.columns.map((column) => sql`${sql.ref(`written.${column}`)}::text`);
  const suffix = key.suffix === undefined ? [] : [sql`${sql.lit(key.suffix)}::text`];
  return sql`${sql.join([...parts, ...suffix], sql` || '#' || `)}`;
}

/** What the tenant shares among its units belongs to none of them. */
function ownerInHistory({ kinds, historyOwner = 'owner_bu_id' }: Resource): RawBuilder<unknown> {
  if (!kinds.has(historyOwner)) return sql`null::uuid`;
  const owner = sql.ref(`written.${historyOwner}`);
  return kinds.has('shared') ? sql`case when written.shared then null else ${owner} end` : owner;
}
