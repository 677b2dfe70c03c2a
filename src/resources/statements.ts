/**
 * The writes of a resource. Each is one statement, for one record as for a thousand: the records arrive as one JSON
 * value, and the versions that history keeps are made from the rows that were written.
 */
import { type Compilable, type Expression, type SqlBool, sql } from 'kysely';
import { isSqlState, UNIQUE_VIOLATION } from '../db/sqlstate.ts';
import { AppError } from '../errors/app-error.ts';
import { type Actor, toActorRecord } from '../tenancy/actor.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import type { Columns } from './body.ts';
import { type AnyQuery, runCompiled } from './compiled.ts';
import type { AnyRow, Resource } from './resource.ts';
import { answer, type Noting } from './statement-history.ts';
import { Input, type Parts } from './statement-input.ts';

/** Who writes, when, and through which rows. */
export interface Writer {
  readonly actor: Actor;
  readonly db: ScopedDb;
  readonly now: Date;
}

/** A change of one record. All changes of one call name the same columns. */
export interface Change {
  /** One value for each of the key's columns. */
  readonly key: readonly string[];
  readonly columns: Columns;
  /** What the stored record must have, or the change is left out. */
  readonly expected?: Columns;
  /** What the record gets besides when there is none yet; only `saveRows` makes it. */
  readonly initial?: Columns;
}

/** Inserts records, which all have the same columns; returns them as they are stored. */
export async function insertRows<Row = AnyRow>(
  writer: Writer,
  resource: Resource,
  records: readonly Columns[],
): Promise<Row[]> {
  const [first] = records;
  if (!first) return [];
  const input = new Input(resource, records.length, { r: Object.keys(first) });
  return write<Row>(
    writer,
    resource,
    `insert ${input.shape}`,
    input.pack(records.map((record) => ({ r: record }))),
    (query, json, noting) => {
      const written = query
        .with('input', (q) => input.rows(q, json))
        .with('written', (q) =>
          insertInto(q, writer.db, resource, input, ['r']).returning([...resource.columns]),
        );
      return answer(written, writer.db, resource, noting, false);
    },
  );
}

/** Writes the next versions of records that the scope may write; returns those that were, as they are stored. */
export async function updateRows<Row = AnyRow>(
  writer: Writer,
  resource: Resource,
  changes: readonly Change[],
): Promise<Row[]> {
  const [first] = changes;
  if (!first) return [];
  const input = inputOf(resource, changes.length, first);
  return write<Row>(
    writer,
    resource,
    `update ${input.shape}`,
    input.pack(changes.map((change) => packed(resource, change))),
    (query, json, noting) => {
      const written = query
        .with('input', (q) => input.rows(q, json))
        .with('written', (q) => update(q, resource, input, noting.moment));
      return answer(written, writer.db, resource, noting, false);
    },
  );
}

/**
 * Writes the next versions of records, and makes those that are not there. Returns what was written: not a record that
 * the scope may not write, or that did not meet what was expected.
 */
export async function saveRows<Row = AnyRow>(
  writer: Writer,
  resource: Resource,
  changes: readonly Change[],
): Promise<Row[]> {
  const [first] = changes;
  if (!first) return [];
  const input = inputOf(resource, changes.length, first);
  return write<Row>(
    writer,
    resource,
    `save ${input.shape}`,
    input.pack(changes.map((change) => packed(resource, change))),
    (query, json, noting) => {
      const written = query
        .with('input', (q) => input.rows(q, json))
        .with('changed', (q) => update(q, resource, input, noting.moment))
        // What is there but was not changed meets the conflict: it is not the caller's, or not as expected.
        .with('made', (q) =>
          insertInto(q, writer.db, resource, input, ['k', 'v', 'i'])
            .onConflict((conflict) => conflict.columns(['tenant_id', ...resource.key.columns]).doNothing())
            .returning([...resource.columns]),
        )
        .with('written', (q) =>
          q.selectFrom('changed').selectAll().unionAll(q.selectFrom('made').selectAll()),
        );
      return answer(written, writer.db, resource, noting, false);
    },
  );
}

