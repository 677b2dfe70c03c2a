/** Reads and writes records of entities in the database, without the API. */
import { randomUUID } from 'node:crypto';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../src/db/database.ts';
import { schemaOf } from '../../src/db/tenant-schemas.ts';
import type { TestTenant } from './test-app.ts';

let last = Date.now();

/** Returns a later time on each call, so that records have an order. */
function nextMoment(): Date {
  last = Math.max(last + 1, Date.now());
  return new Date(last);
}

/** Writes a record by column and returns its id. */
export async function insertRow(
  database: Database,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  entity: string,
  values: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = randomUUID();
  const now = nextMoment();
  const all = { tenant_id: tenantId, id, created_at: now, updated_at: now, ...values };
  const columns = Object.keys(all).map((column) => sql.id(column));
  const schema = schemaOf(tenantId);
  await sql`with counted as (
      insert into ${sql.id(schema, '_totals')} values (${tenantId}, ${entity}, 0, 1)
      on conflict (tenant_id, entity, slot) do update set records = _totals.records + 1
    )
    insert into ${sql.id(schema, entity)} (${sql.join(columns)})
    values (${sql.join(Object.values(all))})`.execute(database.forTenant(tenantId));
  return id;
}

/** Returns a column of all records, oldest first. */
export async function readColumn(
  database: Database,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  entity: string,
  column: string,
): Promise<unknown[]> {
  const { rows } = await sql<{ value: unknown }>`
    select ${sql.id(column)} as value from ${sql.id(schemaOf(tenantId), entity)} order by created_at, id`.execute(
    database.forTenant(tenantId),
  );
  return rows.map(({ value }) => value);
}

/** Writes many records at once, one per second of `created_at`; column values are SQL of their number `n`. */
export async function fillTable(
  database: Database,
  { tenantId }: Pick<TestTenant, 'tenantId'>,
  entity: string,
  rows: number,
  values: Readonly<Record<string, RawBuilder<unknown>>>,
): Promise<void> {
  const at = sql`now() - n * interval '1 second'`;
  const all = {
    tenant_id: sql`${tenantId}::uuid`,
    id: sql`gen_random_uuid()`,
    created_at: at,
    updated_at: at,
    ...values,
  };
  const columns = Object.keys(all).map((column) => sql.id(column));
  await sql`with counted as (insert into ${sql.id(schemaOf(tenantId), '_totals')} values (${tenantId}, ${entity}, 0, ${rows}))
    insert into ${sql.id(schemaOf(tenantId), entity)} (${sql.join(columns)})
    select ${sql.join(Object.values(all))} from generate_series(1, ${rows}::int) n`.execute(
    database.forTenant(tenantId),
  );
}
