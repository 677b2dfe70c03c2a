import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { gunzipSync, gzipSync } from 'node:zlib';
import { createWorld } from '../contract/world.ts';
import { createClient } from '../harness/client.ts';
import { insertRow } from '../harness/entity-rows.ts';
import { asOwner, freshDatabase, freshFolder } from '../harness/fresh-database.ts';
import { runTessera, startProcess } from '../harness/process.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startOwnApp } from '../harness/test-app.ts';
import { testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['embedded', 'server'];
export const neverRunsOn = ['cluster'];

const serverUrl = testServerUrl();
const run = promisify(execFile);

const app = await startOwnApp();
const tenant = await app.createTenant();
const receiver = await startReceiver();
await createWorld(tenant, receiver.url);
const texts = { name: 'Ünïcode \u2028 "\\n"', form_type: 'embedded_form', active: true, allowed_origins: [] };
const { code: formCode } = (
  await tenant.api.post('/api/forms', {
    ...texts,
    formBuilderOptions: { pages: [{ name: 'p', elements: [{ type: 'text', name: 'q' }] }] },
  })
).body;
await tenant.api.post('/api/webhooks', {
  name: 'With a secret',
  event: { event_type: 'form.submission', form_code: formCode },
  target: { url: receiver.url, headers: [{ name: 'X-Secret', value: 'correct horse', is_secret: true }] },
});
// Two kinds of record that refer to each other, in a circle.
const { database } = app.app.platform;
const refersTo = (name: string, entity: string) => ({
  name,
  type: 'relation',
  relation: { entity, kind: 'belongs_to' },
});
const words = { name: 'words', type: 'text', searchable: true, required: true };
await tenant.api.post('/api/entities', { name: 'writer', fields: [words] });
await tenant.api.post('/api/entities', { name: 'novel', fields: [words, refersTo('writer', 'writer')] });
await tenant.api.put('/api/entities/writer', { fields: [words, refersTo('first_novel', 'novel')] });
const writer = await insertRow(database, tenant, 'writer', { f_words: texts.name });
const novel = await insertRow(database, tenant, 'novel', { f_words: '', f_writer_id: writer });
await insertRow(database, tenant, 'writer', { f_words: 'x', f_first_novel_id: novel });
await app.app.stop();

const source: Readonly<Record<string, string>> = { ...app.env, LOG_LEVEL: 'info' };
const folder = await freshFolder();
const file = join(folder, 'first.backup');
const written = await runTessera(['backup', file], source);
assert.equal(written.code, 0, written.output);

/** Returns the lines of a backup except the first, which has the time; the rows of each table are sorted. */
async function tablesOf(path: string): Promise<string[][]> {
  const tables: string[][] = [];
  const lines = gunzipSync(await readFile(path))
    .toString()
    .split('\n');
  for (const line of lines.slice(1)) {
    if (line.startsWith('{')) tables.push([line]);
    else tables.at(-1)?.push(line);
  }
  return tables.map(([head = '', ...rows]) => [head, ...rows.toSorted()]);
}

/** Returns the environment of an empty database, with everything else as in the source. */
async function freshTarget(url = serverUrl): Promise<Record<string, string>> {
  const { DATABASE_URL: _, ...shared } = source;
  return { ...shared, ...(await freshDatabase(url)) };
}

async function requireService(env: Readonly<Record<string, string>>): Promise<void> {
  const restored = await startProcess(env);
  const api = createClient(restored.url, { 'x-api-key': tenant.apiKey });
  assert.equal((await api.get('/api/tenant/info')).body.code, tenant.code);
  assert.equal((await api.get(`/api/forms/${formCode}`)).body.name, texts.name);
  // Their tables follow their definitions again, and change with them.
  const { body } = await api.put(
    '/api/entities/novel',
    { fields: [{ ...words, min: 1 }], drop: ['writer'] },
    422,
  );
  assert.match(body.issues[0].message, /^1 record below/);
  await api.put('/api/entities/novel', { fields: [], drop: ['words', 'writer'] });
  const count = receiver.received.length;
  const { results } = (await api.get(`/api/webhooks?form_code=${formCode}`)).body;
  await api.post(`/api/webhooks/${results[0].id}/test`, {});
  // Deliveries that were pending in the source arrive here, too.
  const secrets = receiver.received.slice(count).map(({ headers }) => headers['x-secret']);
  assert.ok(secrets.includes('correct horse'), `the receiver got ${secrets}`);
  await restored.kill('SIGTERM');
}

for (const [what, url] of [
  ['a fresh database of the same kind', serverUrl],
  ...(serverUrl ? ([['the embedded database', undefined]] as const) : []),
] as const) {
  test(`a backup restored into ${what} contains every row exactly and starts immediately`, async () => {
    const env = await freshTarget(url);
    const restored = await runTessera(['restore', file], env);
    assert.equal(restored.code, 0, restored.output);
    assert.match(restored.output, /^Restored \d{2,} rows of \d{4}-\d\d-\d\dT/);
    const again = join(folder, `again-${url ? 'server' : 'embedded'}.backup`);
    assert.equal((await runTessera(['backup', again], env)).code, 0);
    assert.deepEqual(await tablesOf(again), await tablesOf(file));
    await requireService(env);
    const second = await runTessera(['restore', file], env);
    assert.deepEqual([second.code, /^The database already has tenants/.test(second.output)], [1, true]);
  });
}

// The file decides the result, and processes on a server start much faster.
test('a backup with another SECRET_KEY, a truncated backup or another file is not restored', {
  skip: !serverUrl && 'needs TEST_DATABASE_URL',
}, async () => {
  const env = await freshTarget();
  const refusal = async (path: string, other: Record<string, string> = {}) => {
    const { code, output } = await runTessera(['restore', path], { ...env, ...other });
    assert.equal(code, 1);
    assert.equal(output.trim().split('\n').length, 1, output);
    return output;
  };
  const otherKey = { SECRET_KEY: randomBytes(32).toString('base64') };
  assert.match(await refusal(file, otherKey), /^SECRET_KEY is not the one of this backup/);
  const cut = join(folder, 'cut.backup');
  await writeFile(cut, (await readFile(file)).subarray(0, -100));
  assert.match(await refusal(cut), /cannot be read as a backup: unexpected end of file/);
  const text = gunzipSync(await readFile(file)).toString();
  await writeFile(cut, gzipSync(text.slice(0, text.lastIndexOf('{"rows"'))));
  assert.match(await refusal(cut), /^The backup is truncated/);
  await writeFile(cut, gzipSync('{"a":1}\n'));
  assert.match(await refusal(cut), /^This is not a backup of Tessera/);
  const taken = await runTessera(['backup', file], source);
  assert.deepEqual([taken.code, /already exists/.test(taken.output)], [1, true]);
  const nowhere = await runTessera(['backup', join(folder, 'none', 'b')], source);
  assert.deepEqual([nowhere.code, /cannot be written: ENOENT/.test(nowhere.output)], [1, true]);
  assert.equal((await runTessera(['restore', file], env)).code, 0, 'nothing was left behind');
});

test('a pg_dump restored where the role has no rights starts', {
  skip: !serverUrl && 'needs TEST_DATABASE_URL',
}, async () => {
  const env = await freshTarget();
  const dump = join(folder, 'dump.sql');
  await run('pg_dump', ['--no-owner', '--no-privileges', '--file', dump, source.DATABASE_URL ?? '']);
  await run('psql', ['--quiet', '--set', 'ON_ERROR_STOP=1', '--file', dump, env.DATABASE_URL ?? '']);
  await requireService(env);
});

test('a start creates the missing role and grants its rights', async () => {
  await asOwner(source, async ({ pool }) => {
    // All databases of a server share roles, and other tests work with this one.
    await pool.query('drop owned by tessera_app');
    if (!serverUrl) await pool.query('drop role tessera_app');
  });
  const checked = await runTessera(['check'], source);
  assert.equal(checked.code, 1, checked.output);
  await requireService(source);
  assert.equal((await runTessera(['check'], source)).code, 0);
});
