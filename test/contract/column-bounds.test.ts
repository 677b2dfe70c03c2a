/** Every column with text, JSON or bytes has a documented bound in `bounded-columns.ts`. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import type { Resource } from '../../src/resources/resource.ts';
import { listFiles, readText } from '../harness/repository.ts';
import { startTestApp } from '../harness/test-app.ts';
import { BOUNDED_COLUMNS, type Bounds, KINDS } from './bounded-columns.ts';

const kinds = Object.keys(KINDS).map((name) => name as keyof typeof KINDS);

function columnsOf(bounds: Bounds, kind: keyof typeof KINDS): string[] {
  return bounds[kind]?.split(' ') ?? [];
}

/** Lists each column once per mention. */
const listed = Object.entries(BOUNDED_COLUMNS).flatMap(([table, bounds]) =>
  kinds.flatMap((kind) => columnsOf(bounds, kind).map((column) => `${table}.${column}`)),
);

/** The resources that modules export, by table. */
async function resourcesByTable(): Promise<ReadonlyMap<string, readonly Resource[]>> {
  const paths = (await listFiles('src/features', '.ts')).filter((path) => !path.endsWith('.test.ts'));
  const found = new Set<Resource>();
  for (const path of paths) {
    // Other modules are not loaded, because worker thread modules change the whole process.
    if (!(await readText(path)).includes('defineResource(')) continue;
    for (const each of Object.values(await import(`../../${path}`))) if (isResource(each)) found.add(each);
  }
  return Map.groupBy(found, ({ table }) => table);
}

function isResource(value: unknown): value is Resource {
  return typeof value === 'object' && value !== null && 'largeColumns' in value && 'listColumns' in value;
}

test('every column of unlimited type is listed once with its bound', async () => {
  const app = await startTestApp();
  const { rows } = await sql<{ name: string }>`
    select c.table_name || '.' || c.column_name as name from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and t.table_name not like 'schema_%'
      and c.data_type in ('text', 'json', 'jsonb', 'bytea', 'character varying', 'ARRAY')`.execute(
    app.app.platform.database.everyTenant('tests').query,
  );
  assert.deepEqual(listed.toSorted(), rows.map(({ name }) => name).toSorted());
});

test('columns read in chunks match those that their resource declares long', async () => {
  const resources = await resourcesByTable();
  assert.ok(resources.size > 30, 'the resources were not found');
  const wrong = Object.entries(BOUNDED_COLUMNS).flatMap(([table, bounds]) => {
    const own = resources.get(table) ?? [];
    if (own.length === 0) return [];
    const isLarge = (column: string) => own.some(({ largeColumns }) => largeColumns.includes(column));
    const isListed = (column: string) => own.some(({ listColumns }) => listColumns.includes(column));
    return [
      ...columnsOf(bounds, 'chunked').filter((column) => !isLarge(column)),
      ...[...columnsOf(bounds, 'unlisted'), ...columnsOf(bounds, 'budget')].filter(isListed),
    ].map((column) => `${table}.${column}`);
  });
  assert.deepEqual(wrong, []);
});
