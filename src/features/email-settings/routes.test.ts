import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Client } from '../../../test/harness/client.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { subscriptionType } from '../../../test/harness/preferences.ts';
import { startReceiver } from '../../../test/harness/receiver.ts';
import { startTestApp, type TestTenant } from '../../../test/harness/test-app.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { isWhitelisted } from './collections.ts';
import { getEmailSettings, openEventWebhookSecret } from './index.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const PATH = '/api/email_settings';
const EMPTY = {
  sender_identities: [],
  whitelist_recipient_rules: [],
  subscription_types: [],
  subscriber_additional_fields: {},
};

/** Creates a tenant with the verified domain `example.com`. */
async function newTenant(): Promise<TestTenant> {
  const tenant = await app.createTenant();
  const body = { domain: 'example.com', verified: true };
  await app.admin.post(`/admin/tenants/${tenant.code}/sending-domains`, body);
  return tenant;
}

const tenant = await newTenant();
const { platform } = app.app;
const scoped = (of: TestTenant = tenant) => platform.scoped(wholeTenant(of.tenantId));

/** Returns the stored active event webhooks in order. */
function listActiveEventWebhooks({ query }: ReturnType<typeof scoped>) {
  const active = query.selectFrom('email_event_webhooks').where('active', '=', true);
  return active.selectAll().orderBy('position').execute();
}

function identity(from_email_address: string, more: object = {}) {
  return { from_name: 'News', from_email_address, reply_to: 'reply@example.com', nickname: 'news', ...more };
}

async function put(more: object, status = 200, api: Client = tenant.api) {
  return (await api.put(PATH, { ...EMPTY, ...more }, status)).body;
}

async function read(of: TestTenant = tenant) {
  return (await of.api.get(PATH)).body;
}

function hook(more: object = {}) {
  return { name: 'CRM', target: `${receiver.url}/events`, events: ['open', 'click'], active: true, ...more };
}

test('settings that were never written are version 0, empty and without sandbox mode', async () => {
  const fresh = await app.createTenant();
  const { created_at, updated_at, ...settings } = await read(fresh);
  assert.deepEqual(settings, {
    version: 0,
    ...EMPTY,
    sandbox_mode: false,
    sending_domains: [],
    event_webhooks: [],
  });
  assert.equal(created_at, updated_at);
  assert.ok(!Number.isNaN(Date.parse(created_at)));
});

test('settings are returned as written, without unknown fields, as the next version', async () => {
  const own = await newTenant();
  const written = {
    sender_identities: [
      identity('news@example.com', { company_address: '1 Main Street', city: 'Berlin' }),
      identity('Other@EXAMPLE.com', { reply_to: '' }),
    ],
    whitelist_recipient_rules: [
      { email_address: 'qa@test.example', active: true },
      { domain_name: 'qa.example', active: false },
    ],
    subscription_types: [{ id: 'news', name: 'News', description: 'Monthly', active: true }],
    subscriber_additional_fields: {
      size: { label: 'Size', type: 'text', order: 1, group: 'Clothes', field_width_percent: 50 },
      constructor: { label: 'Odd name', type: 'number', order: 2 },
    },
    sandbox_mode: true,
    event_webhooks: [hook()],
  };
  const withUnknown = {
    ...structuredClone(written),
    version: 0,
    tenant_id: randomUUID(),
    sending_domains: [],
    unknown: 1,
  };
  Object.assign(withUnknown.sender_identities[0] ?? {}, { unknown: 1 });
  Object.assign(withUnknown.subscription_types[0] ?? {}, { unknown: 1 });
  Object.assign(withUnknown.event_webhooks[0] ?? {}, { id: 'x', last_failure: 'never' });
  assert.deepEqual((await own.api.put(PATH, withUnknown)).body, { id: 'email_settings' });
  const {
    created_at: _created,
    updated_at: _updated,
    sending_domains,
    event_webhooks,
    ...rest
  } = await read(own);
  const { event_webhooks: _hooks, ...expected } = written;
  assert.deepEqual(rest, { version: 1, ...expected });
  assert.deepEqual(event_webhooks, [{ ...hook(), last_successful: null, last_failure: null }]);
  assert.equal(sending_domains[0].domain, 'example.com');
  assert.equal(sending_domains[0].dns_records, undefined);
});

