import assert from 'node:assert/strict';
import test from 'node:test';
import { createSentMessage } from '../../../../test/harness/email-messages.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { recordMessageEvents } from '../../mail/email-tracking/index.ts';
import { findSuppressions } from '../index.ts';
import type { SuppressionType } from './resource.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const LIST = '/api/email_settings/suppressions/list';
const ONE = '/api/email_settings/suppressions';

const scoped = ({ tenantId }: TestTenant) => app.app.platform.scoped(wholeTenant(tenantId));

interface Entry {
  readonly recipient: string;
  readonly type: SuppressionType;
  readonly minute: number;
}

function entry(recipient: string, type: SuppressionType, minute = 0): Entry {
  return { recipient, type, minute };
}

/** Suppresses recipients by recording events of their messages. */
async function suppress(tenant: TestTenant, entries: readonly Entry[]): Promise<void> {
  const events = await Promise.all(
    entries.map(async ({ recipient, type, minute }) => {
      const { tenantId, messageId } = await createSentMessage(app, tenant, { address: recipient });
      const occurredAt = new Date(Date.UTC(2026, 0, 1, 0, minute));
      const event = { tenantId, messageId, type, occurredAt, detail: `${type} ${minute}` };
      return type === 'bounce' ? { ...event, bounceClass: 'hard' as const } : event;
    }),
  );
  await recordMessageEvents(app.app.platform, events);
}

async function read(tenant: TestTenant, recipient: string) {
  return (await tenant.api.get(`${LIST}/${encodeURIComponent(recipient)}`)).body;
}

