import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../../test/harness/members.ts';
import {
  createBrandedTenant,
  createRecipient,
  defineTypes,
  subscriptionType,
} from '../../../../../test/harness/preferences.ts';
import { startTestApp, type TestTenant } from '../../../../../test/harness/test-app.ts';

const app = await startTestApp();
const PATH = '/api/email_settings/preference_page/preview';
const HOSTILE = `"><script>alert(1)</script>'`;
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&#39;';

/** Returns the HTML of a preview. */
async function preview({ api }: Pick<TestTenant, 'api'>, body: object = {}): Promise<string> {
  return (await api.post(PATH, body)).body.html;
}

/** Returns the names of the types that a page offers, in order. */
function offered(html: string): string[] {
  return [...html.matchAll(/<label for="type-\d+">([^<]*)<\/label>/g)].map(([, name = '']) => name);
}

test('a preview shows the given types in their order, without inactive ones, and saves nothing', async () => {
  const tenant = await app.createTenant();
  await defineTypes(tenant, [subscriptionType('saved')]);
  const before = (await tenant.api.get('/api/email_settings')).body;
  const types = [subscriptionType('b'), subscriptionType('hidden', { active: false }), subscriptionType('a')];
  assert.deepEqual(offered(await preview(tenant, { subscription_types: types })), ['b', 'a']);
  assert.deepEqual(offered(await preview(tenant, { subscription_types: [] })), []);
  assert.deepEqual(offered(await preview(tenant)), ['saved']);
  assert.deepEqual((await tenant.api.get('/api/email_settings')).body, before);
});

test('a preview has the given brand, and the saved one in what is not given', async () => {
  const tenant = await createBrandedTenant(app, 'Shop', { primary_color: '#0f766e', locale: 'fr' });
  const saved = await preview(tenant);
  assert.match(saved, /--fill: rgb\(15, 118, 110\)/);
  assert.match(saved, /<html lang="fr" dir="ltr">/);
  const brand_settings = { logo_url: 'https://cdn.example/logo.png', primary_color: '#7c3aed' };
  const branded = await preview(tenant, { brand_settings });
  assert.match(branded, /--fill: rgb\(124, 58, 237\)/);
  assert.match(branded, /<img src="https:\/\/cdn\.example\/logo\.png" alt="Shop">/);
  assert.match(branded, /<html lang="fr" dir="ltr">/);
  assert.match(await preview(tenant, { brand_settings: { locale: 'ar' } }), /<html lang="ar" dir="rtl">/);
});

test('a preview is the page of a recipient, except for the address and the form, which sends nothing', async () => {
  const tenant = await createBrandedTenant(app, 'Shop', { primary_color: '#0f766e' });
  await defineTypes(tenant, [subscriptionType('news'), subscriptionType('offers')]);
  const { token } = await createRecipient(app, tenant);
  const page = (await app.anonymous.get(`/preferences/${token}`)).text;
  const html = await preview(tenant);
  assert.doesNotMatch(html, /<a |\baction=|method=|<button>/);
  assert.match(html, /r•••@example\.com/);
  const comparable = (text: string) =>
    text
      .replace(/[^>]•••@[^<]+/, 'address')
      .replace('<form method="post">', '<form>')
      .replace('<button type="button">', '<button>');
  assert.equal(comparable(html), comparable(page));
});

test('hostile names, descriptions, ids and addresses of logos are text', async () => {
  const tenant = await createBrandedTenant(app, HOSTILE, {});
  const type = { id: HOSTILE, name: HOSTILE, description: HOSTILE, active: true };
  const brand_settings = { logo_url: 'javascript:alert(1)', primary_color: `red;${HOSTILE}` };
  const html = await preview(tenant, { subscription_types: [type], brand_settings });
  assert.doesNotMatch(html, /<script|javascript:/);
  assert.ok(html.includes(`<label for="type-0">${ESCAPED}</label>`));
  assert.ok(html.includes(`<p id="about-0">${ESCAPED}</p>`));
  assert.ok(html.includes(`name="type" value="${ESCAPED}"`));
  assert.ok(html.includes(`<p class="brand">${ESCAPED}</p>`));
});

test('a preview refuses what cannot be saved', async () => {
  const tenant = await app.createTenant();
  const fieldsOf = async (body: object, status: number) => {
    const { error } = (await tenant.api.post(PATH, body, status)).body;
    return error.details.map(({ field }: { field: string }) => field);
  };
  const types = [subscriptionType('news', { name: '' }), { id: 'offers' }, subscriptionType('x'.repeat(101))];
  assert.deepEqual(await fieldsOf({ subscription_types: types }, 400), [
    'subscription_types[0].name',
    'subscription_types[1].name',
    'subscription_types[1].description',
    'subscription_types[1].active',
    'subscription_types[2].id',
  ]);
  const brand_settings = { primary_color: 'x'.repeat(101), locale: 'not a tag' };
  assert.deepEqual(await fieldsOf({ brand_settings }, 400), [
    'brand_settings.primary_color',
    'brand_settings.locale',
  ]);
  const repeated = { subscription_types: [subscriptionType('news'), subscriptionType('news')] };
  assert.deepEqual(await fieldsOf(repeated, 422), ['subscription_types[1].id']);
});

test('every member with a unit sees previews of the own tenant', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  await defineTypes(tenant, [subscriptionType('mine')]);
  await defineTypes(other, [subscriptionType('theirs')]);
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  assert.deepEqual(offered(await preview(viewer)), ['mine']);
  assert.deepEqual(offered(await preview(other)), ['theirs']);
  const { api } = await createMember(tenant, []);
  await api.post(PATH, {}, 404);
  await app.anonymous.post(PATH, {}, 401);
});
