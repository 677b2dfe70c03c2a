import assert from 'node:assert/strict';
import test from 'node:test';
import {
  createBrandedTenant,
  createRecipient,
  defineTypes,
  preferencesToken,
  subscriptionType,
} from '../../../../../test/harness/preferences.ts';
import { getSubscriber } from '../../../../../test/harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { unsubscribeLinks } from '../../../mail/email-tracking/index.ts';
import { unsubscribe } from '../index.ts';

const app = await startTestApp();
const { anonymous } = app;
const API = '/api/subscribers/preferences';
const DAY = 24 * 60 * 60 * 1000;
const TYPES = [
  subscriptionType('news'),
  subscriptionType('offers'),
  subscriptionType('events'),
  subscriptionType('old', { active: false }),
];

async function createShop(): Promise<TestTenant> {
  const tenant = await app.createTenant();
  await defineTypes(tenant, TYPES);
  return tenant;
}

/** Submits choices with a token and a key of the tenant. */
const choose = ({ api }: Pick<TestTenant, 'api'>, token: string, body: object, status = 200) =>
  api.put(`${API}/${token}`, { subscription_updates: [], replace_all: false, ...body }, status);

/** Updates of a PUT: `{news: false}` unsubscribes from news. */
const updates = (wishes: Readonly<Record<string, boolean>>) =>
  Object.entries(wishes).map(([id, subscribe]) => ({ subscription_type_id: id, subscribe }));

/** Returns a subscriber's stored choices: `{news: false}`. */
async function chosen(tenant: Pick<TestTenant, 'api'>, id: string) {
  const { subscription_preferences: all } = await getSubscriber(tenant, id);
  return Object.fromEntries(
    all.map((each: { subscription_type_id: string; subscribed: boolean }) => [
      each.subscription_type_id,
      each.subscribed,
    ]),
  );
}

const versionsOf = async ({ api }: Pick<TestTenant, 'api'>, id: string) =>
  (await api.get(`/api/entity/versions?entityType=marketing_subscriber&entitySortKey=${id}`)).body;

const suppress = ({ api }: TestTenant, recipient: string, type: string) =>
  api.post('/api/email_settings/suppressions', { recipient, type });

const suppressionOf = ({ api }: TestTenant, recipient: string, status: number) =>
  api.get(`/api/email_settings/suppressions/list/${recipient}`, status);

test('a link shows its subscriber, the choices and the source, and is never cached', async () => {
  const brand = { logo_url: 'https://cdn.example/logo.png', primary_color: '#7c3aed' };
  const tenant = await createBrandedTenant(app, 'Shop', brand);
  await defineTypes(tenant, TYPES);
  const { id, body } = await createRecipient(app, tenant, {
    subscription_updates: updates({ offers: false }),
  });
  const marketingEmailId = crypto.randomUUID();
  const token = preferencesToken(
    app,
    tenant,
    { id, email: body.email },
    { marketingEmailId, subscriptionTypeId: 'a.b/ü' },
  );
  const answer = await tenant.api.get(`${API}/${token}`);
  assert.deepEqual(answer.body, {
    tenant: {
      id: tenant.tenantId,
      name: 'Shop',
      brand_logo_url: brand.logo_url,
      brand_primary_color: brand.primary_color,
    },
    subscriber: {
      email: body.email,
      subscriptions: [
        { subscription_type_id: 'news', subscribed: true },
        { subscription_type_id: 'offers', subscribed: false },
        { subscription_type_id: 'events', subscribed: true },
      ],
    },
    available_subscription_types: ['news', 'offers', 'events'].map((each) => ({
      ...{ id: each, name: each, description: `About ${each}` },
    })),
    referrer: { marketingEmailId, subscriptionTypeId: 'a.b/ü' },
  });
  assert.match(answer.headers.get('cache-control') ?? '', /no-store/);
});

