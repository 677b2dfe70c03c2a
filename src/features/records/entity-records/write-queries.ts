/** Inserts and deletes records, each with one statement, for one record as well as for a thousand. */
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
import { columnTypeOf, type EntityModel, type StoredField } from '../entities/index.ts';
import type { FieldValues } from './record-values.ts';
import { rowJson } from './row-json.ts';
import { ROWS, shownFields } from './shown-fields.ts';
import { anySlot, countByOwner, countingDeletes, countingInserts } from './totals.ts';

/** A written record as JSON; only its id if there are no listeners. */
export interface WrittenRecord {
  readonly id: string;
  readonly json: string;
}

/** A row that a write returns: the record, and results of follow-up calls. */
export type WrittenRow = WrittenRecord & Readonly<Record<string, unknown>>;

const INSERTED = { json: sql.ref('shown.json'), previous: sql`null` };

/** Author and time of a write. */
export interface Author {
  readonly by: string;
  readonly at: Date;
}

/** A record to insert: all fields of its entity, in the same order for all records of a statement. */
export interface NewRecord {
  readonly id: string;
  /** The owning unit; null if the tenant owns the record. */
  readonly ownerId: string | null;
  readonly values: FieldValues;
}

/** Inserts a record and makes the follow-up calls. */
export async function insertRecord(
  db: ScopedDb,
  model: EntityModel,
  { id, ownerId, values }: NewRecord,
  { by, at }: Author,
  followUps: readonly FollowUp[] = [],
): Promise<WrittenRecord> {
  const system = ['id', ...systemColumns(ownerId)];
  const fields = [...values.keys()];
  const own = [id, at, at, by, by, ...(ownerId === null ? [] : [ownerId]), ...values.values()];
  const sent = [countByOwner([{ ownerId }]), anySlot(), ...own, ...followUpValues(followUps)];
  const { tenantId } = db;
  const shape = `insert${followUpShape(followUps)}`;
  const [row] = await runCompiled<WrittenRow>(db, model, shape, sent, (query, [counts, slot, ...slots]) =>
    countingInserts({ query, model, tenantId, slot }, counts)
      .with('written', (q) =>
        q
          .insertInto(model.table)
          .values({
            tenant_id: tenantId,
            ...Object.fromEntries(system.map((column, index) => [column, slots[index]])),
            ...fieldColumns(fields, slots.slice(system.length)),
          })
          .returning(shownColumns(model)),
      )
      .with('shown', (q) => q.selectFrom('written').select(writtenIn(query, model, 'written', true)))
      .selectFrom('shown')
      .select(['shown.id', 'shown.json', ...followUpCalls(followUps, INSERTED, slots)]),
  );
  if (!row) throw new Error('An insert returned no row.');
  notifyFollowUps(db, followUps, row);
  return row;
}

/**
 * Inserts records of one entity, sorted by a unique field: concurrent inserts then wait for each other at the first
 * value they share, without deadlock. Returns records in any order.
 */
export async function insertRecords(
  db: ScopedDb,
  model: EntityModel,
  records: readonly NewRecord[],
  { by, at }: Author,
  isReported: boolean,
): Promise<readonly WrittenRecord[]> {
  const fields = [...(records[0]?.values.keys() ?? [])];
  const isOwned = model.ownedBy === 'business_unit';
  const shape = `insert many${isReported ? ' reported' : ''}`;
  const { tenantId } = db;
  return runCompiled<WrittenRecord>(
    db,
    model,
    shape,
    [toJsonRows(inUniqueOrder(records, fields), fields), at, by, countByOwner(records), anySlot()],
    (query, [rows, now, author, counts, slot]) => {
      const time = sql`${now}::timestamptz`;
      const authorText = sql`${author}::text`;
      const platformColumns: Record<string, RawBuilder<unknown>> = {
        // Not `tenantRowOf`: tables of entities may be apart from those of the platform.
        tenant_id: sql`${tenantId}::uuid`,
        id: sql.ref('given.id'),
        created_at: time,
        updated_at: time,
        created_by: authorText,
        updated_by: authorText,
        ...(isOwned ? { owner_bu_id: sql.ref('given.owner') } : {}),
      };
      const own = fields.map(({ column }, index) => [column, sql.ref(`given.v${index}`)] as const);
      const values = [...Object.entries(platformColumns), ...own];
      return countingInserts({ query, model, tenantId, slot }, counts)
        .with('written', (q) =>
          q
            .insertInto(model.table)
            .columns(values.map(([column]) => column))
            .expression((eb) =>
              eb
                .selectFrom((from) =>
                  from
                    .fn<Record<string, unknown>>('json_to_recordset', [sql`${rows}::json`])
                    .as<'given'>(sql`given(${sql.join(rowTypes(fields))})`),
                )
                .select(values.map(([column, value]) => value.as(column))),
            )
            .returning(isReported ? shownColumns(model) : ['id']),
        )
        .selectFrom('written')
        .select(writtenIn(query, model, 'written', isReported));
    },
  );
}

