import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findSuppressions, type NewSuppression, type SuppressionType, suppress } from '../index.ts';

const app = await startTestApp();
const LIST = '/api/email_settings/suppressions/list';
const ONE = '/api/email_settings/suppressions';

const scoped = ({ tenantId }: TestTenant) => app.app.platform.scoped(wholeTenant(tenantId));

function entry(recipient: string, type: SuppressionType, minute = 0): NewSuppression {
  return { recipient, type, description: `${type} ${minute}`, at: new Date(Date.UTC(2026, 0, 1, 0, minute)) };
}

async function read(tenant: TestTenant, recipient: string) {
  return (await tenant.api.get(`${LIST}/${encodeURIComponent(recipient)}`)).body;
}

test('suppressions are listed newest first, by type, in pages of 20 at most 100', async () => {
  const tenant = await app.createTenant();
  const entries = Array.from({ length: 45 }, (_, n) =>
    entry(`r${n}@example.com`, n % 3 === 0 ? 'complaint' : 'bounce', n),
  );
  await suppress(scoped(tenant), entries);
  const first = (await tenant.api.get(LIST)).body;
  assert.deepEqual(first.metadata, { total: 45, page: 1, pageSize: 20 });
  assert.equal(first.results.length, 20);
  assert.deepEqual(first.results[0], {
    recipient: 'r44@example.com',
    type: 'bounce',
    description: 'bounce 44',
    created_at: '2026-01-01T00:44:00.000Z',
  });
  const last = (await tenant.api.get(`${LIST}?page=3&pageSize=20`)).body;
  assert.deepEqual([last.results.length, last.metadata.total], [5, 45]);
  const beyond = (await tenant.api.get(`${LIST}?page=9&pageSize=100`)).body;
  assert.deepEqual(beyond, { results: [], metadata: { total: 45, page: 9, pageSize: 100 } });
  const complaints = (await tenant.api.get(`${LIST}?type=complaint&pageSize=100`)).body;
  assert.equal(complaints.metadata.total, 15);
  assert.ok(complaints.results.every(({ type }: { type: string }) => type === 'complaint'));
});

test('a page that cannot be is refused', async () => {
  const tenant = await app.createTenant();
  for (const query of ['page=0', 'page=x', 'pageSize=0', 'pageSize=101', 'type=other', 'page=1e99'])
    assert.equal((await tenant.api.get(`${LIST}?${query}`, 400)).body.error.code, 'INVALID_REQUEST', query);
});

test('spellings of one address are one recipient, to read, to find and to remove', async () => {
  const tenant = await app.createTenant();
  await suppress(scoped(tenant), [entry(' Ada@Example.COM\u00a0', 'bounce')]);
  assert.equal((await read(tenant, 'ADA@example.com')).recipient, 'ada@example.com');
  const found = await findSuppressions(
    scoped(tenant),
    ['aDa@example.com', 'ada@example.com', 'b@x.example'],
    true,
  );
  assert.deepEqual([...found.keys()], ['ada@example.com']);
  const { body } = await tenant.api.delete(`${ONE}/${encodeURIComponent(' ADA@EXAMPLE.com')}`);
  assert.deepEqual(body, { recipient: 'ada@example.com' });
  const { error } = (await tenant.api.get(`${LIST}/ada@example.com`, 404)).body;
  assert.equal(error.code, 'SUPPRESSION_NOT_FOUND');
  assert.equal(
    (await tenant.api.delete(`${ONE}/ada@example.com`, 404)).body.error.code,
    'SUPPRESSION_NOT_FOUND',
  );
});

