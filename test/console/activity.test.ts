/** The activity of a tenant in the console: who changed what, by day, with filters in the address. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

async function openAs(email: string, { code }: TestTenant, path: string) {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/${path}`);
  return window;
}

/** Creates a tenant in which a colleague changed a webhook and deleted a theme. */
async function createSite() {
  const tenant = await app.createTenant();
  const formCode = await createForm(tenant.api, { name: 'Contact' });
  const event = { event_type: 'form.submission', form_code: formCode };
  const target = { url: 'https://old.example/', headers: [] };
  const { id } = (await tenant.api.post('/api/webhooks', { name: 'Shop', event, target })).body;
  const units = (await tenant.api.get('/api/client/v1/business-units')).body.business_units;
  const grants = units.map(({ bu_id }: { bu_id: string }) => ({ bu_id, role: 'admin' }));
  const grace = await createMember(tenant, grants, { name: 'Grace' });
  await grace.api.patch(`/api/webhooks/${id}`, {
    name: 'CRM',
    target: { ...target, url: 'https://new.example/' },
  });
  const { code } = (await grace.api.post('/api/form_themes', { name: 'Green', formBuilderThemeOptions: {} }))
    .body;
  await grace.api.delete(`/api/form_themes/${code}`);
  return { tenant, grace, webhookId: id };
}

test('a change of a webhook by a colleague opens its comparison', { skip }, async () => {
  const { tenant } = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, 'activity');
  await page.getByRole('heading', { name: 'Today' }).waitFor();
  await page.getByText('Changed by Grace: name, target').waitFor();
  await page.getByText('Created by Owner (you)').first().waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('link', { name: 'CRM' }).click();
  const drawer = page.getByRole('dialog', { name: 'History' });
  await drawer.getByText('https://old.example/').waitFor();
  await drawer.getByText('https://new.example/').waitFor();
  assert.deepEqual(faults, []);
});

test('a deleted record leads to the bin', { skip }, async () => {
  const { tenant } = await createSite();
  const { page } = await openAs(tenant.ownerEmail, tenant, 'activity');
  await page.getByText('Deleted by Grace').waitFor();
  await page.getByRole('link', { name: 'Green' }).first().click();
  await page.getByRole('heading', { name: 'Bin' }).waitFor();
  await page.getByRole('row', { name: /^Green/ }).waitFor();
});

test('a filter by member and action is in the address and can be removed', { skip }, async () => {
  const { tenant, grace } = await createSite();
  const filter = `membership_id is ${grace.membershipId} and action is deleted`;
  const { page } = await openAs(tenant.ownerEmail, tenant, `activity?filter=${encodeURIComponent(filter)}`);
  await page.getByText('Deleted by Grace').waitFor();
  assert.equal(await page.getByText('Created by').count(), 0);
  await page.getByRole('button', { name: 'Remove the filter: Member is Grace' }).click();
  await page.getByRole('button', { name: 'Remove the filter: Action is Deleted' }).click();
  await page.getByText('Created by Owner (you)').first().waitFor();
  assert.equal(new URL(page.url()).search, '');
});

test('older changes are shown by a button, and a viewer sees only those of its unit', { skip }, async () => {
  const tenant = await app.createTenant();
  const [north, south] = [await createUnit(tenant, 'North'), await createUnit(tenant, 'South')];
  for (let number = 1; number <= 101; number++)
    await tenant.api.post('/api/lists', { name: `List ${number}`, business_unit: north });
  await tenant.api.post('/api/lists', { name: 'Southern', business_unit: south });
  const viewer = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const { page } = await openAs(viewer.email, tenant, 'activity');
  await page.getByText('List 101', { exact: true }).waitFor();
  assert.equal(await page.getByText('Southern').count(), 0);
  assert.equal(await page.getByText('List 1', { exact: true }).count(), 0);
  await page.getByRole('button', { name: 'Show older changes' }).click();
  await page.getByText('List 1', { exact: true }).waitFor();
});
