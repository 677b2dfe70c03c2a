/** Updates of records, each with one statement, for one record as well as for many. */
import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { type AnyQuery, runCompiled } from '../../../resources/compiled-statements.ts';
import {
  type FollowUp,
  followUpCalls,
  followUpShape,
  followUpValues,
  notifyFollowUps,
} from '../../../resources/follow-up.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { type Narrowing, narrowed, narrowingShape, valuesOf } from './read-queries.ts';
import type { FieldValues } from './record-values.ts';
import { ROWS } from './shown-fields.ts';
import type { Move } from './workflow.ts';
import {
  type Author,
  fieldColumns,
  type WrittenRecord,
  type WrittenRow,
  writtenIn,
} from './write-queries.ts';

/** An updated record with its previous version. */
export interface UpdatedRecord extends WrittenRecord {
  readonly previous: string;
  /** True if its state has changed. */
  readonly hasMoved: boolean;
}

/** New values, and conditions that a record must meet. */
export interface RecordChanges {
  readonly values: FieldValues;
  /** Only records that may move to the new state. */
  readonly move: Move | null;
  /** Only records of this unit. */
  readonly ownerId: string | null;
}

/**
 * Updates a record and makes the follow-up calls. Returns null if the scope may not write it or it does not meet the
 * conditions.
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
    const record = { json: sql.ref('written.json'), previous: sql`null` };
    return query
      .with('written', written)
      .selectFrom('written')
      .select(['written.id', 'written.json', ...followUpCalls(followUps, record, slots)]);
  });
  if (row) notifyFollowUps(db, followUps, row);
  return row ?? null;
}

/**
 * Updates these records and returns them with their previous versions, which are locked first. Leaves out records that
 * the scope may not write or that do not meet the conditions. `followUps` requires a single id.
 */
export async function updateWithPrevious(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  changes: RecordChanges,
  author: Author,
  followUps: readonly FollowUp[] = [],
): Promise<readonly UpdatedRecord[]> {
  const [fields, own] = changeOf(changes, author);
  const [first] = ids;
  // The planner does not know the length of an array parameter and would choose a plan for many rows, even for one.
  const isOne = ids.length === 1;
  const shape = `update with previous ${isOne ? 'one ' : ''}${fields}${followUpShape(followUps)}`;
  const state = model.workflow && model.fields.get(model.workflow.field)?.column;
  const current = state ? sql.ref(`${ROWS}.${state}`) : sql`null::text`;
  const sent = [isOne ? first : ids, ...own, ...followUpValues(followUps)];
  const rows = await runCompiled<UpdatedRecord & WrittenRow>(db, model, shape, sent, (query, slots) => {
    const [keys, ...rest] = slots;
    const locked = query.with('previous', (q) =>
      q
        .selectFrom(`${model.table} as ${ROWS}`)
        .select([...writtenIn(q, model, ROWS, true), current.as('state')])
        .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = ${isOne ? keys : sql`any(${keys}::uuid[])`}`)
        // A fixed order avoids deadlocks.
        .orderBy(`${ROWS}.id`)
        .forNoKeyUpdate(),
    );
    const written = (q: AnyQuery) =>
      changed(q, model, changes, rest)
        .from('previous')
        .whereRef('previous.id', '=', `${ROWS}.id`)
        .returning([
          ...writtenIn(query, model, ROWS, true),
          sql`previous.json`.as('previous'),
          sql`previous.state is distinct from ${current}`.as('hasMoved'),
        ]);
    if (followUps.length === 0) return written(locked);
    const record = { json: sql.ref('written.json'), previous: sql.ref('written.previous') };
    return locked
      .with('written', written)
      .selectFrom('written')
      .select(['id', 'json', 'previous', 'hasMoved', ...followUpCalls(followUps, record, rest)]);
  });
  for (const row of rows) notifyFollowUps(db, followUps, row);
  return rows;
}

/** Updates all matching records that the scope may write; returns their ids. */
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
    `update many ${shape} ${narrowingShape(narrowing)}`,
    [...sent, ...valuesOf(narrowing)],
    (query, slots) =>
      narrowed(changed(query, model, changes, slots), narrowing, slots.slice(sent.length)).returning(
        `${ROWS}.id`,
      ),
  );
  return rows.map(({ id }) => id);
}

/** Like `updateRecords`, but returns only the number of records. */
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
  const { move, ownerId } = changes;
  const moving =
    move === null ? update : update.where(isIn(sql.ref(`${ROWS}.${move.column}`), move, rest.shift()));
  return ownerId === null
    ? moving
    : moving.where(sql<SqlBool>`${sql.ref(`${ROWS}.owner_bu_id`)}::text = ${rest.shift()}`);
}

/** Returns the condition that a record may move to the new state. */
function isIn(column: RawBuilder<unknown>, { from }: Move, states: unknown): RawBuilder<SqlBool> {
  const isOne = sql<SqlBool>`${column} = any(${states}::text[])`;
  return from.includes(null) ? sql<SqlBool>`(${isOne} or ${column} is null)` : isOne;
}

/** Returns the shape of an update, and its values in the order of `changed`. */
function changeOf(
  { values, move, ownerId }: RecordChanges,
  { by, at }: Author,
): readonly [string, readonly unknown[]] {
  const names = [...values.keys()].map(({ name }) => name);
  const states = move === null ? [] : [move.from.filter((state) => state !== null)];
  const shape = JSON.stringify([names, move?.from.includes(null), ownerId !== null]);
  return [shape, [...values.values(), at, by, ...states, ...(ownerId === null ? [] : [ownerId])]];
}
