/** Records are inserted and deleted, each time by one statement, for one record as for a thousand. */
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
import { columnTypeOf, type EntityModel, type StoredField } from '../entities/index.ts';
import type { FieldValues } from './record-values.ts';
import { rowJson } from './row-json.ts';
import { ROWS, shownFields } from './shown-fields.ts';
import { anySlot, countByOwner, countingDeletes, countingInserts } from './totals.ts';

/** A record that a statement has written, as JSON; of what nobody wants to hear of, only its id. */
export interface WrittenRecord {
  readonly id: string;
  readonly json: string;
}

/** What a statement gives of a record that it has written: beside it what came of what follows. */
export type WrittenRow = WrittenRecord & Readonly<Record<string, unknown>>;

const INSERTED = { json: sql.ref('shown.json'), former: sql`null` };

/** Who writes, and when. */
export interface Author {
  readonly by: string;
  readonly at: Date;
}

/** A record to be written: all fields of its entity, in one order for all records of a statement. */
export interface NewRecord {
  readonly id: string;
  /** The owning unit; null where the tenant owns. */
  readonly ownerId: string | null;
  readonly values: FieldValues;
}

/** Inserts a record, and does what follows from it. */
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
            ...Object.fromEntries(system.map((column, place) => [column, slots[place]])),
            ...fieldColumns(fields, slots.slice(system.length)),
          })
          .returning(shownColumns(model)),
      )
      .with('shown', (q) => q.selectFrom('written').select(writtenIn(query, model, 'written', true)))
      .selectFrom('shown')
      .select(['shown.id', 'shown.json', ...followUpCalls(followUps, INSERTED, slots)]),
  );
  if (!row) throw new Error('An insert returned no row.');
  tellFollowUps(db, followUps, row);
  return row;
}

/**
 * Inserts records of one entity, by their unique field: two that meet wait for one another at the first value they share. Gives
 * back those that are heard of in any order.
 */
export async function insertRecords(
  db: ScopedDb,
  model: EntityModel,
  records: readonly NewRecord[],
  { by, at }: Author,
  isHeard: boolean,
): Promise<readonly WrittenRecord[]> {
  const fields = [...(records[0]?.values.keys() ?? [])];
  const isOwned = model.ownedBy === 'business_unit';
  const shape = `insert many${isHeard ? ' heard' : ''}`;
  const { tenantId } = db;
  return runCompiled<WrittenRecord>(
    db,
    model,
    shape,
    [toJsonRows(inUniqueOrder(records, fields), fields), at, by, countByOwner(records), anySlot()],
    (query, [rows, now, author, counts, slot]) => {
      const moment = sql`${now}::timestamptz`;
      const who = sql`${author}::text`;
      const fromPlatform: Record<string, RawBuilder<unknown>> = {
        // Not by `homeOf`: on a cluster the tables of a tenant's entities are placed apart from those of the platform.
        tenant_id: sql`${tenantId}::uuid`,
        id: sql.ref('given.id'),
        created_at: moment,
        updated_at: moment,
        created_by: who,
        updated_by: who,
        ...(isOwned ? { owner_bu_id: sql.ref('given.owner') } : {}),
      };
      const own = fields.map(({ column }, place) => [column, sql.ref(`given.v${place}`)] as const);
      const values = [...Object.entries(fromPlatform), ...own];
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
            .returning(isHeard ? shownColumns(model) : ['id']),
        )
        .selectFrom('written')
        .select(writtenIn(query, model, 'written', isHeard));
    },
  );
}

/** Deletes the records of these ids that the scope may delete. */
export async function deleteRecords(
  db: ScopedDb,
  model: EntityModel,
  ids: readonly string[],
  isHeard: boolean,
): Promise<readonly WrittenRecord[]> {
  const { tenantId } = db;
  const owner = model.ownedBy === 'business_unit' ? [sql.ref(`${ROWS}.owner_bu_id`).as('owner_bu_id')] : [];
  const shape = `delete${isHeard ? ' heard' : ''}`;
  return runCompiled<WrittenRecord>(db, model, shape, [ids, anySlot()], (query, [wanted, slot]) => {
    const deleting = query.with('deleted', (q) =>
      q
        .deleteFrom(`${model.table} as ${ROWS}`)
        .where(sql<SqlBool>`${sql.ref(`${ROWS}.id`)} = any(${wanted}::uuid[])`)
        .returning([...writtenIn(q, model, ROWS, isHeard), ...owner]),
    );
    return countingDeletes({ query: deleting, model, tenantId, slot }, 'deleted')
      .selectFrom('deleted')
      .select(['deleted.id', 'deleted.json']);
  });
}

/**
 * Field columns with their values, cast to the fields' types. Without the cast a statement that was prepared before a field
 * changed its type would convert the values to the earlier type.
 */
export function fieldColumns(
  fields: readonly StoredField[],
  values: readonly unknown[],
): Record<string, RawBuilder<unknown>> {
  return Object.fromEntries(
    fields.map((field, place) => [field.column, sql`${values[place]}::${sql.raw(columnTypeOf(field))}`]),
  );
}

function systemColumns(ownerId: string | null): readonly string[] {
  const all = ['created_at', 'updated_at', 'created_by', 'updated_by'];
  return ownerId === null ? all : [...all, 'owner_bu_id'];
}

/** What a write gives back of a row of this table or alias. */
export function writtenIn(query: AnyQuery, model: EntityModel, table: string, isHeard: boolean) {
  const json = isHeard ? rowJson(query, model, table) : sql`''`;
  return [sql.ref(`${table}.id`).as('id'), json.as('json')];
}

/** What an insert returns: on a cluster no more than columns, of which JSON is made outside of it. */
function shownColumns(model: EntityModel): string[] {
  return [...shownFields(model).values()].map(({ column }) => column);
}

/** Records in the order of their first unique field, if any: which order it is does not matter, only that it is always the same. */
function inUniqueOrder(records: readonly NewRecord[], fields: readonly StoredField[]): readonly NewRecord[] {
  const unique = fields.find((field) => field.unique);
  if (unique === undefined) return records;
  const keyed = records.map((record) => ({ record, key: String(record.values.get(unique)) }));
  keyed.sort((one, other) => Number(one.key > other.key) - Number(one.key < other.key));
  return keyed.map(({ record }) => record);
}

function rowTypes(fields: readonly StoredField[]): RawBuilder<unknown>[] {
  const own = fields.map((field, place) => sql`${sql.id(`v${place}`)} ${sql.raw(columnTypeOf(field))}`);
  return [sql`id uuid`, sql`owner uuid`, ...own];
}

/** Records as the one value of a statement. JSON of theirs is text already, and stays as it is. */
function toJsonRows(records: readonly NewRecord[], fields: readonly StoredField[]): string {
  const rows = records.map(({ id, ownerId, values }) => {
    const own = fields.map((field, place) => {
      const value = values.get(field);
      const text = field.type === 'json' && typeof value === 'string' ? value : JSON.stringify(value ?? null);
      return `"v${place}":${text}`;
    });
    return `{${[`"id":"${id}"`, `"owner":${JSON.stringify(ownerId)}`, ...own].join(',')}}`;
  });
  return `[${rows.join(',')}]`;
}
