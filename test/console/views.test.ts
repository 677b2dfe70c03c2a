/** Saved views of lists: one is saved and shared, opened by a colleague, replaced, and deleted. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const SCREEN = 'connections/webhooks';
const PATH = '/api/client/v1/views';

const dialog = (page: Page) => page.getByRole('dialog');

/** Opens the webhooks of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, query = '') {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/${SCREEN}${query}`);
  return window;
}

/** Opens the menu of the views, and chooses an entry. */
async function choose(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Saved views' }).click();
  await page.getByRole('menuitem', { name }).click();
}

async function viewsOf({ api }: TestTenant) {
  return (await api.get(`${PATH}?screen=${SCREEN}`)).body.results;
}

test('a view is saved, shared, and shows a colleague the same list', { skip }, async () => {
  const tenant = await app.createTenant();
  const { body } = await tenant.api.get('/api/client/v1/business-units');
  const grants = [{ bu_id: body.default_business_unit_id, role: 'viewer' }] as const;
  const viewer = await createMember(tenant, [...grants]);
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, '?filter=active+is+false&sort=name');
  await choose(page, 'Save this view');
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Paused ones');
  await dialog(page).getByText('Share with all members').click();
  assert.deepEqual(await findFaults(page), []);
  await page.keyboard.press('Enter');
  await page.getByText('View “Paused ones” saved').waitFor();

  const { page: other } = await openAs(viewer.email, tenant);
  await choose(other, 'Paused ones');
  await other.waitForURL((url) => url.searchParams.get('filter') === 'active is false');
  assert.equal(new URL(other.url()).searchParams.get('sort'), 'name');
  await choose(other, 'All rows');
  await other.waitForURL((url) => !url.searchParams.has('filter') && !url.searchParams.has('sort'));
  assert.deepEqual(faults, []);
});

test('a view that is saved under the name of another replaces it', { skip }, async () => {
  const tenant = await app.createTenant();
  await tenant.api.post(PATH, { screen: SCREEN, name: 'Mine', query: 'sort=name' });
  const { page } = await openAs(tenant.ownerEmail, tenant, '?sort=-name');
  await choose(page, 'Save this view');
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill('Mine');
  await page.getByText('Replaces the view “Mine”.').waitFor();
  await dialog(page).getByRole('button', { name: 'Replace view' }).click();
  await page.getByText('View “Mine” saved').waitFor();
  const views = await viewsOf(tenant);
  assert.deepEqual(
    views.map(({ name, query }: { name: string; query: string }) => [name, query]),
    [['Mine', 'sort=-name']],
  );
});

test('a viewer is told who can share a view', { skip }, async () => {
  const tenant = await app.createTenant();
  const { body } = await tenant.api.get('/api/client/v1/business-units');
  const viewer = await createMember(tenant, [{ bu_id: body.default_business_unit_id, role: 'viewer' }]);
  const { page } = await openAs(viewer.email, tenant, '?sort=name');
  await choose(page, 'Save this view');
  assert.equal(await dialog(page).getByRole('checkbox').isDisabled(), true);
  await dialog(page).getByText('Only an editor', { exact: false }).waitFor();
});

test('a view that a colleague shared opens with a notice that names the field that was removed', {
  skip,
}, async () => {
  const tenant = await app.createTenant();
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const query = 'filter=gone+is+1&columns=name%2Cgone';
  await tenant.api.post(PATH, { screen: SCREEN, name: 'Old', query, shared: true });
  const { page } = await openAs(viewer.email, tenant);
  await choose(page, 'Old');
  await page.getByText('This view uses something that the list no longer has').waitFor();
  await page.getByText('There is no column “gone”.').waitFor();
  await page.getByText('The list has no field “gone”.').waitFor();
});

test('a deleted view comes back by undo', { skip }, async () => {
  const tenant = await app.createTenant();
  await tenant.api.post(PATH, { screen: SCREEN, name: 'Mine', query: 'sort=name' });
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await choose(page, 'Share or delete views');
  await dialog(page).getByText('Shared').click();
  await dialog(page).getByRole('switch', { checked: true }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await dialog(page).getByRole('button', { name: 'Delete Mine' }).click();
  await page.getByText('View “Mine” deleted').waitFor();
  assert.deepEqual(await viewsOf(tenant), []);
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText('View “Mine” deleted').waitFor({ state: 'hidden' });
  const [view] = await viewsOf(tenant);
  assert.deepEqual([view.name, view.query, view.shared], ['Mine', 'sort=name', true]);
});
