import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type App, startApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { sealedColumns } from '../../src/open-platform.ts';
import { SEALED_VALUE } from '../../src/secrets/secret-box.ts';
import { createWorld } from '../contract/world.ts';
import { action, automation } from '../harness/automations.ts';
import { type Client, createClient } from '../harness/client.ts';
import { createJourney } from '../harness/journeys.ts';
import { eventually } from '../harness/poll.ts';
import { runTessera } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startOwnApp, type TestTenant } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const SECRET = 'a secret of sixteen characters';
const receiver = await startReceiver();

/** Columns with encrypted values, and the ids of the keys. */
async function findSealed({ platform }: App): Promise<Map<string, Set<string>>> {
  const all = platform.database.everyTenant('tests');
  const { rows: columns } = await all.raw(sql<{ table: string; column: string }>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'json')
      and c.table_name not like 'schema\\_%'`);
  const found = new Map<string, Set<string>>();
  for (const { table, column } of columns) {
    const text = sql`${sql.ref(column)}::text`;
    const { rows } = await all.raw(
      sql<{
        text: string;
      }>`select ${text} as text from ${sql.table(table)} where ${text} ~ ${SEALED_VALUE.source}`,
    );
    const keys = rows.flatMap((row) => [...row.text.matchAll(SEALED_VALUE)].map(([, keyId = '']) => keyId));
    if (keys.length > 0) found.set(`${table}.${column}`, new Set(keys));
  }
  return found;
}

/** Returns true if a test delivery of the webhook is signed with its secret. Other deliveries may arrive meanwhile. */
async function requireSecret(api: Client, webhookId: string): Promise<void> {
  const count = receiver.received.length;
  await api.post(`/api/webhooks/${webhookId}/test`, {});
  const secrets = receiver.received.slice(count).map(({ headers }) => headers['x-secret']);
  assert.ok(secrets.includes(SECRET), `the receiver got ${secrets}`);
}

/** Environments during the replacement of a key, and after it. */
function rotate({ SECRET_KEY: old = '', ...rest }: Readonly<Record<string, string>>) {
  const replaced = { ...rest, SECRET_KEY: randomBytes(32).toString('base64') };
  return { replaced, rotating: { ...replaced, SECRET_KEY_PREVIOUS: old } };
}

async function startWith(env: Readonly<Record<string, string>>): Promise<App> {
  return startApp(loadConfig(env), { log: pino({ level: 'fatal' }) });
}

function apiOf({ platform }: App, { apiKey }: { readonly apiKey: string }) {
  return createClient(platform.publicUrl().replace('localhost', '127.0.0.1'), { 'x-api-key': apiKey });
}

/** Runs the job that re-encrypts, as its schedule would. */
async function reencryptAll(app: App): Promise<void> {
  await sql`update jobs set due_at = now(), planned_at = now() where name = 'secrets.seal-anew'`.execute(
    app.platform.database.everyTenant('tests').query,
  );
  await eventually('all to be re-encrypted', async () => {
    const keys = [...(await findSealed(app)).values()].flatMap((ids) => [...ids]);
    return keys.every((keyId) => keyId === app.platform.secrets.keyId);
  });
}

/** Posts a notice like a mail provider, and returns the status. The URL names the app that created it. */
async function postBounce({ platform }: App, url: string): Promise<number> {
  const { port } = new URL(platform.publicUrl());
  const { status } = await fetch(`http://127.0.0.1:${port}${new URL(url).pathname}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ RecordType: 'Bounce', Type: 'HardBounce', Email: 'ada@example.com' }),
  });
  return status;
}

/** Saves an automation and a journey whose HTTP calls have a secret header. */
async function createSecretHeaders(tenant: TestTenant): Promise<void> {
  const headers = { 'X-Secret': { value: SECRET, is_secret: true } };
  const call = (key: string) => action(key, 'httpRequest', { method: 'GET', url: receiver.url, headers });
  const condition = {
    combinator: 'and',
    rules: [{ field: 'go', operator: 'equals', value: 'yes' }],
  };
  const conditionalActions = [{ condition, actions: [call('second')] }];
  const further = { conditionalActions, on_failure: [call('third')] };
  await tenant.api.post('/api/automations', automation('secretive', [call('first')], further));
  await createJourney(tenant, [
    { key: 'call', type: 'http_request', method: 'GET', url: receiver.url, headers },
  ]);
}

