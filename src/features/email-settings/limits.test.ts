import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../test/harness/members.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

const app = await startTestApp({ RATE_LIMITS: 'on' });
const tenant = await app.createTenant();
const PATH = '/api/email_settings';
const EMPTY = {
  sender_identities: [],
  whitelist_recipient_rules: [],
  subscription_types: [],
  subscriber_additional_fields: {},
};

/** Creates a member for one test: limits are counted per caller. */
async function newCaller() {
  return (await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }])).api;
}

function assertLimited(answer: { status: number; headers: Headers; body: { error?: { code?: string } } }) {
  assert.equal(answer.status, 429);
  assert.equal(answer.body.error?.code, 'RATE_LIMITED');
  assert.ok(Number(answer.headers.get('retry-after')) >= 1);
}

test('all GETs of the area share 100 calls a minute', async () => {
  const api = await newCaller();
  const paths = ['', '/subscription_types', '/sender_identities', '/sending_domains', '/suppressions/list'];
  for (let n = 0; n < 100; n += 1) await api.get(PATH + (paths[n % paths.length] ?? ''));
  for (const path of paths) assertLimited(await api.send('GET', PATH + path));
  await api.put(PATH, EMPTY);
});

test('all PUTs and POSTs of the area share 20 calls a minute', async () => {
  const api = await newCaller();
  for (let n = 0; n < 10; n += 1) {
    await api.put(PATH, EMPTY);
    await api.post(`${PATH}/sending_domains/absent.example/verify`, undefined, 404);
  }
  assertLimited(await api.send('PUT', PATH, { body: EMPTY }));
  assertLimited(await api.send('POST', `${PATH}/sending_domains`, { body: { domain: 'a.example' } }));
  await api.get(PATH);
});

test('all DELETEs of the area share 10 calls a minute, and callers do not share them', async () => {
  const api = await newCaller();
  for (let n = 0; n < 5; n += 1) {
    await api.delete(`${PATH}/suppressions/a@example.com`, 404);
    await api.delete(`${PATH}/sending_domains/absent.example`, 404);
  }
  assertLimited(await api.send('DELETE', `${PATH}/sender_identities/a@example.com`));
  await (await newCaller()).delete(`${PATH}/suppressions/a@example.com`, 404);
});
