/** The commands as used by somebody who has not started Tessera yet, or calls them wrongly. */
import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'node:test';
import { Client } from 'pg';
import { createClient } from '../harness/client.ts';
import { freshDatabase, freshFolder } from '../harness/fresh-database.ts';
import { runRefusedProcess, runTessera, startProcess } from '../harness/process.ts';
import { testServerUrl } from '../harness/test-database.ts';

export const runsOn = ['embedded', 'server'];
export const neverRunsOn = ['cluster'];

const serverUrl = testServerUrl();
const SECRET_KEY = randomBytes(32).toString('base64');

/** Runs a command that must fail with one line on standard error and no other output. */
async function failure(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  code = 1,
): Promise<string> {
  const ended = await runTessera(args, env);
  assert.deepEqual([ended.code, ended.output], [code, ended.errors], ended.output);
  assert.match(ended.errors, /^[^\n]+\n$/);
  return ended.errors;
}

test('commands that check, read or restore create nothing if there is no data, and say so', async () => {
  const DATA_DIR = join(await freshFolder(), 'data');
  const [checked, backup, key, restore, file] = await Promise.all([
    runTessera(['check'], { DATA_DIR }),
    failure(['backup', join(DATA_DIR, 'b')], { DATA_DIR }),
    failure(['create-key', '--tenant', 'demo', '--owner'], { DATA_DIR }),
    failure(['restore', 'no-file'], { DATA_DIR }),
    failure(['restore', 'no-file'], { DATA_DIR, SECRET_KEY }),
  ]);
  assert.deepEqual([checked.code, checked.errors], [0, '']);
  assert.match(checked.output, /^The folder \S+ has no database yet: the first start creates it\.$/m);
  for (const refusal of [backup, key]) assert.match(refusal, /^There is no database in the data folder /);
  assert.match(restore, /^SECRET_KEY is missing: this backup already has a key/);
  assert.match(file, /^no-file cannot be read as a backup: ENOENT/);
  await assert.rejects(readdir(DATA_DIR), { code: 'ENOENT' });
});

test('commands on a server database need no data folder', {
  skip: !serverUrl && 'needs TEST_DATABASE_URL',
}, async () => {
  const { DATABASE_URL = '', DATA_DIR: folder = '' } = await freshDatabase(serverUrl);
  const DATA_DIR = join(folder, 'data');
  const { output } = await runTessera(['check'], { DATABASE_URL, DATA_DIR, SECRET_KEY });
  assert.match(output, /^It is empty/m);
  await assert.rejects(readdir(DATA_DIR), { code: 'ENOENT' });
});

test('check reports a role that could not create tessera_app', {
  skip: !serverUrl && 'needs TEST_DATABASE_URL',
}, async () => {
  const { DATABASE_URL = '', DATA_DIR: folder = '' } = await freshDatabase(serverUrl);
  const name = `plain_${randomUUID().replaceAll('-', '')}`;
  const admin = new Client(DATABASE_URL);
  await admin.connect();
  try {
    await admin.query(`create role ${name} login password '${name}'`);
    const plain = new URL(DATABASE_URL);
    [plain.username, plain.password] = [name, name];
    const env = { DATABASE_URL: plain.href, DATA_DIR: join(folder, 'data'), SECRET_KEY };
    const { code, errors } = await runTessera(['check'], env);
    assert.equal(code, 1);
    assert.match(
      errors,
      new RegExp(`^The role ${name} has no CREATEROLE, .*grant tessera_app to ${name};$`, 'm'),
    );
  } finally {
    await admin.query(`drop role if exists ${name}`);
    await admin.end();
  }
});

test('a missing key is not replaced without confirmation', {
  skip: serverUrl && 'a server has no key file',
}, async () => {
  const { DATA_DIR = '' } = await freshDatabase(serverUrl);
  const keyFile = join(DATA_DIR, 'secret-key');
  await writeFile(keyFile, SECRET_KEY);
  const tenant = ['create-tenant', '--code', 'acme', '--email', 'ada@acme.example'];
  assert.equal((await runTessera(tenant, { DATA_DIR })).code, 0);
  await rm(keyFile);
  const { code, output } = await runRefusedProcess({ DATA_DIR });
  assert.deepEqual(
    [code, /^SECRET_KEY is missing: this database already has a key[^\n]*\n$/.test(output)],
    [1, true],
  );
  for (const args of [['backup', join(DATA_DIR, 'b')], ['migrate']]) {
    assert.match((await runTessera(args, { DATA_DIR })).errors, /^SECRET_KEY is missing/);
  }
  assert.ok(!(await readdir(DATA_DIR)).includes('secret-key'));
  assert.equal((await runTessera(['migrate', '--accept-key'], { DATA_DIR })).code, 0);
  assert.equal((await runTessera(['check'], { DATA_DIR })).code, 0);
});

test('an owner created on the command line signs in with the printed password, or the next one', {
  // Processes start much faster on a server.
  skip: !serverUrl && 'needs TEST_DATABASE_URL',
}, async () => {
  const env = { ...(await freshDatabase(serverUrl)), SECRET_KEY, ADMIN_TOKEN: 'a'.repeat(32) };
  const email = 'ada@acme.example';
  const created = await runTessera(['create-tenant', '--code', 'acme', '--email', email], env);
  const [, first = ''] = / signs in with the password (\w{20})$/m.exec(created.output) ?? [];
  assert.ok(first, created.output);
  const again = await runTessera(['create-tenant', '--code', 'other', '--email', email], env);
  assert.match(again.output, /signs in with their existing password/);
  const set = await runTessera(['set-password', '--email', email], env);
  assert.match(set.output, /^\w{20}\n$/);
  const short = await failure(['set-password', '--email', email, '--password', 'short'], env, 2);
  assert.match(short, /^tessera set-password: --password [^\n]*8/);
  assert.match(await failure(['set-password', '--email', 'x@acme.example'], env), /^No user has this email/);
  const { url, kill } = await startProcess(env);
  const login = async (password: string) => {
    const body = { email, password, tenant_code: 'acme' };
    return (await createClient(url).send('POST', '/auth/login', { body })).status;
  };
  assert.deepEqual([await login(first), await login(set.output.trim())], [401, 200]);
  await kill('SIGTERM');
});

test('errors are one line on standard error, and wrong usage exits with 2', async () => {
  const DATA_DIR = join(await freshFolder(), 'data');
  const usage = async (...args: string[]) => failure(args, { DATA_DIR, SECRET_KEY }, 2);
  const tenant = ['create-tenant', '--code', 'A', '--email', 'nobody'];
  const [command, option, faults, path, help] = await Promise.all([
    usage('bogus'),
    usage('check', '--all'),
    usage(...tenant),
    failure(['openapi', join(DATA_DIR, 'none', 'x')], {}),
    runTessera(['-h'], {}),
  ]);
  assert.equal(command, 'tessera: unknown command bogus (tessera --help)\n');
  assert.match(option, /^tessera check: Unknown option '--all' \(tessera check --help\)$/m);
  assert.match(
    faults,
    /^tessera create-tenant: --code must match .*; --email must be a valid email address \(tessera/,
  );
  assert.match(path, /x cannot be written: ENOENT/);
  assert.deepEqual([help.code, help.errors], [0, '']);
  assert.match(help.output, /^Usage: tessera COMMAND/);
});