test('a link without campaign email and type returns null for both', async () => {
  const tenant = await createShop();
  const { token } = await createRecipient(app, tenant);
  const { referrer } = (await tenant.api.get(`${API}/${token}`)).body;
  assert.deepEqual(referrer, { marketingEmailId: null, subscriptionTypeId: null });
});

test("the API needs a key, and another tenant's key finds no token; the page needs no key", async () => {
  const [tenant, other] = [await createShop(), await createShop()];
  const { id, token } = await createRecipient(app, tenant);
  const choice = { subscription_updates: updates({ news: false }), replace_all: false };
  for (const client of [anonymous, anonymous.with({ 'x-api-key': 'tsk_nonsense' })]) {
    await client.get(`${API}/${token}`, 401);
    await client.put(`${API}/${token}`, choice, 401);
  }
  assert.equal((await other.api.get(`${API}/${token}`, 404)).body.code, 'TOKEN_INVALID');
  assert.equal((await other.api.put(`${API}/${token}`, choice, 404)).body.code, 'TOKEN_INVALID');
  assert.deepEqual([await chosen(tenant, id), (await getSubscriber(tenant, id)).version], [{}, 1]);
  await anonymous.get(`/preferences/${token}`);
  const form = {
    rawBody: 'shown=news',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  };
  await anonymous.post(`/preferences/${token}`, undefined, 200, form);
  assert.deepEqual(await chosen(tenant, id), { news: false });
});