test('a replace replaces all four collections and keeps omitted sandbox mode and event webhooks', async () => {
  const own = await newTenant();
  await put({ ...EMPTY, sandbox_mode: true, event_webhooks: [hook()] }, 200, own.api);
  await put({ subscription_types: [{ id: 'a', name: 'A', description: '', active: true }] }, 200, own.api);
  const between = await read(own);
  assert.equal(between.sandbox_mode, true);
  assert.equal(between.event_webhooks.length, 1);
  await put({ sandbox_mode: false, event_webhooks: [] }, 200, own.api);
  const after = await read(own);
  assert.deepEqual(after.subscription_types, []);
  assert.deepEqual([after.sandbox_mode, after.event_webhooks, after.version], [false, [], 3]);
});

test('each of the four collections is required', async () => {
  for (const name of Object.keys(EMPTY)) {
    const { [name]: _left, ...rest } = { ...EMPTY } as Record<string, unknown>;
    const { error } = (await tenant.api.put(PATH, rest, 400)).body;
    assert.deepEqual(error.details, [{ field: name, message: 'is required' }]);
    assert.equal(error.code, 'INVALID_REQUEST');
  }
});

test('a sender outside the verified domains is rejected by name, and nothing is written', async () => {
  const before = await read();
  for (const address of [
    'a@other.example',
    'a@news.example.com',
    'a@example.com.evil.example',
    'a@ample.com',
  ]) {
    const body = { sender_identities: [identity('a@example.com'), identity(address)] };
    const { error } = await put(body, 400);
    assert.equal(error.code, 'INVALID_SENDER_IDENTITY', address);
    assert.equal(error.details[0].field, 'sender_identities[1].from_email_address', address);
  }
  assert.deepEqual(await read(), before);
});

test('an unverified domain, or one of another tenant, cannot send', async () => {
  const other = await app.createTenant();
  await other.api.post(`${PATH}/sending_domains`, { domain: 'example.com' });
  const { error } = await put({ sender_identities: [identity('a@example.com')] }, 400, other.api);
  assert.equal(error.code, 'INVALID_SENDER_IDENTITY');
});

test('a domain that can no longer send stops changes of senders, but not of other settings', async () => {
  const site = await newTenant();
  const senders = [identity('a@example.com')];
  await put({ sender_identities: senders }, 200, site.api);
  const body = { domain: 'example.com', verified: false };
  await app.admin.post(`/admin/tenants/${site.code}/sending-domains`, body);
  await put({ sender_identities: senders, sandbox_mode: true }, 200, site.api);
  await site.api.patch(PATH, { subscription_types: [subscriptionType('news')] });
  const renamed = [identity('a@example.com', { from_name: 'New name' })];
  const { error } = await put({ sender_identities: renamed }, 400, site.api);
  assert.equal(error.code, 'INVALID_SENDER_IDENTITY');
});

test('two identities with one address are rejected, whatever the letter case and white space', async () => {
  for (const twin of ['A@example.com', ' a@EXAMPLE.com\u00a0']) {
    const { error } = await put({ sender_identities: [identity('a@example.com'), identity(twin)] }, 409);
    assert.equal(error.code, 'DUPLICATE_SENDER_IDENTITY');
    assert.equal(error.details[0].field, 'sender_identities[1].from_email_address');
  }
});

test('an invalid address, or one that could inject a header, is rejected by field', async () => {
  const bad: [object, string][] = [
    [identity('nobody'), 'sender_identities[0].from_email_address'],
    [identity('a@example.com\r\nBcc: b@example.com'), 'sender_identities[0].from_email_address'],
    [identity('a@example.com, b@example.com'), 'sender_identities[0].from_email_address'],
    [identity('a@example.com', { reply_to: 'x' }), 'sender_identities[0].reply_to'],
    [identity('a@example.com', { from_name: 'A\r\nBcc: b@example.com' }), 'sender_identities[0].from_name'],
    [identity('a@example.com', { nickname: 5 }), 'sender_identities[0].nickname'],
    [identity('a@example.com', { from_name: 'x'.repeat(201) }), 'sender_identities[0].from_name'],
  ];
  for (const [sender, field] of bad) {
    const { error } = await put({ sender_identities: [sender] }, 400);
    assert.deepEqual([error.code, error.details[0].field], ['INVALID_REQUEST', field]);
  }
});