test('suppressions are listed newest first, by type, in pages of 20 and at most 100', async () => {
  const tenant = await app.createTenant();
  const entries = Array.from({ length: 45 }, (_, n) =>
    entry(`r${n}@example.com`, n % 3 === 0 ? 'complaint' : 'bounce', n),
  );
  await suppress(tenant, entries);
  const first = (await tenant.api.get(LIST)).body;
  assert.deepEqual(first.metadata, { total: 45, page: 1, pageSize: 20 });
  assert.equal(first.results.length, 20);
  assert.deepEqual(first.results[0], {
    recipient: 'r44@example.com',
    type: 'bounce',
    description: 'Hard bounce: bounce 44',
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

test('suppressions are found by parts of address and description, by cause and by what they say', async () => {
  const { api } = await app.createTenant();
  const add = (recipient: string, type: SuppressionType, description: string) =>
    api.post(ONE, { recipient, type, description });
  await add('ada@shop.example', 'bounce', 'Mailbox full');
  await add('ada@store.example', 'unsubscribe', 'Asked by phone');
  await add('bob@shop.example', 'unsubscribe', '100% sure');
  const find = async (query: string): Promise<readonly string[]> => {
    const { results, metadata } = (await api.get(`${LIST}?sort=recipient&${query}`)).body;
    assert.equal(metadata.total, results.length);
    return results.map(({ recipient }: { recipient: string }) => recipient);
  };
  assert.deepEqual(await find('search=ADA%40'), ['ada@shop.example', 'ada@store.example']);
  assert.deepEqual(await find('search=ada%20shop'), ['ada@shop.example']);
  assert.deepEqual(await find('search=phone'), ['ada@store.example']);
  assert.deepEqual(await find('search=ada&type=unsubscribe'), ['ada@store.example']);
  assert.deepEqual(await find('description=MAILBOX'), ['ada@shop.example']);
  assert.deepEqual(await find('description=0%25'), ['bob@shop.example']);
  assert.deepEqual(await find('search=shop&description=phone'), []);
});

test('an invalid page is rejected', async () => {
  const tenant = await app.createTenant();
  for (const query of ['page=0', 'page=x', 'pageSize=0', 'pageSize=101', 'type=other', 'page=1e99'])
    assert.equal((await tenant.api.get(`${LIST}?${query}`, 400)).body.error.code, 'INVALID_REQUEST', query);
});

test('spellings of one address are one recipient when reading, finding and removing', async () => {
  const tenant = await app.createTenant();
  await suppress(tenant, [entry(' Ada@Example.COM\u00a0', 'bounce')]);
  assert.equal((await read(tenant, 'ADA@example.com')).recipient, 'ada@example.com');
  const found = await findSuppressions(
    app.app.platform,
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

test('bounces and complaints stop all mail, an unsubscribe only non-transactional mail', async () => {
  const tenant = await app.createTenant();
  const types = ['bounce', 'complaint', 'unsubscribe'] as const;
  await suppress(
    tenant,
    types.map((type) => entry(`${type}@example.com`, type)),
  );
  const recipients = types.map((type) => `${type}@example.com`);
  const stopped = async (transactional: boolean) =>
    [...(await findSuppressions(app.app.platform, scoped(tenant), recipients, transactional)).keys()].sort();
  assert.deepEqual(await stopped(true), ['bounce@example.com', 'complaint@example.com']);
  assert.deepEqual(await stopped(false), recipients.sort());
  assert.equal((await findSuppressions(app.app.platform, scoped(tenant), [], false)).size, 0);
});

test('a suppressed recipient keeps the first reason, unless a later one stops more mail', async () => {
  const tenant = await app.createTenant();
  const story: [SuppressionType, number, string][] = [
    ['unsubscribe', 1, 'unsubscribe 1'],
    ['unsubscribe', 2, 'unsubscribe 1'],
    ['bounce', 3, 'Hard bounce: bounce 3'],
    ['unsubscribe', 4, 'Hard bounce: bounce 3'],
    ['complaint', 5, 'Hard bounce: bounce 3'],
  ];
  for (const [type, minute, description] of story) {
    await suppress(tenant, [entry('a@example.com', type, minute)]);
    assert.equal((await read(tenant, 'a@example.com')).description, description);
  }
});

test('many recipients are suppressed and found together, also by two concurrent writers', async () => {
  const tenant = await app.createTenant();
  const recipients = Array.from({ length: 100 }, (_, n) => `r${n}@example.com`);
  const entries = recipients.map((recipient) => entry(recipient, 'bounce'));
  await Promise.all([suppress(tenant, entries), suppress(tenant, entries.toReversed())]);
  assert.equal(
    (await findSuppressions(app.app.platform, scoped(tenant), recipients, true)).size,
    recipients.length,
  );
});

test('texts that are not addresses are unknown recipients', async () => {
  const tenant = await app.createTenant();
  for (const text of ["' or 1=1 --", '%', '*', 'a'.repeat(300), '@', ' '])
    await tenant.api.get(`${LIST}/${encodeURIComponent(text)}`, 404);
});

test('another tenant can neither see nor remove a suppression', async () => {
  const [one, two] = [await app.createTenant(), await app.createTenant()];
  await suppress(one, [entry('a@example.com', 'bounce')]);
  await two.api.get(`${LIST}/a@example.com`, 404);
  await two.api.delete(`${ONE}/a@example.com`, 404);
  assert.equal((await two.api.get(LIST)).body.metadata.total, 0);
  assert.equal((await findSuppressions(app.app.platform, scoped(two), ['a@example.com'], true)).size, 0);
  assert.equal((await read(one, 'a@example.com')).type, 'bounce');
});

test('only an admin of Default or an owner removes a suppression; a member without a unit sees none', async () => {
  const tenant = await app.createTenant();
  await suppress(tenant, [entry('a@example.com', 'bounce')]);
  const editor = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  const admin = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const ungranted = await createMember(tenant, []);
  await ungranted.api.get(`${LIST}/a@example.com`, 404);
  const { body } = await ungranted.api.get(LIST);
  assert.deepEqual(body, { results: [], metadata: { total: 0, page: 1, pageSize: 20 } });
  assert.equal((await editor.api.get(LIST)).body.metadata.total, 1);
  await editor.api.delete(`${ONE}/a@example.com`, 403);
  await admin.api.delete(`${ONE}/a@example.com`);
});
