/** Lists of subscribers in the console: created in a unit, changed by two users, opened, and deleted. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createJourney } from '../harness/journeys.ts';
import { createUnit } from '../harness/members.ts';
import { formBody } from '../harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) => page.getByRole('dialog').getByRole('textbox', { name });

/** Opens a path below the lists of a tenant as its owner. */
async function openAsOwner({ code, ownerEmail }: TestTenant, path = '') {
  const window = await openWindowAs(browser, app, ownerEmail);
  await window.page.goto(`${app.url}/console/t/${code}/subscribers/lists${path}`);
  return window;
}

/** Creates a tenant with a list of one subscriber. Returns the id of the list. */
async function createSite() {
  const tenant = await app.createTenant();
  const { id } = (await tenant.api.post('/api/lists', { name: 'News' })).body;
  const ada = { first_name: 'Ada', email: 'ada@shop.example', active: true, audiences: [], lists: [id] };
  await tenant.api.post('/api/subscribers', ada);
  return { tenant, id };
}

test('a list is created in the unit that the form asks for', { skip }, async () => {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  const { page, faults } = await openAsOwner(tenant);
  await page.getByRole('link', { name: 'Create list' }).first().click();
  await field(page, 'Name').fill('Customers');
  await page
    .getByRole('button', { name: /Business unit/ })
    .last()
    .click();
  await page.getByRole('option', { name: 'North' }).click();
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Create list').click();
  await page.getByRole('heading', { name: 'Customers', level: 1 }).waitFor();
  const { results } = (await tenant.api.post('/api/lists/list', { page: 1, limit: 10 })).body;
  assert.deepEqual([results[0].name, results[0].business_unit], ['Customers', north]);
  assert.deepEqual(faults, []);
});

test('a list leads to its subscribers', { skip }, async () => {
  const { tenant, id } = await createSite();
  const { page, faults } = await openAsOwner(tenant, `/${id}`);
  await page.getByRole('link', { name: '1 subscriber' }).click();
  await page.getByRole('row').filter({ hasText: 'ada@shop.example' }).waitFor();
  assert.deepEqual(faults, []);
});

test('changes of two users to different fields of a list are both kept', { skip }, async () => {
  const { tenant, id } = await createSite();
  const first = await openAsOwner(tenant, `/${id}?edit=true`);
  const second = await openAsOwner(tenant, `/${id}?edit=true`);
  await field(first.page, 'Name').fill('Newsletter');
  await field(second.page, 'Description').fill('Once a month');
  for (const { page } of [first, second]) {
    await button(page, 'Save changes').click();
    await page.getByText(/^List “.+” saved$/).waitFor();
  }
  const { name, description } = (await tenant.api.get(`/api/lists/${id}`)).body;
  assert.deepEqual([name, description], ['Newsletter', 'Once a month']);
});

test('a list is deleted after a question that says who leaves it', { skip }, async () => {
  const { tenant, id } = await createSite();
  const { page, faults } = await openAsOwner(tenant, `/${id}`);
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('1 subscriber leaves the list, and stays a subscriber.').waitFor();
  await button(page, 'Delete list').click();
  await page.getByText('List “News” deleted').waitFor();
  await tenant.api.get(`/api/lists/${id}`, 404);
  assert.deepEqual(faults, []);
});

test('the page of a list links what uses it, and the question before its deletion names that', {
  skip,
}, async () => {
  const { tenant, id } = await createSite();
  const { api } = tenant;
  const trigger = { type: 'list_joined', list_id: id };
  const wait = { key: 'day', type: 'wait', seconds: 86_400 };
  const journey = await createJourney(tenant, [wait], { name: 'Welcome', trigger });
  const mapping = { enabled: true, lists: [id] };
  await api.post('/api/forms', formBody({ name: 'Sign-up', active: false, subscriber_mapping: mapping }));
  const { page } = await openAsOwner(tenant, `/${id}`);
  const used = page.getByRole('table', { name: 'Used by' });
  await used.getByRole('row', { name: /Welcome\s+Journey\s+Active/ }).waitFor();
  await used.getByRole('row', { name: /Sign-up\s+Form\s+Inactive/ }).waitFor();
  const href = await used.getByRole('link', { name: 'Welcome' }).getAttribute('href');
  assert.ok(href?.endsWith(`/activity/user_journey/${journey}`), href ?? 'no link');
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await page.getByText('Journey “Welcome” and Form “Sign-up”, inactive').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Delete list').click();
  await page.getByText(/^In use by: active journey "Welcome"/).waitFor();
  await api.get(`/api/lists/${id}`);
});

test('the page of a list that nothing uses says so', { skip }, async () => {
  const { tenant, id } = await createSite();
  const { page, faults } = await openAsOwner(tenant, `/${id}`);
  await page.getByText('Nothing uses it.').waitFor();
  assert.deepEqual(faults, []);
});