test('a whitelist rule has either an address or a domain', async () => {
  const bad = [
    { active: true },
    { email_address: 'a@b.example', domain_name: 'b.example', active: true },
    { email_address: 'b.example', active: true },
    { domain_name: 'a@b.example', active: true },
    { domain_name: '', active: true },
    { email_address: 'a@b.example' },
  ];
  for (const rule of bad) {
    const { error } = await put({ whitelist_recipient_rules: [rule] }, 400);
    assert.match(error.details[0].field, /^whitelist_recipient_rules\[0\]/, JSON.stringify(rule));
  }
});

test('an active rule allows exactly its address or domain, in any spelling', () => {
  const settings = {
    whitelist_recipient_rules: [
      { email_address: 'QA@test.example', active: true },
      { domain_name: 'Bücher.example', active: true },
      { domain_name: 'off.example', active: false },
    ],
  };
  for (const address of [' qa@TEST.example ', 'a@bücher.example', 'A@xn--bcher-kva.example'])
    assert.equal(isWhitelisted(settings, address), true, address);
  for (const address of ['b@test.example', 'a@off.example', 'a@x.bücher.example', 'bücher.example', '', '@'])
    assert.equal(isWhitelisted(settings, address), false, address);
  assert.equal(isWhitelisted({ whitelist_recipient_rules: [] }, 'a@b.example'), false);
});

test('subscription types are listed and read by id, and have unique ids', async () => {
  const own = await newTenant();
  const types = ['a', 'b/c ü'].map((id) => ({ id, name: id, description: '', active: id === 'a' }));
  await put({ subscription_types: types }, 200, own.api);
  assert.deepEqual((await own.api.get(`${PATH}/subscription_types`)).body, { results: types });
  const path = `${PATH}/subscription_types/${encodeURIComponent('b/c ü')}`;
  assert.deepEqual((await own.api.get(path)).body, types[1]);
  assert.equal((await own.api.get(`${PATH}/subscription_types/none`, 404)).body.error.code, 'NOT_FOUND');
  const { error } = await put({ subscription_types: [...types, types[0]] }, 422, own.api);
  assert.equal(error.details[0].field, 'subscription_types[2].id');
});

test('a sender identity is removed by its address, as a new version', async () => {
  const own = await newTenant();
  await put({ sender_identities: [identity('A@example.com'), identity('b@example.com')] }, 200, own.api);
  const path = `${PATH}/sender_identities`;
  assert.equal((await own.api.get(path)).body.results.length, 2);
  assert.deepEqual((await own.api.delete(`${path}/a@EXAMPLE.com`)).body, {
    from_email_address: 'A@example.com',
  });
  const { results } = (await own.api.get(path)).body;
  assert.deepEqual(results, [identity('b@example.com')]);
  const { error } = (await own.api.delete(`${path}/a@example.com`, 404)).body;
  assert.equal(error.code, 'SENDER_IDENTITY_NOT_FOUND');
  assert.equal((await read(own)).version, 2);
});

test('removing a sender from settings that were never written leaves them unwritten', async () => {
  const fresh = await app.createTenant();
  await fresh.api.delete(`${PATH}/sender_identities/a@example.com`, 404);
  assert.equal((await read(fresh)).version, 0);
});

/** Returns the secrets of the active event webhooks in order. */
async function secretsOf(of: TestTenant) {
  const webhooks = await listActiveEventWebhooks(scoped(of));
  return webhooks.map((webhook) => openEventWebhookSecret(platform.secrets, webhook));
}

