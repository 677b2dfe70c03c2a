/** A database on one full server: nodes are added, and its tenants distributed over them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import pg from 'pg';
import { isTenantSchema } from '../../src/db/tenant-schemas.ts';
import { type Credentials, callRoute, clientOf, isRead, ownerOf } from '../contract/route-calls.ts';
import { allRoutes, createWorld, type NameOf, requestTo } from '../contract/world.ts';
import { createClient } from '../harness/client.ts';
import {
  type EmptyCluster,
  freshCluster,
  joinNodes,
  runOn,
  withRolesLock,
} from '../harness/cluster-nodes.ts';
import { startModelProvider } from '../harness/model-provider.ts';
import { runTessera, startProcess, type TestProcess } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createTenant, testEnv } from '../harness/test-app.ts';
import { databaseKind, testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['cluster'];

const skip = databaseKind() !== 'cluster' && 'needs TEST_CLUSTER_URL';
const coordinator = testServerUrl() ?? '';
/** Shorter than the idle timeout of connections. */
const ASK_EVERY_MS = 1000;

/** Environments of processes on the coordinator and on another node. */
function envsOf({ ownerUrls: [first = '', second = ''] }: EmptyCluster) {
  const shared = testEnv({ kind: 'cluster', env: {}, remove: async () => {} });
  // None that runs jobs, because jobs change rows.
  const envOf = (url: string) => ({ ...shared, DATABASE_URL: url, LOG_LEVEL: 'info', ROLE: 'api' });
  return { env: envOf(first), onNode: envOf(second) };
}

/** Returns the output of a command, or its one-line error. */
async function tessera(command: string, env: Readonly<Record<string, string>>): Promise<string> {
  const { code, output } = await runTessera([command], env);
  return `${code}: ${output}`;
}

function shard(env: Readonly<Record<string, string>>): Promise<string> {
  return withRolesLock(coordinator, () => tessera('shard', env));
}

/** Returns the state that Citus reports about itself. */
function setVersion(expression: string): string {
  return `update pg_extension set extversion = ${expression} where extname = 'citus'`;
}

/** SQL that lists the tables of the platform, and those created for tenants. */
const OF_TENANTS = `c.relkind = 'r' and c.relnamespace in (
  select n.oid from pg_namespace n where n.nspname = 'public' or ${isTenantSchema('n.nspname')})`;

