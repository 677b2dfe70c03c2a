/** Every sort of every list of 10,000 records: an index returns the page, also after a cursor in the middle. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { allRoutes, createWorld } from '../contract/world.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const ROWS = 10_000;

/** The table of each list, its key, and the column of its parent. */
const TABLES: Readonly<Record<string, readonly [table: string, key: string, parent?: string]>> = {
  'ai_assistants.list': ['ai_assistants', 'id'],
  'ai_indexes.list': ['ai_indexes', 'name'],
  'ai_threads.list': ['ai_threads', 'id', 'user_id'],
  'api_keys.list': ['api_keys', 'id'],
  'assets.list': ['assets', 'id'],
  'audiences.list': ['marketing_audiences', 'id'],
  'automation_runs.list': ['automation_runs', 'id'],
  'automations.list': ['automations', 'key'],
  'automations.list_runs': ['automation_runs', 'id', 'target_id'],
  'campaign_emails.list': ['marketing_emails', 'id', 'campaign_code'],
  'campaigns.list': ['marketing_campaigns', 'code'],
  'document_models.list': ['document_models', 'id', 'project_id'],
  'documents.list': ['documents', 'id', 'project_id'],
  'form_submissions.list': ['form_submissions', 'id'],
  'form_themes.list': ['form_themes', 'code'],
  'forms.list': ['forms', 'code'],
  'journeys.list': ['journeys', 'id'],
  'journeys.list_states': ['journey_states', 'id', 'target_id'],
  'lists.list': ['marketing_lists', 'id'],
  'long_operations.list': ['operations', 'id'],
  'projects.list': ['page_projects', 'id'],
  'redirects.list': ['page_redirects', 'id', 'project_id'],
  'subscribers.list': ['subscribers', 'id'],
  'suppressions.list': ['email_suppressions', 'recipient'],
  'template_snippets.list': ['email_template_snippets', 'id'],
  'templates.list': ['email_templates', 'id'],
  'templates.list_versions': ['email_template_versions', 'id', 'template_id'],
  'transmissions.list': ['transmissions', 'id'],
  'webhooks.list': ['webhooks', 'id'],
  'webhooks.list_deliveries': ['webhook_deliveries', 'id', 'target_id'],
};

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
await createWorld(tenant, receiver.url);
const { query } = app.app.platform.database.everyTenant('tests');
const skip = databaseKind() !== 'server' && 'only a server plans by statistics that it reports';
/**
 * Lists that this test cannot fill, or whose pages need no index: tenants belong to no tenant, each membership needs a
 * user, facets of slices read all slices of a project, records of engagement merge two indexes of each email or belong
 * to one subscriber, and deliveries merge indexes of three tables.
 */
const LEFT_OUT = [
  'tenants.list',
  'memberships.list',
  'slice_models.list',
  'campaign_figures.engagements',
  'campaign_figures.of_subscriber',
  'deliveries.list',
];
const lists = allRoutes.filter(({ id, sorts }) => sorts !== undefined && !LEFT_OUT.includes(id));