/** Deletes these records, except those that the scope may not delete. */
export async function deleteRecords(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  isReported: boolean,
): Promise<readonly WrittenRecord[]> {
  const { tenantId } = db;
  const owner = model.ownedBy === 'business_unit' ? [sql.ref(`${ROWS}.owner_bu_id`).as('owner_bu_id')] : [];
  const shape = `delete${isReported ? ' reported' : ''}`;
  return runCompiled<WrittenRecord>(db, model, shape, [ids, anySlot()], (query, [idList, slot]) => {
    const deleting = query.with('deleted', (q) =>
      q
        .deleteFrom(`${model.table} as ${ROWS}`)
        .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${idList}::uuid[])`)
        .returning([...writtenIn(q, model, ROWS, isReported), ...owner]),
    );
    return countingDeletes({ query: deleting, model, tenantId, slot }, 'deleted')
      .selectFrom('deleted')
      .select(['deleted.id', 'deleted.json']);
  });
}

/**
 * Returns field columns with their values, cast to the fields' types. Without the cast a statement that was prepared
 * before a change of type would convert values to the old type.
 */
export function fieldColumns(
  fields: readonly StoredField[],
  values: readonly unknown[],
): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(
    fields.map((field, index) => [field.column, sql`${values[index]}::${sql.raw(columnTypeOf(field))}`]),
  );
}

function systemColumns(ownerId: string | null): readonly string[] {
  const all = ['created_at', 'updated_at', 'created_by', 'updated_by'];
  return ownerId === null ? all : [...all, 'owner_bu_id'];
}

/** Returns the columns that a write returns from this table or alias. */
export function writtenIn(query: AnyQuery, model: EntityModel, table: string, isReported: boolean) {
  const json = isReported ? rowJson(query, model, table) : sql`''`;
  return [sql.ref(`${table}.id`).as('id'), json.as('json')];
}

/**
 * Returns the columns that an insert returns. Some databases return only columns, so JSON is built outside of it.
 */
function shownColumns(model: EntityModel): string[] {
  return [...shownFields(model).values()].map(({ column }) => column);
}

/** Sorts records by their first unique field, if any. Any fixed order works. */
function inUniqueOrder(records: readonly NewRecord[], fields: readonly StoredField[]): readonly NewRecord[] {
  const unique = fields.find((field) => field.unique);
  if (unique === undefined) return records;
  const keyed = records.map((record) => ({ record, key: String(record.values.get(unique)) }));
  keyed.sort((one, other) => Number(one.key > other.key) - Number(one.key < other.key));
  return keyed.map(({ record }) => record);
}

function rowTypes(fields: readonly StoredField[]): RawBuilder<unknown>[] {
  const own = fields.map((field, index) => sql`${sql.id(`v${index}`)} ${sql.raw(columnTypeOf(field))}`);
  return [sql`id uuid`, sql`owner uuid`, ...own];
}

/** Serializes records as one parameter. JSON values are already text and stay unchanged. */
function toJsonRows(records: readonly NewRecord[], fields: readonly StoredField[]): string {
  const rows = records.map(({ id, ownerId, values }) => {
    const own = fields.map((field, index) => {
      const value = values.get(field);
      const text = field.type === 'json' && typeof value === 'string' ? value : JSON.stringify(value ?? null);
      return `"v${index}":${text}`;
    });
    return `{${[`"id":"${id}"`, `"owner":${JSON.stringify(ownerId)}`, ...own].join(',')}}`;
  });
  return `[${rows.join(',')}]`;
}