test('a link is valid for the address it was mailed to, in any spelling, and for no other', async () => {
  const tenant = await createShop();
  const { id, body, token } = await createRecipient(app, tenant);
  const move = (email: string) => tenant.api.put(`/api/subscribers/${id}`, { ...body, email });
  await move(body.email.toUpperCase());
  await tenant.api.get(`${API}/${token}`);
  await move(`new-${body.email}`);
  assert.equal((await tenant.api.get(`${API}/${token}`, 404)).body.code, 'TOKEN_INVALID');
  assert.equal((await choose(tenant, token, { replace_all: true }, 404)).body.code, 'TOKEN_INVALID');
  await anonymous.get(`/preferences/${token}`, 404);
  const form = { rawBody: 'nothing=yes', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  await anonymous.post(`/preferences/${token}`, undefined, 404, form);
  assert.deepEqual([await chosen(tenant, id), (await getSubscriber(tenant, id)).active], [{}, true]);
  const fresh = preferencesToken(app, tenant, { id, email: `new-${body.email}` });
  await choose(tenant, fresh, { subscription_updates: updates({ news: false }) });
  assert.deepEqual(await chosen(tenant, id), { news: false });
});

test('the same message always has the same link', async () => {
  const [tenant, createdAt] = [await createShop(), new Date()];
  const { id, body } = await createRecipient(app, tenant);
  const make = () =>
    preferencesToken(app, tenant, { id, email: body.email }, { subscriptionTypeId: 'news', createdAt });
  assert.equal(make(), make());
  assert.ok(make().length < 150);
});

test('choices are merged, or replace all; each creates a version, by the subscriber', async () => {
  const tenant = await createShop();
  const { id, token } = await createRecipient(app, tenant);
  const answer = await choose(tenant, token, { subscription_updates: updates({ news: false }) });
  assert.deepEqual(answer.body, { success: true });
  assert.deepEqual(await chosen(tenant, id), { news: false });
  await choose(tenant, token, { subscription_updates: updates({ offers: false, old: true }) });
  assert.deepEqual(await chosen(tenant, id), { news: false, offers: false, old: true });
  await choose(tenant, token, { subscription_updates: updates({ news: true }), replace_all: true });
  assert.deepEqual(await chosen(tenant, id), { news: true, offers: false, events: false, old: false });
  const versions = await versionsOf(tenant, id);
  assert.deepEqual(
    versions.map(({ version, actor }: { version: number; actor: { kind: string } }) => [version, actor.kind]),
    [
      [1, 'member'],
      [2, 'subscriber'],
      [3, 'subscriber'],
      [4, 'subscriber'],
    ],
  );
  assert.deepEqual(versions[3].actor, { kind: 'subscriber', subscriber_id: id });
  assert.deepEqual(versions[3].data, await getSubscriber(tenant, id));
});

test('an unknown type is refused by name, and nothing is written', async () => {
  const tenant = await createShop();
  const { id, token } = await createRecipient(app, tenant);
  const { body } = await choose(
    tenant,
    token,
    { subscription_updates: updates({ news: false, none: true }) },
    400,
  );
  assert.equal(body.code, 'INVALID_SUBSCRIBER');
  assert.deepEqual(
    body.issues.map(({ field }: { field: string }) => field),
    ['subscription_updates[1].subscription_type_id'],
  );
  assert.deepEqual([await chosen(tenant, id), (await getSubscriber(tenant, id)).version], [{}, 1]);
});

test('a body without required members is refused with all errors', async () => {
  const tenant = await createShop();
  const { token } = await createRecipient(app, tenant);
  const { body } = await tenant.api.put(`${API}/${token}`, {}, 400);
  assert.deepEqual(
    [body.code, body.issues.map(({ field }: { field: string }) => field).sort()],
    ['INVALID_SUBSCRIBER', ['replace_all', 'subscription_updates']],
  );
});

test('a subscriber who unsubscribes from everything is inactive, with the reason, and no longer counted', async () => {
  const tenant = await createShop();
  const listId = (await tenant.api.post('/api/lists', { name: 'Group' })).body.id;
  const count = async () => {
    const payload = { queryName: 'getSubscribersCountByListIds', vars: { listIds: [listId] } };
    return (await tenant.api.post('/api/subscribers/search', { payload })).body.subscribersCountByListId[
      listId
    ];
  };
  const { id, body, token } = await createRecipient(app, tenant, { lists: [listId] });
  const other = await createRecipient(app, tenant, { lists: [listId] });
  assert.equal(await count(), 2);
  const leave = { mark_inactive: true, inactive_reason: 'too many' };
  await choose(tenant, token, { subscriber_updates: leave });
  const left = await getSubscriber(tenant, id);
  assert.deepEqual([left.active, left.inactive_reason, left.lists], [false, 'too many', [listId]]);
  assert.equal(await count(), 1);
  await choose(tenant, token, { subscriber_updates: { mark_inactive: true, inactive_reason: 'again' } });
  await choose(tenant, token, { subscriber_updates: { mark_inactive: false } });
  assert.equal((await getSubscriber(tenant, id)).inactive_reason, 'too many');
  await choose(tenant, other.token, { subscriber_updates: { mark_inactive: true } });
  assert.match((await getSubscriber(tenant, other.id)).inactive_reason, /^Opted out/);
  assert.equal(await count(), 0);
  await tenant.api.put(`/api/subscribers/${id}`, { ...body, active: true });
  assert.equal(await count(), 1);
});

test('subscribing again lifts the suppression of an unsubscribe, never that of a bounce or complaint', async () => {
  const tenant = await createShop();
  for (const [type, status] of [
    ['unsubscribe', 404],
    ['bounce', 200],
    ['complaint', 200],
  ] as const) {
    const { body, token } = await createRecipient(app, tenant);
    await suppress(tenant, body.email, type);
    await choose(tenant, token, { subscription_updates: updates({ news: false }) });
    await suppressionOf(tenant, body.email, 200);
    await choose(tenant, token, { subscription_updates: updates({ news: true }) });
    await suppressionOf(tenant, body.email, status);
  }
});

test('an altered, truncated, foreign or expired token, or one for another purpose, is 404 TOKEN_INVALID', async () => {
  const [tenant, other] = [await createShop(), await createShop()];
  const { id, body, token } = await createRecipient(app, tenant);
  const self = { id, email: body.email };
  const alter = (place: number) =>
    token.slice(0, place) + (token[place] === 'A' ? 'B' : 'A') + token.slice(place + 1);
  const wrong = {
    'another tenant': alter(3),
    'another subscriber': alter(30),
    'another signature': alter(50),
    'another time': alter(66),
    cut: token.slice(0, -1),
    longer: `${token}A`,
    nothing: 'x',
    'a subscriber of another tenant': preferencesToken(app, other, self),
    'another purpose': unsubscribeLinks(app.app.platform, tenant.tenantId, id).url.split('/u/')[1] ?? '',
    'nobody there': preferencesToken(app, tenant, { ...self, id: crypto.randomUUID() }),
    over: preferencesToken(app, tenant, self, { createdAt: new Date(Date.now() - 90 * DAY - 1000) }),
  };
  for (const [kind, each] of Object.entries(wrong)) {
    assert.equal((await tenant.api.get(`${API}/${each}`, 404)).body.code, 'TOKEN_INVALID', kind);
    assert.equal((await choose(tenant, each, { replace_all: true }, 404)).body.code, 'TOKEN_INVALID', kind);
    assert.match((await anonymous.get(`/preferences/${each}`, 404)).text, /This link is not valid/);
    const form = { rawBody: 'nothing=yes', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    assert.match((await anonymous.post(`/preferences/${each}`, undefined, 404, form)).text, /not valid/);
  }
  assert.deepEqual([await chosen(tenant, id), (await getSubscriber(tenant, id)).version], [{}, 1]);
  await anonymous.get(`/u/${token}`, 404);
  const nearlyOver = new Date(Date.now() - 90 * DAY + 60_000);
  await tenant.api.get(`${API}/${preferencesToken(app, tenant, self, { createdAt: nearlyOver })}`);
});

test('links of an erased subscriber are no longer valid', async () => {
  const tenant = await createShop();
  const { id, token } = await createRecipient(app, tenant);
  await tenant.api.delete(`/api/subscribers/${id}`);
  assert.equal((await tenant.api.get(`${API}/${token}`, 404)).body.code, 'TOKEN_INVALID');
  assert.equal((await choose(tenant, token, { replace_all: true }, 404)).body.code, 'TOKEN_INVALID');
  await anonymous.get(`/preferences/${token}`, 404);
});

test('unsubscribing from one type, or all, creates one version, and only once', async () => {
  const tenant = await createShop();
  const { id } = await createRecipient(app, tenant);
  const off = (subscriberId: string, typeId: string | null) =>
    app.app.platform
      .scoped(wholeTenant(tenant.tenantId))
      .transaction((tx) => unsubscribe(tx, subscriberId, typeId, new Date()));
  for (let n = 0; n < 2; n += 1) await off(id, 'news');
  assert.deepEqual(await chosen(tenant, id), { news: false });
  for (let n = 0; n < 2; n += 1) await off(id, null);
  assert.deepEqual(await chosen(tenant, id), { news: false, offers: false, events: false, old: false });
  assert.equal((await versionsOf(tenant, id)).length, 3);
  await off(crypto.randomUUID(), null);
});

test("the page uses the recipient's language, else the tenant's, and the tenant's brand", async () => {
  const brand = { primary_color: '#0f766e', locale: 'fr' };
  const tenant = await createBrandedTenant(app, 'Shop', brand);
  await defineTypes(tenant, TYPES);
  const { token } = await createRecipient(app, tenant);
  const page = async (language?: string) =>
    (
      await fetch(
        `${app.url}/preferences/${token}`,
        language ? { headers: { 'accept-language': language } } : {},
      )
    ).text();
  const german = await page('de-CH, en;q=0.5');
  assert.match(german, /<html lang="de-CH" dir="ltr">/);
  assert.match(german, /Was möchten Sie erhalten\?/);
  assert.match(german, /--fill: rgb\(15, 118, 110\)/);
  assert.match(await page('ar'), /<html lang="ar" dir="rtl">/);
  assert.match(await page('fi'), /<html lang="fr" dir="ltr">/);
  assert.match(await page(), /Que souhaitez-vous recevoir/);
});