/** Returns every row of every table, as the owner of the tables. */
async function allRows(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query(`
      select c.oid::regclass::text as name from pg_class c where ${OF_TENANTS} order by 1`);
    const found: unknown[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(`select to_json(t)::text as row from ${name} t order by 1`);
      found.push({ name, rows: rows.map(({ row }) => row) });
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Returns the responses of all read-only member routes. */
async function allAnswers(process: TestProcess, owner: Credentials, name: NameOf): Promise<unknown[]> {
  const reading = allRoutes.filter(
    (route) => isRead(route) && route.access !== 'operator' && route.access !== 'public',
  );
  const answers: unknown[] = [];
  for (const route of reading) {
    const client = createClient(process.url, clientOf(route, owner).headers);
    const { text } = await callRoute(client, route, requestTo(route, name));
    const unlike = /"(?:last_used_at|last_seen_at|request_id)":"[^"]*"|http:\/\/localhost:\d+/g;
    answers.push(`${route.id}: ${text.replaceAll(unlike, '')}`);
  }
  return answers;
}

test('a database with unmet requirements is not sharded, and the command names them', { skip }, async () => {
  const cluster = await freshCluster(coordinator);
  const { env, onNode } = envsOf(cluster);
  assert.match(await shard(env), /^1: The schema lacks \d+ files\. Run "tessera migrate" first\.\n$/);
  assert.match(await tessera('migrate', env), /^0: Applied \d+ files\.\n$/);
  assert.match(
    await shard(env),
    /^1: DATABASE_URL: the database has no Citus\. Run "create extension citus" [^\n]+\n$/,
  );
  await runOn(cluster.urls[0] ?? '', 'create extension citus');
  assert.match(await shard(env), /^1: DATABASE_URL: the cluster has no nodes yet\. [^\n]+\n$/);
  await runOn(cluster.urls[0] ?? '', 'drop extension citus');
  await withRolesLock(coordinator, () => joinNodes(cluster.urls));
  await runOn(cluster.urls[0] ?? '', setVersion("'12.' || extversion"));
  assert.match(
    await shard(env),
    /^1: DATABASE_URL: the database has Citus 12\.\d[^ ]*; 13 or newer is needed\n$/,
  );
  await runOn(cluster.urls[0] ?? '', setVersion('substr(extversion, 4)'));
  assert.match(await tessera('migrate', onNode), /^1: DATABASE_URL: [^\n]+ the URL of the coordinator\n$/);
  assert.doesNotMatch(await tessera('check', env), /spread/);
  assert.match(await shard(env), /^0: The tenants' rows in \d{2,} tables are now spread over 2 nodes\./);
  const { code, output } = await runTessera(['backup', '-'], env);
  assert.equal(code, 1);
  assert.match(output, /its tenants are spread over the nodes of a cluster, so back up each node instead/);
});

/** Returns tables with data on the coordinator itself. */
async function tablesLeftBehind(url: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(`
    select c.oid::regclass from pg_class c where ${OF_TENANTS} and pg_relation_size(c.oid) > 0`);
  await client.end();
  return rows;
}

/** Sends requests to a process repeatedly, because it closes idle connections. */
async function whileAsked<T>({ url }: TestProcess, work: () => Promise<T>): Promise<T> {
  const ask = () => createClient(url).get('/readyz');
  const asked = [ask()];
  await asked[0];
  const timer = setInterval(() => asked.push(ask()), ASK_EVERY_MS);
  try {
    return await work();
  } finally {
    clearInterval(timer);
    await Promise.all(asked);
  }
}

test('existing tenants are distributed with every row, leave nothing behind, and are served by every node', {
  skip,
}, async () => {
  const cluster = await freshCluster(coordinator);
  const { env, onNode } = envsOf(cluster);
  const { url: LLM_BASE_URL } = await startModelProvider();
  const whole = await startProcess({ ...env, LLM_BASE_URL, ROLE: 'all' });
  const admin = createClient(whole.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const tenant = await createTenant(whole.url, admin);
  const name = await createWorld(tenant, (await startReceiver()).url);
  const owner = await ownerOf(tenant);
  await whole.kill('SIGTERM');
  const before = await startProcess(env);
  const answers = await allAnswers(before, owner, name);
  await withRolesLock(coordinator, () => joinNodes(cluster.urls));
  const refused = await whileAsked(before, () => shard(env));
  assert.match(refused, /^1: DATABASE_URL: \d+ other sessions use the database\./);
  await before.kill('SIGTERM');
  const rows = await allRows(env.DATABASE_URL);

  assert.match(await shard(env), /^0: The tenants' rows in \d{2,} tables are now spread over 2 nodes\./);
  assert.match(
    await shard(env),
    /^0: The tenants' rows in \d{2,} tables are spread over 2 nodes already\.\n$/,
  );
  assert.deepEqual(await tablesLeftBehind(env.DATABASE_URL), []);
  assert.match(await tessera('check', env), /^Its tenants are spread over 2 nodes of a cluster\.$/m);
  for (const { DATABASE_URL } of [env, onNode]) assert.deepEqual(await allRows(DATABASE_URL), rows);
  for (const each of [env, onNode]) {
    const after = await startProcess(each);
    assert.deepEqual(await allAnswers(after, owner, name), answers);
    await after.kill('SIGTERM');
  }
  // By the role that owns the tables, which is not a superuser.
  const elsewhere = await startProcess(onNode);
  const later = { name: 'later', fields: [{ name: 'title', type: 'string' }] };
  await createClient(elsewhere.url, { 'x-api-key': tenant.apiKey }).post('/api/entities', later);
  await elsewhere.kill('SIGTERM');
});
