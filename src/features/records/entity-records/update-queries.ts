/** Records are changed, each time by one statement, for one record as for all that a filter finds. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type AnyQuery, runCompiled } from '../../../resources/compiled.ts';
import {
  type FollowUp,
  followUpCalls,
  followUpShape,
  followUpValues,
  tellFollowUps,
} from '../../../resources/follow-up.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { type Narrowing, narrowed, narrowingShape, valuesOf } from './read-queries.ts';
import type { FieldValues } from './record-values.ts';
import { ROWS } from './shown-fields.ts';
import type { Arrival } from './workflow.ts';
import {
  type Author,
  fieldColumns,
  type WrittenRecord,
  type WrittenRow,
  writtenIn,
} from './write-queries.ts';

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

/**
 * Changes the record of an id, and does what follows from it; null when the scope may not write it, or it is not where it must be.
 */
export async function updateRecord(
  db: ScopedDb,
  model: EntityModel,
  id: string,
  changes: RecordChanges,
  author: Author,
  followUps: readonly FollowUp[] = [],
): Promise<WrittenRecord | null> {
  const [fields, own] = changeOf(changes, author);
  const shape = `update one ${fields}${followUpShape(followUps)}`;
  const sent = [id, ...own, ...followUpValues(followUps)];
  const [row] = await runCompiled<WrittenRow>(db, model, shape, sent, (query, [key, ...slots]) => {
    const written = (q: AnyQuery) =>
      changed(q, model, changes, slots)
        .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${key}`)
        .returning(writtenIn(query, model, ROWS, true));
    if (followUps.length === 0) return written(query);
    const record = { json: sql.ref('written.json'), former: sql`null` };
    return query
      .with('written', written)
      .selectFrom('written')
      .select(['written.id', 'written.json', ...followUpCalls(followUps, record, slots)]);
  });
  if (row) tellFollowUps(db, followUps, row);
  return row ?? null;
}

/**
 * Changes the records of these ids and tells each also as it was, which it is until this transaction ends: it is locked first, when
 * others have changed it. Those that the scope may not write, or that are not where they must be, are left out. `followUps` are of one
 * record, where there is one id.
 */
export async function updateTold(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  changes: RecordChanges,
  author: Author,
  followUps: readonly FollowUp[] = [],
): Promise<readonly UpdatedRecord[]> {
  const [fields, own] = changeOf(changes, author);
  const [first] = ids;
  // Of an array the planner does not know how many it has, so that it would plan the statement of one record each time.
  const isOne = ids.length === 1;
  const shape = `update told ${isOne ? 'one ' : ''}${fields}${followUpShape(followUps)}`;
  const state = model.workflow && model.fields.get(model.workflow.field)?.column;
  const present = state ? sql.ref(`${ROWS}.${state}`) : sql`null::text`;
  const sent = [isOne ? first : ids, ...own, ...followUpValues(followUps)];
  const rows = await runCompiled<UpdatedRecord & WrittenRow>(db, model, shape, sent, (query, slots) => {
    const [keys, ...rest] = slots;
    const told = query.with('former', (q) =>
      q
        .selectFrom(`${model.table} as ${ROWS}`)
        .select([...writtenIn(q, model, ROWS, true), present.as('state')])
        .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${isOne ? keys : sql`any(${keys}::uuid[])`}`)
        // In one order, so that two of them never wait for each other.
        .orderBy(`${ROWS}.id`)
        .forNoKeyUpdate(),
    );
    const written = (q: AnyQuery) =>
      changed(q, model, changes, rest)
        .from('former')
        .whereRef('former.id', '=', `${ROWS}.id`)
        .returning([
          ...writtenIn(query, model, ROWS, true),
          sql`former.json`.as('former'),
          sql`former.state is distinct from ${present}`.as('hasMoved'),
        ]);
    if (followUps.length === 0) return written(told);
    const record = { json: sql.ref('written.json'), former: sql.ref('written.former') };
    return told
      .with('written', written)
      .selectFrom('written')
      .select(['id', 'json', 'former', 'hasMoved', ...followUpCalls(followUps, record, rest)]);
  });
  for (const row of rows) tellFollowUps(db, followUps, row);
  return rows;
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
  const fields = [...changes.values.keys()];
  const rest = slots.slice(fields.length);
  const update = query
    .updateTable(`${model.table} as ${ROWS}`)
    .set({ ...fieldColumns(fields, slots), updated_at: rest.shift(), updated_by: rest.shift() });
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
