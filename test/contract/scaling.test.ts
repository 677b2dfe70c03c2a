/** The names in docs/scaling.md exist. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { EVERY_TENANT_USES } from '../../src/db/every-tenant.ts';
import { readText } from '../harness/repository.ts';
import { startTestApp } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['embedded', 'cluster'];
export const changesWith = ['docs/scaling.md', 'src/'];

const { app, anonymous, env } = await startTestApp();
const page = await readText('docs/scaling.md');
const onCluster = { skip: databaseKind() === 'cluster' ? false : 'there is no Citus here' };

/** Returns the text below a heading, up to the next heading of any level. */
function sectionOf(heading: string): string {
  return page.split(`\n### ${heading}\n`)[1]?.split(/^##/m)[0] ?? '';
}

/** Returns what a pattern finds in the page's code. */
function namesOf(pattern: RegExp, text = page): string[] {
  return [...new Set(Array.from(text.matchAll(pattern), ([name]) => name))].sort();
}

test('every metric that docs/scaling.md recommends exists', async () => {
  const { text } = await anonymous.get('/metrics');
  const named = namesOf(/\b(?:tessera(?!_app\b)|nodejs|process)_[a-z0-9_]+/g);
  assert.ok(named.length > 8);
  assert.deepEqual(
    named.filter((name) => !text.includes(`\n# TYPE ${name} `)),
    [],
  );
});

test('docs/scaling.md lists every use of rows of all tenants', () => {
  const { tests: _tests, ...uses } = EVERY_TENANT_USES;
  const cells = namesOf(/^\| `[^|]+ \|/gm, sectionOf('Statements that ask all nodes'));
  const listed = cells.flatMap((cell) => Array.from(cell.matchAll(/`([a-z-]+)`/g), ([, name]) => name));
  assert.deepEqual([...new Set(listed)].sort(), Object.keys(uses).sort());
});

test('every Citus feature that docs/scaling.md names exists', onCluster, async () => {
  const named = namesOf(/\bcitus[._][a-z_]+|\bpg_dist_[a-z]+|\bisolate_tenant[a-z_]+/g);
  const settings = namesOf(/^\| `[a-z_.]+/gm, sectionOf('Settings')).map((cell) => cell.slice(3));
  assert.ok(named.length > 10 && settings.length > 4);
  assert.deepEqual(await listUnknown([...named, ...settings]), []);
});

/** As a superuser: other roles do not see every setting. */
async function listUnknown(names: readonly string[]): Promise<string[]> {
  const client = new pg.Client({ connectionString: env.DATABASE_URL });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      `select name from unnest($1::text[]) as name
       where current_setting(name, true) is null and to_regclass(name) is null
         and not exists (select from pg_proc where proname = name)`,
      [names],
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

test('docs/scaling.md lists exactly the tables that are on every node', onCluster, async () => {
  const { rows } = await app.platform.database.everyTenant('tests').raw(sql<{ name: string }>`
    select logicalrelid::text as name from pg_dist_partition where partmethod = 'n' and repmodel = 't' order by 1`);
  const [tables = ''] = /Tables without a tenant.*?\. /.exec(
    sectionOf('What every node has, and what is local to the coordinator').replaceAll('\n', ' '),
  ) ?? [''];
  assert.deepEqual(
    namesOf(/`[a-z_]+`/g, tables).map((name) => name.slice(1, -1)),
    rows.map(({ name }) => name),
  );
});