test('the secret of an event webhook is never returned, is encrypted, and is kept when omitted', async () => {
  const own = await newTenant();
  const secrets = () => secretsOf(own);
  await put({ event_webhooks: [hook({ secret: 'whsec_c2VjcmV0' }), hook({ name: 'Other' })] }, 200, own.api);
  assert.doesNotMatch((await own.api.get(PATH)).text, /whsec|secret/);
  const [stored] = await listActiveEventWebhooks(scoped(own));
  assert.match(stored?.secret ?? '', /^s1\./);
  assert.deepEqual(await secrets(), ['whsec_c2VjcmV0', null]);
  await put(
    { event_webhooks: [hook({ name: 'Other' }), hook({ target: `${receiver.url}/new` })] },
    200,
    own.api,
  );
  assert.deepEqual(await secrets(), [null, 'whsec_c2VjcmV0']);
  await put({ event_webhooks: [hook({ secret: 'new' })] }, 200, own.api);
  assert.deepEqual(await secrets(), ['new']);
  await put({ event_webhooks: [hook({ secret: null })] }, 200, own.api);
  assert.deepEqual(await secrets(), [null]);
  const query = 'entityType=email_settings&entitySortKey=email_settings';
  const history = await own.api.get(`/api/entity/versions?${query}`);
  assert.equal(history.body.length, 4);
  assert.doesNotMatch(history.text, /whsec|"secret"/);
});

test('a signing secret is kept, hidden and removed like a secret under its earlier name', async () => {
  const own = await newTenant();
  await put({ event_webhooks: [hook({ signing_secret: 'sixteen letters!' })] }, 200, own.api);
  assert.doesNotMatch((await own.api.get(PATH)).text, /sixteen|secret/);
  assert.deepEqual(await secretsOf(own), ['sixteen letters!']);
  await put({ event_webhooks: [hook()] }, 200, own.api);
  assert.deepEqual(await secretsOf(own), ['sixteen letters!']);
  await put({ event_webhooks: [hook({ signing_secret: null })] }, 200, own.api);
  assert.deepEqual(await secretsOf(own), [null]);
});

test('an event webhook with the same name stays the same, and its delivery results are kept', async () => {
  const own = await newTenant();
  await put({ event_webhooks: [hook()] }, 200, own.api);
  const [before] = await listActiveEventWebhooks(scoped(own));
  const at = '2026-01-02T03:04:05.678Z';
  await scoped(own).query.updateTable('email_event_webhooks').set({ last_successful: at }).execute();
  await put(
    { event_webhooks: [hook({ name: 'First' }), hook({ events: ['bounce'], active: false })] },
    200,
    own.api,
  );
  const [first, second] = (await read(own)).event_webhooks;
  assert.deepEqual([first.name, first.last_successful], ['First', null]);
  assert.deepEqual([second.last_successful, second.events, second.active], [at, ['bounce'], false]);
  const active = await listActiveEventWebhooks(scoped(own));
  assert.deepEqual(
    active.map(({ name }) => name),
    ['First'],
  );
  await put({ event_webhooks: [hook()] }, 200, own.api);
  const [again] = await listActiveEventWebhooks(scoped(own));
  assert.equal(again?.id, before?.id);
});

test('an invalid event webhook is rejected by name', async () => {
  const bad: [object, number, string][] = [
    [hook({ target: 'ftp://x.example' }), 400, 'event_webhooks[0].target'],
    [hook({ target: 'http://user:pw@x.example' }), 400, 'event_webhooks[0].target'],
    [hook({ target: 'http://169.254.169.254/latest' }), 400, 'event_webhooks[0].target'],
    [hook({ events: ['sent'] }), 400, 'event_webhooks[0].events[0]'],
    [hook({ secret: '' }), 400, 'event_webhooks[0].secret'],
    [hook({ secret: 5 }), 400, 'event_webhooks[0].secret'],
    [hook({ signing_secret: 'fifteen letters' }), 400, 'event_webhooks[0].signing_secret'],
    [hook({ signing_secret: 'whsec_not base64 at all' }), 400, 'event_webhooks[0].signing_secret'],
    [hook({ secret: 's', signing_secret: 'sixteen letters!' }), 400, 'event_webhooks[0].signing_secret'],
    [hook({ active: undefined }), 400, 'event_webhooks[0].active'],
  ];
  for (const [webhook, status, field] of bad) {
    const { error } = await put({ event_webhooks: [webhook] }, status);
    assert.equal(error.details[0].field, field, JSON.stringify(webhook));
  }
  const { error } = await put({ event_webhooks: [hook(), hook()] }, 422);
  assert.equal(error.details[0].field, 'event_webhooks[1].name');
});