test('bounces and complaints stop all mail, an unsubscribe only what is not transactional', async () => {
  const tenant = await app.createTenant();
  const types = ['bounce', 'complaint', 'unsubscribe'] as const;
  await suppress(
    scoped(tenant),
    types.map((type) => entry(`${type}@example.com`, type)),
  );
  const recipients = types.map((type) => `${type}@example.com`);
  const stopped = async (transactional: boolean) =>
    [...(await findSuppressions(scoped(tenant), recipients, transactional)).keys()].sort();
  assert.deepEqual(await stopped(true), ['bounce@example.com', 'complaint@example.com']);
  assert.deepEqual(await stopped(false), recipients.sort());
  assert.equal((await findSuppressions(scoped(tenant), [], false)).size, 0);
});

test('who is suppressed stays so for the first reason, unless the next one is stronger', async () => {
  const tenant = await app.createTenant();
  const db = scoped(tenant);
  const story: [SuppressionType, number, string][] = [
    ['unsubscribe', 1, 'unsubscribe 1'],
    ['unsubscribe', 2, 'unsubscribe 1'],
    ['bounce', 3, 'bounce 3'],
    ['unsubscribe', 4, 'bounce 3'],
    ['complaint', 5, 'complaint 5'],
    ['bounce', 6, 'complaint 5'],
  ];
  for (const [type, minute, description] of story) {
    await suppress(db, [entry('a@example.com', type, minute)]);
    assert.equal((await read(tenant, 'a@example.com')).description, description);
  }
  await suppress(db, [
    entry('b@example.com', 'unsubscribe'),
    entry('B@example.com', 'complaint', 7),
    entry('b@example.com', 'bounce'),
  ]);
  assert.equal((await read(tenant, 'b@example.com')).description, 'complaint 7');
});

test('thousands of recipients are suppressed and found in one statement each, by two writers at once', async () => {
  const tenant = await app.createTenant();
  const recipients = Array.from({ length: 10_000 }, (_, n) => `r${n}@example.com`);
  const entries = recipients.map((recipient) => entry(recipient, 'bounce'));
  await Promise.all([suppress(scoped(tenant), entries), suppress(scoped(tenant), entries.toReversed())]);
  assert.equal((await findSuppressions(scoped(tenant), recipients, true)).size, recipients.length);
});

test('a suppression rolled back with its transaction never was', async () => {
  const tenant = await app.createTenant();
  const failing = scoped(tenant).transaction(async (tx) => {
    await suppress(tx, [entry('a@example.com', 'bounce')]);
    throw new Error('undone');
  });
  await assert.rejects(failing, /undone/);
  await tenant.api.get(`${LIST}/a@example.com`, 404);
});

test('texts that are no address are recipients that nothing is known of', async () => {
  const tenant = await app.createTenant();
  for (const text of ["' or 1=1 --", '%', '*', 'a'.repeat(300), '@', ' '])
    await tenant.api.get(`${LIST}/${encodeURIComponent(text)}`, 404);
});

test('another tenant neither sees nor removes a suppression', async () => {
  const [one, two] = [await app.createTenant(), await app.createTenant()];
  await suppress(scoped(one), [entry('a@example.com', 'bounce')]);
  await two.api.get(`${LIST}/a@example.com`, 404);
  await two.api.delete(`${ONE}/a@example.com`, 404);
  assert.equal((await two.api.get(LIST)).body.metadata.total, 0);
  assert.equal((await findSuppressions(scoped(two), ['a@example.com'], true)).size, 0);
  assert.equal((await read(one, 'a@example.com')).type, 'bounce');
});

test('only an admin of Default or an owner removes a suppression; without a unit none is seen', async () => {
  const tenant = await app.createTenant();
  await suppress(scoped(tenant), [entry('a@example.com', 'bounce')]);
  const editor = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  const admin = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const nobody = await createMember(tenant, []);
  await nobody.api.get(`${LIST}/a@example.com`, 404);
  const { body } = await nobody.api.get(LIST);
  assert.deepEqual(body, { results: [], metadata: { total: 0, page: 1, pageSize: 20 } });
  assert.equal((await editor.api.get(LIST)).body.metadata.total, 1);
  await editor.api.delete(`${ONE}/a@example.com`, 403);
  await admin.api.delete(`${ONE}/a@example.com`);
});
