/** Records are changed, each time by one statement, for one record as for all that a filter finds. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type AnyQuery, runCompiled } from '../../resources/compiled.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { type Narrowing, narrowed, narrowingShape, valuesOf } from './read-queries.ts';
import type { FieldValues } from './record-values.ts';
import { ROWS } from './shown-fields.ts';
import type { Arrival } from './workflow.ts';
import { type Author, type WrittenRecord, writtenIn } from './write-queries.ts';

/** A record that an update has written, also as it was before. */
export interface UpdatedRecord extends WrittenRecord {
  readonly former: string;
  /** Whether it is in another state of its workflow. */
  readonly hasMoved: boolean;
}

/** What changes in records, and where it may. */
export interface RecordChanges {
  readonly values: FieldValues;
  /** Only in records that may come to their new state. */
  readonly arrival: Arrival | null;
  /** Only in records of this unit. */
  readonly ownerId: string | null;
}

/** Changes the record of an id; null when the scope may not write it, or it is not where it must be. */
export async function updateRecord(
  db: ScopedDb,
  model: EntityModel,
  id: string,
  changes: RecordChanges,
  author: Author,
): Promise<WrittenRecord | null> {
  const [shape, sent] = changeOf(changes, author);
  const [row] = await runCompiled<WrittenRecord>(
    db,
    model,
    `update one ${shape}`,
    [...sent, id],
    (query, slots) =>
      changed(query, model, changes, slots)
        .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${slots.at(-1)}`)
        .returning(writtenIn(query, model, ROWS, true)),
  );
  return row ?? null;
}

/**
 * Changes the records of these ids and tells each also as it was, which it is until this transaction ends: it is locked first, when
 * others have changed it. Those that the scope may not write, or that are not where they must be, are left out.
 */
export async function updateTold(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  changes: RecordChanges,
  author: Author,
): Promise<readonly UpdatedRecord[]> {
  const [shape, sent] = changeOf(changes, author);
  const state = model.workflow && model.fields.get(model.workflow.field)?.column;
  const present = state ? sql.ref(`${ROWS}.${state}`) : sql`null::text`;
  return runCompiled<UpdatedRecord>(db, model, `update told ${shape}`, [...sent, ids], (query, slots) => {
    const told = query.with('former', (q) =>
      q
        .selectFrom(`${model.table} as ${ROWS}`)
        .select([...writtenIn(q, model, ROWS, true), present.as('state')])
        .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${slots.at(-1)}::uuid[])`)
        // In one order, so that two of them never wait for each other.
        .orderBy(`${ROWS}.id`)
        .forNoKeyUpdate(),
    );
    return changed(told, model, changes, slots)
      .from('former')
      .whereRef('former.id', '=', `${ROWS}.id`)
      .returning([
        ...writtenIn(query, model, ROWS, true),
        sql`former.json`.as('former'),
        sql`former.state is distinct from ${present}`.as('hasMoved'),
      ]);
  });
}

/** Changes all records that a narrowing leaves and that the scope may write; returns their ids. */
export async function updateRecords(
  db: ScopedDb,
  model: EntityModel,
  narrowing: Narrowing,
  changes: RecordChanges,
  author: Author,
): Promise<readonly string[]> {
  const [shape, sent] = changeOf(changes, author);
  const rows = await runCompiled<{ id: string }>(
    db,
    model,
    `update heard ${shape} ${narrowingShape(narrowing)}`,
    [...sent, ...valuesOf(narrowing)],
    (query, slots) =>
      narrowed(changed(query, model, changes, slots), narrowing, slots.slice(sent.length)).returning(
        `${ROWS}.id`,
      ),
  );
  return rows.map(({ id }) => id);
}

/** The same where nobody hears of it: how many records it were. */
export async function updateAndCount(
  db: ScopedDb,
  model: EntityModel,
  narrowing: Narrowing,
  changes: RecordChanges,
  author: Author,
): Promise<number> {
  const [shape, sent] = changeOf(changes, author);
  const [row] = await runCompiled<{ count: number }>(
    db,
    model,
    `update ${shape} ${narrowingShape(narrowing)}`,
    [...sent, ...valuesOf(narrowing)],
    (query, slots) =>
      query
        .with('written', () =>
          narrowed(changed(query, model, changes, slots), narrowing, slots.slice(sent.length)).returning(
            `${ROWS}.id`,
          ),
        )
        .selectFrom('written')
        .select(sql`count(*)`.as('count')),
  );
  return row?.count ?? 0;
}

function changed(query: AnyQuery, model: EntityModel, changes: RecordChanges, slots: readonly unknown[]) {
  const rest = [...slots];
  const fields = Object.fromEntries([...changes.values.keys()].map(({ column }) => [column, rest.shift()]));
  const update = query
    .updateTable(`${model.table} as ${ROWS}`)
    .set({ ...fields, updated_at: rest.shift(), updated_by: rest.shift() });
  const { arrival, ownerId } = changes;
  const arriving =
    arrival === null
      ? update
      : update.where(isIn(sql.ref(`${ROWS}.${arrival.column}`), arrival, rest.shift()));
  return ownerId === null
    ? arriving
    : arriving.where(sql<SqlBool>`${sql.ref(`${ROWS}.owner_bu_id`)}::text = ${rest.shift()}`);
}

/** Whether a record is in a state from which the way is open. */
function isIn(column: RawBuilder<unknown>, { from }: Arrival, states: unknown): RawBuilder<SqlBool> {
  const isOne = sql<SqlBool>`${column} = any(${states}::text[])`;
  return from.includes(null) ? sql<SqlBool>`(${isOne} or ${column} is null)` : isOne;
}

/** What changes of records differ in beside their values, and these, in the order in which `changed` takes them. */
function changeOf(
  { values, arrival, ownerId }: RecordChanges,
  { by, at }: Author,
): readonly [string, readonly unknown[]] {
  const names = [...values.keys()].map(({ name }) => name);
  const states = arrival === null ? [] : [arrival.from.filter((state) => state !== null)];
  const shape = JSON.stringify([names, arrival?.from.includes(null), ownerId !== null]);
  return [shape, [...values.values(), at, by, ...states, ...(ownerId === null ? [] : [ownerId])]];
}