test('after SECRET_KEY is replaced all secrets open, are re-encrypted, and the old key can be removed', async () => {
  const first = await startOwnApp();
  const tenant = await first.createTenant();
  const name = await createWorld(tenant, receiver.url);
  assert.ok(name);
  const form = (await tenant.api.post('/api/forms/list', { page: 1, limit: 1, filters: {} })).body.results[0];
  const hook = {
    name: 'Secret',
    event: { event_type: 'form.submission', form_code: form.code },
    target: { url: receiver.url, headers: [{ name: 'X-Secret', value: SECRET, is_secret: true }] },
    signing_secret: SECRET,
  };
  const again = { 'idempotency-key': 'once' };
  const { id } = (await tenant.api.with(again).post('/api/webhooks', hook)).body;
  const settings = (await tenant.api.get('/api/email_settings')).body;
  const events = {
    name: 'Events',
    target: receiver.url,
    events: ['open'],
    active: true,
    signing_secret: SECRET,
  };
  await tenant.api.put('/api/email_settings', { ...settings, event_webhooks: [events] });
  await tenant.api.post('/api/email_settings/provider_hooks', { provider: 'mailgun', signing_key: SECRET });
  const { url: hookUrl } = (
    await tenant.api.post('/api/email_settings/provider_hooks', { provider: 'postmark' })
  ).body;
  await createSecretHeaders(tenant);
  const listed = sealedColumns.map(({ table, column }) => `${table}.${column}`);
  const sealed = [...(await findSealed(first.app)).keys()].filter(
    (place) => !place.startsWith('secret_keys.'),
  );
  assert.deepEqual(
    sealed.sort(),
    listed.sort(),
    'every column with secrets is in the `sealed` of its feature',
  );
  await first.app.stop();

  const { replaced, rotating } = rotate(first.env);
  const app = await startWith(rotating);
  const api = apiOf(app, tenant);
  assert.equal((await api.with(again).post('/api/webhooks', hook)).body.id, id, 'a repeat is known');
  await requireSecret(api, id);
  assert.equal(await postBounce(app, hookUrl), 200);
  await reencryptAll(app);
  await requireSecret(api, id);
  await app.stop();

  const result = await runTessera(['check'], rotating);
  assert.deepEqual([result.code, /remove SECRET_KEY_PREVIOUS/.test(result.output)], [0, true], result.output);
  const last = await startWith(replaced);
  assert.equal(await postBounce(last, hookUrl), 404);
  const { url: newHookUrl } = (
    await apiOf(last, tenant).post('/api/email_settings/provider_hooks', { provider: 'postmark' })
  ).body;
  assert.equal(await postBounce(last, newHookUrl), 200);
  await last.stop();
  const before = await runTessera(['check'], first.env);
  assert.match(before.output, /^SECRET_KEY is not the one of this database/m);
});

test('while a secret is encrypted with the previous key, a start without that key is refused', async () => {
  const first = await startOwnApp();
  await first.app.stop();
  const { replaced, rotating } = rotate(first.env);
  await (await startWith(rotating)).stop();
  await assert.rejects(startWith(replaced), /^SecretKeyError: SECRET_KEY_PREVIOUS is missing or wrong/);
  const accepted = await runTessera(['migrate', '--accept-key'], replaced);
  assert.equal(accepted.code, 0, accepted.output);
  await (await startWith(replaced)).stop();
});

test('secrets of a process that still uses the previous key are found and re-encrypted', {
  skip: databaseKind() === 'embedded' && 'the embedded database has one process',
}, async () => {
  const first = await startOwnApp();
  const tenant = await first.createTenant();
  const event = { event_type: 'form.submission', form_code: await createForm(tenant.api) };
  const target = { url: receiver.url, headers: [] };
  const hook = { name: 'Signed', event, target, signing_secret: SECRET };
  await tenant.api.post('/api/webhooks', hook);
  const secretOf = async ({ platform }: App) => {
    const { rows } = await platform.database
      .everyTenant('tests')
      .raw(sql<{ sealed: string }>`select signing_secret as sealed from webhooks`);
    return rows[0]?.sealed ?? '';
  };
  const before = await secretOf(first.app);
  await first.app.stop();
  const { rotating } = rotate(first.env);
  const app = await startWith(rotating);
  await reencryptAll(app);
  assert.notEqual(await secretOf(app), before);
  await app.platform.database.everyTenant('tests').raw(sql`update webhooks set signing_secret = ${before}`);
  await app.stop();
  const early = await runTessera(['check'], rotating);
  assert.deepEqual([early.code, /^1 rows are still encrypted/.test(early.errors)], [1, true], early.output);
  const again = await startWith(rotating);
  await reencryptAll(again);
  await again.stop();
  assert.equal((await runTessera(['check'], rotating)).code, 0);
});
