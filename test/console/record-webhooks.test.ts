/** Record webhooks in the console: added with the changes of some entities, followed to deliveries, and deleted. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createRecordsTenant, type RecordsTenant } from '../harness/records.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const fields = [{ name: 'total', type: 'number' }] as const;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const change = (page: Page, entity: string, name: string) =>
  page.getByRole('group', { name: entity, exact: true }).getByText(name, { exact: true });

/** Opens the record webhooks of a tenant as its owner. */
async function openAsOwner({ code, ownerEmail }: RecordsTenant, search = '') {
  const window = await openWindowAs(browser, app, ownerEmail);
  await window.page.goto(`${app.url}/console/t/${code}/connections/record-changes${search}`);
  return window;
}

test('a record webhook sends the chosen changes, and its row leads to their deliveries', {
  skip,
}, async () => {
  const receiver = await startReceiver();
  const tenant = await createRecordsTenant(app, [
    { name: 'order', label: 'Order', fields },
    { name: 'customer', fields },
  ]);
  const { page, faults } = await openAsOwner(tenant);
  await page.getByRole('link', { name: 'Add record webhook' }).first().click();
  await page.getByRole('textbox', { name: 'Address' }).fill(receiver.url);
  await change(page, 'Order', 'Created').click();
  await change(page, 'customer', 'Deleted').click();
  await button(page, 'Add record webhook').click();
  await page.getByText('is required').waitFor();
  await page.getByLabel(/^Secret/).fill('only the receiver knows');
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Add record webhook').click();
  await page.getByText(/^Record webhook for .+ added$/).waitFor();
  await page.getByRole('row').filter({ hasText: 'order: Created; customer: Deleted' }).waitFor();
  await tenant.owner.post('/api/order', { total: 1 });
  await tenant.owner.post('/api/customer', { total: 2 });
  await eventually('the delivery', () => receiver.received.length === 1);
  assert.equal(receiver.received[0]?.body.event, 'order.created');
  await page.getByRole('link', { name: receiver.url }).click();
  await page.getByRole('heading', { level: 1, name: 'Deliveries' }).waitFor();
  await page.getByRole('row').filter({ hasText: receiver.url }).waitFor();
  assert.deepEqual(faults, []);
});

test('a record webhook is deleted after a question', { skip }, async () => {
  const tenant = await createRecordsTenant(app, [{ name: 'order', fields }]);
  const url = 'http://127.0.0.1:9/orders';
  await tenant.owner.post('/api/webhooks', { url, events: ['order.created'], secret: 'a secret' });
  const { page, faults } = await openAsOwner(tenant);
  await page.getByRole('row').filter({ hasText: url }).hover();
  await button(page, `Actions for ${url}`).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await button(page, 'Delete webhook').click();
  await page.getByText('Record webhook for 127.0.0.1:9 deleted').waitFor();
  await page.getByText('Add one to send the changes of your records').waitFor();
  assert.deepEqual((await tenant.owner.get('/api/webhooks')).body.data, []);
  assert.deepEqual(faults, []);
});

test('many entities are searched, and what was chosen before stays chosen', { skip }, async () => {
  const entities = Array.from({ length: 12 }, (_, index) => ({ name: `entity_${index}`, fields }));
  const tenant = await createRecordsTenant(app, entities);
  const { page, faults } = await openAsOwner(tenant, '?new=true');
  await page.getByRole('textbox', { name: 'Address' }).fill('http://127.0.0.1:9/');
  await page.getByLabel(/^Secret/).fill('only the receiver knows');
  await change(page, 'entity_3', 'Updated').click();
  await page.getByRole('textbox', { name: 'Search entities' }).fill('y_11');
  await page.keyboard.press('Enter');
  await change(page, 'entity_3', 'Updated').waitFor({ state: 'detached' });
  await change(page, 'entity_11', 'Deleted').click();
  assert.deepEqual((await tenant.owner.get('/api/webhooks')).body.data, []);
  await button(page, 'Add record webhook').click();
  await page.getByText(/^Record webhook for .+ added$/).waitFor();
  const [{ events }] = (await tenant.owner.get('/api/webhooks')).body.data;
  assert.deepEqual(events, ['entity_3.updated', 'entity_11.deleted']);
  assert.deepEqual(faults, []);
});

test('a tenant without entities is told where they are defined', { skip }, async () => {
  const tenant = await createRecordsTenant(app, []);
  const { page, faults } = await openAsOwner(tenant, '?new=true');
  await page.getByText('There are no entities yet').waitFor();
  await page.getByRole('link', { name: 'Define one with the API' }).waitFor();
  assert.deepEqual(faults, []);
});