/** Deletes records that the scope may delete; returns them. Their history stays. */
export async function deleteRows<Row = AnyRow>(
  writer: Writer,
  resource: Resource,
  keys: readonly (readonly string[])[],
): Promise<Row[]> {
  if (keys.length === 0) return [];
  const input = new Input(resource, keys.length, { k: resource.key.columns });
  return write<Row>(
    writer,
    resource,
    `delete ${input.shape}`,
    input.pack(keys.map((key) => ({ k: keyColumns(resource, key) }))),
    (query, json, noting) => {
      const written = query
        .with('input', (q) => input.rows(q, json))
        .with('written', (q) =>
          q
            .deleteFrom(`${resource.table} as target`)
            .using('input')
            .where(matching(input, 'k'))
            .returning(qualified(resource)),
        );
      return answer(written, writer.db, resource, noting, true);
    },
  );
}

/** @throws AppError of the resource's `taken` when another record has what must be unique. */
async function write<Row>(
  { actor, db, now }: Writer,
  resource: Resource,
  shape: string,
  input: string,
  build: (query: AnyQuery, json: unknown, noting: Noting) => Compilable,
): Promise<Row[]> {
  const values = [input, now, JSON.stringify(toActorRecord(actor))];
  try {
    return await runCompiled<Row>(db, resource, shape, values, (query, [json, moment, who]) =>
      build(query, json, { moment, who }),
    );
  } catch (error) {
    const [, taken] =
      Object.entries(resource.taken ?? {}).find(([name]) => isSqlState(error, UNIQUE_VIOLATION, name)) ?? [];
    throw taken ? new AppError(taken, { cause: error }) : error;
  }
}

function inputOf(resource: Resource, count: number, { columns, expected, initial }: Change): Input {
  return new Input(resource, count, {
    k: resource.key.columns,
    v: Object.keys(columns),
    e: Object.keys(expected ?? {}),
    i: Object.keys(initial ?? {}),
  });
}

function packed(resource: Resource, { key, columns, expected = {}, initial = {} }: Change): Parts {
  return { k: keyColumns(resource, key), v: columns, e: expected, i: initial };
}

function keyColumns({ key }: Resource, parts: readonly string[]): Columns {
  return Object.fromEntries(key.columns.map((column, place) => [column, parts[place]]));
}

function qualified({ columns }: Resource) {
  return columns.map((column) => sql.ref(`target.${column}`).as(column));
}

function insertInto(
  query: AnyQuery,
  db: ScopedDb,
  resource: Resource,
  input: Input,
  parts: readonly string[],
) {
  const columns = parts.flatMap((part) => input.columns(part));
  const values = columns.map(({ name }) => sql.ref(name).as(name));
  return query
    .insertInto(resource.table)
    .columns(['tenant_id', ...columns.map(({ column }) => column)])
    .expression((eb) =>
      eb.selectFrom('input').select([sql`${db.tenantId}::uuid`.as('tenant_id'), ...values]),
    );
}

function update(query: AnyQuery, resource: Resource, input: Input, moment: unknown) {
  const set = Object.fromEntries(
    input.columns('v').map(({ name, column }) => [column, sql.ref(`input.${name}`)]),
  );
  return query
    .updateTable(`${resource.table} as target`)
    .from('input')
    .set({
      ...set,
      ...(resource.isVersioned ? { version: sql`target.version + 1` } : {}),
      ...(resource.kinds.has('updated_at') ? { updated_at: sql`${moment}::timestamptz` } : {}),
    })
    .where(matching(input, 'k'))
    .where(matching(input, 'e'))
    .returning(qualified(resource));
}

/** Whether the target has the values of a part. JSON has no equality of its own. */
function matching(input: Input, part: 'k' | 'e'): Expression<SqlBool> {
  const equal = input.columns(part).map(({ name, column }) => {
    const [stored, given] = [sql.ref(`target.${column}`), sql.ref(`input.${name}`)];
    return part === 'k'
      ? sql<SqlBool>`${stored} = ${given}`
      : sql<SqlBool>`${stored}::text is not distinct from ${given}`;
  });
  return equal.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(equal, sql` and `)}`;
}
