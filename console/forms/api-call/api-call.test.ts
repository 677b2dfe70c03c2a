import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import type { Operation } from '../operation.ts';
import type { ApiCall } from './api-call.ts';
import { toCurl } from './curl.ts';
import { toSdkCode } from './sdk-code.ts';

const operation: Operation = {
  name: 'webhooks.replace',
  method: 'PUT',
  path: '/api/webhooks/{id}',
  credential: 'ApiKey',
  access: 'editor',
  fields: {
    name: { kind: 'text', isRequired: true },
    secret: { kind: 'text', isSecret: true, isNullable: true },
    target: { kind: 'object', fields: { token: { kind: 'text', isSecret: true } } },
    tags: { kind: 'list' },
  },
};
const NAME = `It's "quoted" \\ $HOME \`id\` 🙂\nsecond line`;

function callWith(changes: Partial<ApiCall>): ApiCall {
  return {
    operation,
    path: ['a/b'],
    body: { name: 'CRM' },
    url: 'https://api.example',
    hasUnit: false,
    ...changes,
  };
}

/** Returns the arguments that a shell passes to curl. */
async function argumentsOf(call: ApiCall): Promise<string[]> {
  const script = `curl() { printf '%s\\0' "$@"; }\n${toCurl(call)}`;
  const env = { TESSERA_API_KEY: 'tsk_1', TESSERA_BUSINESS_UNIT: 'unit-token', HOME: '/home/x' };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', script], { env });
  return stdout.split('\0').slice(0, -1);
}

test('a shell passes the call to curl as it is, whatever the values contain', async () => {
  const [x, method, url, ...rest] = await argumentsOf(callWith({ body: { name: NAME, tags: ['a', "b'c"] } }));
  assert.deepEqual([x, method, url], ['-X', 'PUT', 'https://api.example/api/webhooks/a%2Fb']);
  assert.deepEqual(rest.slice(0, 4), ['-H', 'X-API-Key: tsk_1', '-H', 'Content-Type: application/json']);
  assert.deepEqual(JSON.parse(rest[5] ?? ''), { name: NAME, tags: ['a', "b'c"] });
});

test('a call in a business unit sends the token of the unit', async () => {
  assert.ok((await argumentsOf(callWith({ hasUnit: true }))).includes('X-Business-Unit: unit-token'));
  assert.match(toSdkCode(callWith({ hasUnit: true })), /businessUnit: process\.env\.TESSERA_BUSINESS_UNIT/);
});

test('secrets are replaced by placeholders, in objects and lists too', () => {
  const headers = [{ name: 'Authorization', value: 'hidden-3', is_secret: true }];
  const body = { name: 'CRM', secret: 'hidden-1', target: { token: 'hidden-2' }, headers };
  for (const code of [toCurl(callWith({ body })), toSdkCode(callWith({ body }))]) {
    assert.doesNotMatch(code, /hidden/);
    for (const placeholder of ['<secret>', '<token>', '<value>']) assert.ok(code.includes(placeholder));
  }
});

test('a secret that is kept is not sent, and one that is removed is null', () => {
  assert.doesNotMatch(toCurl(callWith({ body: { name: 'CRM', secret: undefined } })), /secret/);
  assert.match(toCurl(callWith({ body: { secret: null } })), /"secret": null/);
});

test('the program calls the method of the SDK with the same values', () => {
  const body = { tags: [], name: "It's", target: { 'x-y': 1 } };
  assert.equal(
    toSdkCode(callWith({ body })),
    `import { Tessera } from 'tessera-sdk';

const tessera = new Tessera({
  url: 'https://api.example',
  apiKey: process.env.TESSERA_API_KEY,
});
await tessera.webhooks.replace('a/b', {
  name: 'It\\'s',
  target: {
    'x-y': 1,
  },
  tags: [],
});`,
  );
});

test('a call without a body has neither a content type nor an input', () => {
  const call = callWith({ body: undefined });
  assert.doesNotMatch(toCurl(call), /Content-Type| -d /);
  assert.match(toSdkCode(call), /replace\('a\/b'\);$/);
});
