/** Audiences in the console: built from conditions with a live count, explained for a subscriber, changed, deleted. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { computed } from '../harness/audiences.ts';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { createSubscriber } from '../harness/subscribers.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('dialog').getByRole('textbox', { name });
const part = (page: Page, name: string) => page.getByRole('group', { name, exact: true });
const preview = (page: Page) => page.getByRole('region', { name: 'Matching subscribers' });

/** Opens a path below the audiences of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, path = '') {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/subscribers/audiences${path}`);
  return window;
}

const is = (value: unknown) => ({ operation: 'eq', value });

/** Creates a tenant with Ada and Grace in London, and Bob in Paris, who is inactive. */
async function createPeople() {
  const tenant = await app.createTenant();
  const create = (first_name: string, city: string, more: object = {}) =>
    createSubscriber(tenant, {
      first_name,
      email: `${first_name.toLowerCase()}@shop.example`,
      additional_fields_data: { city },
      ...more,
    });
  const ada = await create('Ada', 'London');
  const bob = await create('Bob', 'Paris', { active: false, inactive_reason: 'left' });
  const grace = await create('Grace', 'London');
  return { tenant, ada, bob, grace };
}

/** Adds a condition to a part of the builder by typing it. */
async function addCondition(page: Page, name: string, text: string) {
  await part(page, name).getByRole('button', { name: 'Filter' }).last().click();
  await button(page, 'Write as text').click();
  await page.getByRole('textbox', { name: 'Filter' }).fill(text);
  await page.keyboard.press('Enter');
}

test('an audience is built from conditions, and each change is counted at once', { skip }, async () => {
  const { tenant } = await createPeople();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByRole('link', { name: 'Create audience' }).first().click();
  await field(page, 'Name').fill('London');
  await preview(page).getByText('3 subscribers match').waitFor();
  await addCondition(page, 'All of these', 'additional_fields_data.city is London');
  await preview(page).getByText('2 subscribers match').waitFor();
  await part(page, 'None of these').getByRole('button', { name: 'Add exclusion' }).click();
  await addCondition(page, 'None of these', 'first_name is Ada');
  await preview(page).getByText('1 subscriber matches').waitFor();
  await preview(page).getByText('grace@shop.example').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Create audience').click();
  await page.getByRole('heading', { name: 'London', level: 1 }).waitFor();
  await page.getByText('By conditions').waitFor();
  await page.getByRole('link', { name: '1 subscriber' }).waitFor();
  const { results } = (await tenant.api.post('/api/audiences/list', { page: 1, limit: 10 })).body;
  assert.deepEqual(results[0].filters, {
    'additional_fields_data.city': { eq: 'London' },
    none: [{ first_name: { eq: 'Ada' } }],
  });
  assert.deepEqual(faults, []);
});

test('the page explains for one subscriber which condition does not match', { skip }, async () => {
  const { tenant, bob } = await createPeople();
  const filters = { active: is(false), any: [{ 'additional_fields_data.city': is('London') }] };
  const { id } = (await tenant.api.post('/api/audiences', { name: 'Sleepers', filters })).body;
  await computed(tenant, id);
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, `/${id}`);
  await page.getByRole('combobox', { name: 'Subscriber' }).fill('bob');
  await page.getByRole('option', { name: /bob@shop/ }).click();
  await page.getByText('They are not in this audience').waitFor();
  const city = page.getByRole('listitem').filter({ hasText: 'Their value: Paris' });
  await city.getByText('Does not match').waitFor();
  const active = page.getByRole('listitem').filter({ hasText: /Their value: no/i });
  await active.getByText('Matches', { exact: true }).waitFor();
  assert.match(page.url(), new RegExp(`explain=${bob.id}`));
  assert.deepEqual(await findFaults(page), []);
  assert.deepEqual(faults, []);
});

test('a change keeps conditions that the builder cannot show', { skip }, async () => {
  const { tenant } = await createPeople();
  const filters = {
    email: { operation: 'ne', value: null },
    engagement: { not_opened_since_days: 30 },
    first_name: { operation: 'like', value: 'a' },
  };
  const { id } = (await tenant.api.post('/api/audiences', { name: 'Old', filters })).body;
  const { page } = await openAs(tenant.ownerEmail, tenant, `/${id}?edit=true`);
  await page.getByText('Also: email').waitFor();
  await page.getByRole('button', { name: /Remove.*First name/ }).click();
  await button(page, 'Save changes').click();
  await page.getByText('Audience “Old” saved').waitFor();
  const { email, engagement } = filters;
  assert.deepEqual((await tenant.api.get(`/api/audiences/${id}`)).body.filters, { email, engagement });
});

test('a viewer sees the conditions of an audience, and why they cannot change it', { skip }, async () => {
  const { tenant } = await createPeople();
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const filters = { 'additional_fields_data.city': is('London') };
  const { id } = (await tenant.api.post('/api/audiences', { name: 'London', filters })).body;
  const { page } = await openAs(viewer.email, tenant, `/${id}`);
  await page.getByText('city is London').waitFor();
  await page.getByRole('link', { name: 'Edit' }).click();
  await page
    .getByRole('dialog')
    .getByText(/editor/)
    .first()
    .waitFor();
});

test('the navigation marks the entry of the screen alone', { skip }, async () => {
  const { tenant } = await createPeople();
  const { page } = await openAs(tenant.ownerEmail, tenant);
  const current = page.getByRole('navigation').locator('li > a[aria-current="page"]');
  await page.getByRole('link', { name: 'Audiences' }).and(page.locator('[aria-current]')).waitFor();
  assert.deepEqual(await current.allTextContents(), ['Audiences']);
  await page.getByRole('link', { name: 'Subscribers', exact: true }).click();
  await page.getByRole('link', { name: 'ada@shop.example' }).first().click();
  await page.getByRole('heading', { name: /^Ada/, level: 1 }).waitFor();
  assert.deepEqual(await current.allTextContents(), ['Subscribers']);
});

test('a used audience is not deleted, and the message names the journey', { skip }, async () => {
  const { tenant } = await createPeople();
  const { id } = (await tenant.api.post('/api/audiences', { name: 'London', filters: {} })).body;
  await tenant.api.post('/api/journeys', {
    name: 'Welcome',
    active: true,
    trigger: { type: 'audience_entered', audience_id: id },
    steps: [{ key: 'wait', type: 'wait', seconds: 86_400 }],
  });
  const { page } = await openAs(tenant.ownerEmail, tenant, `/${id}`);
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page
    .getByRole('alertdialog')
    .getByText(/Welcome/)
    .waitFor();
  await button(page, 'Delete audience').click();
  await page
    .getByText(/in use|uses it/i)
    .first()
    .waitFor();
  await tenant.api.get(`/api/audiences/${id}`);
});
