/**
 * Checks every code block of the guides by its language. Other tests run commands (`bash`; guides.test.ts), the Python
 * and JavaScript of event webhooks (verification-samples.test.ts) and the SDK's README (sdk.test.ts).
 */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { Script } from 'node:vm';
import { PGlite } from '@electric-sql/pglite';
import Schema from 'typebox/schema';
import { signatureHeaders } from '../../src/outbound/webhook-signature.ts';
import { freePort } from '../harness/bash-blocks.ts';
import { freshFolder } from '../harness/fresh-database.ts';
import { blocksOf, type GuideBlock } from '../harness/guide-blocks.ts';
import { eventually } from '../harness/poll.ts';
import { listFiles, readText } from '../harness/repository.ts';
import { copyEmptyDatabase } from '../harness/test-database.ts';

export const neverRunsOn = ['cluster'];

/** Commands (`sh`) that no test runs, by page: how many blocks, and why. Their syntax is checked. */
const NOT_RUN: Readonly<Record<string, readonly [count: number, reason: string]>> = {
  'README.md': [2, 'install and start Tessera, and name its keys'],
  'docs/assistants.md': [1, 'needs a provider of models'],
  'docs/moving.md': [4, 'needs the systems that are moved from, or their exports'],
  'docs/operating.md': [9, 'start or copy a database of their own, or need Docker'],
  'docs/records.md': [1, 'needs jq and a file of customers'],
  'docs/scaling.md': [1, 'needs a cluster'],
  'docs/subscribers.md': [1, 'needs the token of a link in a mail'],
};

/** JSON without a schema in the API's document: bodies that Tessera sends. Only parsed. */
const PARSED_ONLY = ['docs/tracking-and-bounces.md'];