test('a stale version is rejected; the current one is not', async () => {
  const own = await newTenant();
  await put({ sandbox_mode: true, version: 0 }, 200, own.api);
  await put({ sandbox_mode: false, version: 1 }, 200, own.api);
  const { error } = await put({ version: 1 }, 409, own.api);
  assert.equal(error.code, 'VERSION_CONFLICT');
});

test('concurrent writes become successive versions, each with its history', async () => {
  const own = await newTenant();
  await Promise.all(
    [1, 2, 3, 4].map((n) => put({ event_webhooks: [hook({ name: `CRM ${n}` })] }, 200, own.api)),
  );
  assert.equal((await read(own)).version, 4);
  const rows = await scoped(own)
    .query.selectFrom('record_history')
    .select(['version', 'owner_bu_id', 'data'])
    .where('entity_type', '=', 'email_settings')
    .where('sort_key', '=', 'email_settings')
    .orderBy('version')
    .execute();
  assert.deepEqual(
    rows.map(({ version }) => version),
    [1, 2, 3, 4],
  );
  assert.deepEqual(rows.at(-1)?.data, await read(own));
  assert.equal(rows[0]?.owner_bu_id, null);
});

test('an admin of Default can write; an admin of another unit can only read; without a unit nothing is visible', async () => {
  const own = await newTenant();
  const north = await createUnit(own, 'North');
  const admin = await createMember(own, [{ bu_id: own.defaultUnitId, role: 'admin' }]);
  const elsewhere = await createMember(own, [
    { bu_id: north, role: 'admin' },
    { bu_id: own.defaultUnitId, role: 'editor' },
  ]);
  const ungranted = await createMember(own, []);
  await put({ sender_identities: [identity('a@example.com')] }, 200, admin.api);
  assert.equal((await put({}, 403, elsewhere.api)).error.code, 'FORBIDDEN');
  await elsewhere.api.delete(`${PATH}/sender_identities/a@example.com`, 403);
  assert.equal((await elsewhere.api.get(PATH)).body.version, 1);
  assert.equal((await ungranted.api.get(PATH, 404)).body.error.code, 'NOT_FOUND');
  assert.deepEqual((await ungranted.api.get(`${PATH}/sender_identities`)).body, { results: [] });
  await ungranted.api.get(`${PATH}/subscription_types/x`, 404);
});

test('settings of one tenant are invisible to another', async () => {
  const [one, two] = [await newTenant(), await newTenant()];
  await put({ sender_identities: [identity('a@example.com')], event_webhooks: [hook()] }, 200, one.api);
  assert.deepEqual((await read(two)).sender_identities, []);
  await two.api.delete(`${PATH}/sender_identities/a@example.com`, 404);
  await put({ event_webhooks: [] }, 200, two.api);
  assert.equal((await listActiveEventWebhooks(scoped(one))).length, 1);
  assert.equal((await getEmailSettings(scoped(one))).sender_identities.length, 1);
});

test('the health check reports sandbox mode and the sending domain', async () => {
  const own = await app.createTenant();
  const health = async () => {
    const { tenant: facts, config } = (await own.api.get('/api/tenant/healthcheck')).body;
    return [facts.sandbox_mode, config.emailProvider.sendingDomain];
  };
  assert.deepEqual(await health(), [false, '']);
  await own.api.post(`${PATH}/sending_domains`, { domain: 'pending.example' });
  assert.deepEqual(await health(), [false, '']);
  const vouch = { domain: 'good.example', verified: true };
  await app.admin.post(`/admin/tenants/${own.code}/sending-domains`, vouch);
  await put({ sandbox_mode: true }, 200, own.api);
  assert.deepEqual(await health(), [true, 'good.example']);
});

test('errors of the area have its envelope, including those of credentials', async () => {
  for (const answer of [
    await app.anonymous.send('GET', PATH),
    await tenant.api.send('PUT', PATH, { rawBody: '{' }),
    await tenant.api.send('PUT', PATH, { rawBody: 'x', headers: { 'content-type': 'text/plain' } }),
    await tenant.api.send('GET', `${PATH}/suppressions/list?page=0`),
  ]) {
    const expectedKeys = answer.status === 401 ? ['message', 'code'] : [];
    assert.deepEqual(Object.keys(answer.body), ['error', ...expectedKeys], answer.text);
    assert.deepEqual(Object.keys(answer.body.error).sort(), ['code', 'details', 'message']);
  }
});