/** Copies the tenant's first row of a table, with other values in unique and sorted columns. */
async function fill(table: string): Promise<void> {
  const { rows: columns } = await sql<{ name: string; type: string; varies: boolean }>`
    select a.attname as name, format_type(a.atttypid, a.atttypmod) as type, exists (
      select from pg_index i where i.indrelid = a.attrelid and i.indisunique and a.attnum = any(i.indkey)
    ) as varies
    from pg_attribute a where a.attrelid = ${table}::regclass and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''`.execute(
    query,
  );
  const fixed = [
    'tenant_id',
    'project_id',
    'owner_bu_id',
    'target_id',
    'template_id',
    'source_domain',
    'campaign_code',
  ];
  const values = columns.map(({ name, type, varies }) => {
    if (name === 'created_at' || name === 'updated_at') return sql`now() - n * interval '1 minute'`;
    // One version of a template is active.
    if (name === 'active' && table === 'email_template_versions') return sql`false`;
    if ((!varies && name !== 'name') || fixed.includes(name)) return sql`t.${sql.ref(name)}`;
    if (type === 'uuid') return sql`gen_random_uuid()`;
    if (type === 'integer') return sql`n + 10`;
    if (type === 'bytea') return sql`sha256(n::text::bytea)`;
    return type === 'text' ? sql`md5(n::text)` : sql`t.${sql.ref(name)}`;
  });
  // In chunks, because a statement has a time limit.
  for (let n = 0; n < ROWS; n += 5000)
    await sql`
    insert into ${sql.table(table)} (${sql.join(columns.map(({ name }) => sql.ref(name)))})
    select ${sql.join(values)} from (
      select * from ${sql.table(table)} where tenant_id = ${tenant.tenantId}::uuid limit 1
    ) t, generate_series(${n + 1}::int, ${n + 5000}::int) n on conflict do nothing`.execute(query);
  const { rows } = await sql<{ count: number }>`select count(*) from ${sql.table(table)}`.execute(query);
  assert.ok(Number(rows[0]?.count) >= ROWS, `${table} has ${rows[0]?.count} rows`);
}

/** Returns the plan of a page of a list, with a cursor in the middle unless it is the first page. */
async function planOf(id: string, field: string, isDescending: boolean, isFirst: boolean): Promise<string> {
  const [table = '', key = '', parent] = TABLES[id] ?? [];
  const columns = [...new Set([field, key])].map((name) => sql.ref(name));
  const direction = sql.raw(isDescending ? 'desc' : 'asc');
  const all = sql`${sql.table(table)} where tenant_id = ${sql.lit(tenant.tenantId)}::uuid`;
  const [row] = (
    await sql<{ at: readonly string[]; within: string | null }>`
      select array[${sql.join(columns.map((column) => sql`${column}::text`))}] as at,
        ${parent ? sql.ref(parent) : sql`null`}::text as within
      from ${all} order by ${sql.ref(field)} offset ${ROWS / 2} limit 1`.execute(query)
  ).rows;
  const { at, within } = row ?? assert.fail(`${table} has too few rows`);
  const inParent = parent ? sql`and ${sql.ref(parent)} = ${sql.lit(within)}` : sql``;
  const behind = sql`and (${sql.join(columns)}) ${sql.raw(isDescending ? '<' : '>')} (${sql.join(at.map((value) => sql.lit(value)))})`;
  const { rows } = await sql<{ 'QUERY PLAN': string }>`
    explain select * from ${all} ${inParent} ${isFirst ? sql`` : behind}
    order by ${sql.join(columns.map((column) => sql`${column} ${direction}`))} limit 20`.execute(query);
  return rows.map((line) => line['QUERY PLAN']).join('\n');
}

test('the test covers every sortable list', () => {
  assert.deepEqual(lists.map(({ id }) => id).sort(), Object.keys(TABLES).sort());
});

test('an index returns each page of each sort', { skip }, async () => {
  const tables = [...new Set(Object.values(TABLES).map(([name]) => name))];
  for (const table of tables) await fill(table);
  // As the owner: the role of requests must not.
  const owner = new pg.Client({ connectionString: app.database.env.DATABASE_URL });
  await owner.connect();
  await owner.query(`vacuum (analyze) ${tables.join()}`);
  await owner.end();
  for (const { id, sorts = [] } of lists)
    for (const field of sorts)
      for (const isDescending of [false, true])
        for (const isFirst of [true, false]) {
          const plan = await planOf(id, field, isDescending, isFirst);
          assert.match(plan, /Index Scan/, `${id} by ${field}: ${plan}`);
          assert.doesNotMatch(plan, /Sort|Seq Scan/, `${id} by ${field}: ${plan}`);
          // A cursor of a single column compares only that column.
          if (!isFirst) assert.match(plan, /Index Cond: .*(ROW\(|[<>])/, `${id} by ${field}: ${plan}`);
        }
});