/** Languages that other test files run, or that mark output. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  bash: ['test/scenarios/guides.test.ts'],
  text: ['test/scenarios/guides.test.ts'],
  python: ['src/features/mail/email-event-webhooks/verification-samples.test.ts'],
};

const document = JSON.parse(await readText('openapi.json'));
const guides = [
  'README.md',
  ...(await listFiles('docs', '.md')).filter((path) => /^docs\/[^/]+$/.test(path)),
];
const blocks = (await Promise.all(guides.map(blocksOf))).flat();
const inLanguage = (...languages: string[]) => blocks.filter(({ language }) => languages.includes(language));
const placeOf = ({ page, line }: GuideBlock) => `${page}:${line}`;

test('every block has a language that a test checks', () => {
  const checked = [...Object.keys(ELSEWHERE), 'env', 'html', 'http', 'js', 'json', 'sh', 'sql'];
  const unchecked = blocks.filter(({ language }) => !checked.includes(language));
  assert.deepEqual(unchecked.map(placeOf), []);
});

test('JSON matches the schema that its fence names, and has no other members', () => {
  for (const block of inLanguage('json')) {
    const value: unknown = JSON.parse(block.code);
    if (block.info === '' && PARSED_ONLY.includes(block.page)) continue;
    const named = document.components.schemas[block.info];
    assert.ok(named, `${placeOf(block)} names no schema of openapi.json: "${block.info}"`);
    const schema = { $ref: `#/components/schemas/${block.info}`, components: document.components };
    const [isValid, errors] = Schema.Errors(schema, value);
    assert.ok(isValid, `${placeOf(block)} ${JSON.stringify(errors)}`);
    const unknown = Object.keys(Object(value)).filter((name) => !Object.hasOwn(named.properties, name));
    assert.deepEqual(unknown, [], placeOf(block));
  }
});

test('shell commands that no test runs are few, have a reason, and are valid', () => {
  const counts = new Map<string, number>();
  for (const block of inLanguage('sh')) {
    counts.set(block.page, (counts.get(block.page) ?? 0) + 1);
    // A placeholder such as <token> stands for a word.
    const code = block.code.replaceAll(/<[\w-]+>/g, 'placeholder');
    const { status, stderr } = spawnSync('bash', ['-n'], { input: code, encoding: 'utf8' });
    assert.equal(status, 0, `${placeOf(block)} ${stderr}`);
  }
  const listed = Object.entries(NOT_RUN).map(([page, [count]]) => [page, count]);
  assert.deepEqual(Object.fromEntries(counts), Object.fromEntries(listed));
});

test('environment files set variables that exist', async () => {
  const example = await readText('config.example.env');
  for (const block of inLanguage('env'))
    for (const line of block.code.trim().split('\n')) {
      const [, name = ''] = /^([A-Z_]+)=/.exec(line) ?? [];
      assert.match(example, new RegExp(`^#${name}=`, 'm'), `${placeOf(block)} ${line}`);
    }
});

test('HTTP messages have valid headers', () => {
  for (const block of inLanguage('http')) {
    const [head = ''] = block.code.split('\n\n');
    for (const line of head.trim().split('\n'))
      assert.match(line, /^(?:(?:GET|POST) \/\S*|[\w-]+: \S.*)$/, `${placeOf(block)} ${line}`);
  }
});

test('PostgreSQL can parse the SQL', async () => {
  const folder = await freshFolder();
  await copyEmptyDatabase(folder);
  const database = await PGlite.create(join(folder, 'db'));
  after(() => database.close());
  for (const block of inLanguage('sql')) {
    const code = block.code.replaceAll(/<tenant_id[^>]*>/g, '00000000-0000-0000-0000-000000000000');
    for (const statement of code.replaceAll(/--.*$/gm, '').split(';')) {
      if (statement.trim() === '') continue;
      await database.exec('begin');
      const error = await database.exec(statement).then(
        () => null,
        (cause: unknown) => Object(cause),
      );
      await database.exec('rollback');
      // Functions, tables and roles of a cluster are missing here; only syntax errors count.
      assert.notEqual(error?.code, '42601', `${placeOf(block)} ${error?.message}`);
    }
  }
});

test('scripts of HTML examples are valid, and their URLs are those of the service', () => {
  const paths = /^https:\/\/tessera\.example\/(?:embed\.js|assistant\.js|embed\/\w+|assets\/)/;
  for (const block of inLanguage('html')) {
    for (const [, script = ''] of block.code.matchAll(/<script>([\s\S]*?)<\/script>/g)) new Script(script);
    for (const [, address = ''] of block.code.matchAll(/ src="([^"]+)"/g))
      assert.match(address, paths, placeOf(block));
  }
});

test('the receiver in the guide to webhooks accepts signed events once and nothing else', async () => {
  const [block] = inLanguage('js').filter(({ page }) => page === 'docs/webhooks.md');
  const port = await freePort();
  const code = (block?.code ?? '').replace('listen(4000)', `listen(${port})`);
  const receiver = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: { ...process.env, SECRET: 'plain secret' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  after(() => receiver.kill());
  let printed = '';
  receiver.stdout.on('data', (chunk) => {
    printed += chunk;
  });
  const send = async (id: string, secret: string) => {
    const body = JSON.stringify({ data: { id, email_address: 'ada@example.org', form_data: {} } });
    const headers = signatureHeaders(secret, { id, at: new Date(), body });
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
    return answer.status;
  };
  const refused = await eventually('the receiver to listen', () => send('1', 'another').catch(() => false));
  assert.deepEqual(
    [refused, await send('2', 'plain secret'), await send('2', 'plain secret')],
    [401, 204, 204],
  );
  await eventually('the receiver to print', async () => printed.includes('ada@example.org'));
  assert.equal(printed.match(/ada@example\.org/g)?.length, 1);
});

test('the code in the guide to records computes the signature of a change', () => {
  const [block] = inLanguage('js').filter(({ page }) => page === 'docs/records.md');
  const payload = { event: 'order.created', data: { id: '1', title: 'Zoë' } };
  const signature = `sha256=${createHmac('sha256', 's3cret').update(JSON.stringify(payload)).digest('hex')}`;
  const lines = `(createHmac, body, secret) => { ${block?.code} return [signature, expected]; }`;
  const [actual, expected] = new Script(lines).runInThisContext()(
    createHmac,
    JSON.stringify({ ...payload, signature }),
    's3cret',
  );
  assert.equal(expected, actual);
});

test('a test runs every JavaScript block', () => {
  const pages = [...new Set(inLanguage('js').map(({ page }) => page))];
  assert.deepEqual(pages.sort(), ['docs/records.md', 'docs/tracking-and-bounces.md', 'docs/webhooks.md']);
});
