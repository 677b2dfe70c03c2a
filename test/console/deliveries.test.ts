/** Deliveries in the console: failed ones are found, inspected and sent again together. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { copyDeliveries } from '../harness/many-deliveries.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { type Receiver, startReceiver } from '../harness/receiver.ts';
import { createForm, submit } from '../harness/sample-forms.ts';
import { createWebhook, submitMany } from '../harness/submission-load.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const FAILED = 1_204;
const FAILED_TEXT = '1,204';

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true });

async function openAs(email: string, { code }: TestTenant, path = '') {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/connections/deliveries${path}`);
  return window;
}

/** Creates a tenant with failed deliveries of one webhook. */
async function createSite(count: number) {
  const receiver = await startReceiver();
  receiver.answer = (_, response) => response.writeHead(500).end('Closed for repairs');
  const tenant = await app.createTenant();
  const formCode = await createForm(tenant.api, { name: 'Contact' });
  const id = await createWebhook(tenant.api, formCode, receiver.url);
  await submitMany(tenant.api, formCode, { count, concurrency: 8 });
  await failed(tenant, count);
  return { receiver, tenant, formCode, id };
}

/** Waits until this many deliveries have failed. */
const failed = ({ api }: TestTenant, count: number) =>
  eventually(`${count} failed deliveries`, async () => {
    const filters = { status: { eq: 'failed' } };
    const { body } = await api.post('/api/deliveries/list', { page: 1, limit: 1, filters });
    return body.total === count;
  });

test('1,204 failed deliveries are filtered, one is inspected, and all are sent again until none is left', {
  skip,
}, async () => {
  const { tenant, receiver } = await createSite(1);
  await copyDeliveries(app.app.platform, tenant, FAILED - 1);
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByText(`${FAILED_TEXT} deliveries`, { exact: true }).waitFor();
  await button(page, 'Filter').click();
  const editor = page.getByRole('form', { name: 'Condition' });
  await editor.getByRole('button', { name: /Value/ }).click();
  await page.getByRole('option', { name: 'Failed', exact: true }).click();
  await editor.getByRole('button', { name: 'Apply' }).click();
  await page.waitForURL(/filter=status/);
  await page.getByText(`${FAILED_TEXT} deliveries`, { exact: true }).waitFor();
  await page.getByRole('row').getByRole('link').first().click();
  await page.getByRole('heading', { name: 'Delivery to Receiver', level: 1 }).waitFor();
  await page.getByText('Attempt 5').waitFor();
  assert.equal(await page.getByText(/^Attempt \d$/).count(), 5);
  assert.equal(await page.getByText('Status 500', { exact: true }).filter({ visible: true }).count(), 5);
  await page.getByText('Closed for repairs').first().waitFor();
  await page.getByText('Attempt 1').click();
  assert.equal(await page.getByText('Closed for repairs').filter({ visible: true }).count(), 2);
  assert.deepEqual(await findFaults(page), []);
  await page.goBack();
  const open = holdAnswers(receiver);
  await button(page, 'Send these again').click();
  const dialog = page.getByRole('dialog', { name: 'Send deliveries again?' });
  await dialog.getByText(`${FAILED_TEXT} deliveries are sent again`).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await dialog.getByRole('button', { name: `Send ${FAILED_TEXT} again` }).click();
  await page.getByRole('progressbar', { name: `Sending ${FAILED_TEXT} deliveries again` }).waitFor();
  await page.getByText(`${FAILED_TEXT} left`).waitFor();
  open();
  await page.getByText(`${FAILED_TEXT} deliveries were sent again. None is waiting.`).waitFor();
  await failed(tenant, 0);
  // React Aria announces the pending button for some seconds, by the name of what the dialog showed.
  await page.locator('div[role=img]').waitFor({ state: 'detached' });
  assert.deepEqual(await findFaults(page), []);
  assert.deepEqual(faults, []);
});

/** Lets all requests to a receiver wait until the returned function is called, and then succeed. */
function holdAnswers(receiver: Receiver): () => void {
  const { promise, resolve } = Promise.withResolvers<void>();
  receiver.answer = (_, response) => void promise.then(() => response.end('ok'));
  return resolve;
}

test('rows are shown before all are counted, and a count that fails can be tried again', {
  skip,
}, async () => {
  const { tenant } = await createSite(1);
  await copyDeliveries(app.app.platform, tenant, 149);
  const { page } = await openWindowAs(browser, app, tenant.ownerEmail);
  let isFailing = true;
  await page.route('**/api/deliveries/list', (route) => {
    const { count = true } = route.request().postDataJSON();
    return count && isFailing ? route.abort() : route.continue();
  });
  await page.goto(`${app.url}/console/t/${tenant.code}/connections/deliveries`);
  await page.getByRole('grid').getByRole('link').first().waitFor();
  const retry = button(page, 'Try again');
  await retry.waitFor();
  assert.equal(await page.getByText('150 deliveries', { exact: true }).count(), 0);
  isFailing = false;
  await retry.click();
  await page.getByText('150 deliveries', { exact: true }).waitFor();
});

test('rows that are selected by key are sent again, and no others', { skip }, async () => {
  const { tenant, receiver } = await createSite(1);
  await copyDeliveries(app.app.platform, tenant, 4);
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByText('5 deliveries', { exact: true }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByText('2 selected').waitFor();
  assert.deepEqual(await findFaults(page), []);
  const before = receiver.received.length;
  receiver.answer = (_, response) => response.end('ok');
  await button(page, 'Send selected again').click();
  await page.getByRole('dialog').getByRole('button', { name: 'Send 2 again' }).click();
  await page.getByText('2 deliveries were sent again. None is waiting.').waitFor();
  await failed(tenant, 3);
  assert.equal(receiver.received.length, before + 2);
  assert.deepEqual(faults, []);
});

test('if one more fails before the user confirms, the new number is asked', { skip }, async () => {
  const { tenant, receiver, formCode } = await createSite(2);
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await button(page, 'Send failed again').click();
  const dialog = page.getByRole('dialog', { name: 'Send deliveries again?' });
  await dialog.getByText('2 deliveries are sent again').waitFor();
  await submit(tenant.api, formCode);
  await failed(tenant, 3);
  await dialog.getByRole('button', { name: 'Send 2 again' }).click();
  await dialog.getByText('The number has changed from 2 to 3 meanwhile').waitFor();
  assert.equal(receiver.received.length, 15);
  receiver.answer = (_, response) => response.end('ok');
  await dialog.getByRole('button', { name: 'Send 3 again' }).click();
  await failed(tenant, 0);
});

test('the page of a webhook leads to its deliveries, and names its form', { skip }, async () => {
  const { tenant, id } = await createSite(1);
  const other = await createForm(tenant.api);
  const receiver = await startReceiver();
  await createWebhook(tenant.api, other, receiver.url);
  await submit(tenant.api, other);
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await page.getByText('2 deliveries', { exact: true }).waitFor();
  await page.goto(`${app.url}/console/t/${tenant.code}/connections/webhooks/${id}`);
  await page.getByRole('definition').getByText('Contact', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Filter and send again' }).click();
  await page.getByText('1 delivery', { exact: true }).waitFor();
  await page.getByRole('row').getByText('Failed').waitFor();
});

test('a viewer sees deliveries, and why they cannot be sent again', { skip }, async () => {
  const { tenant } = await createSite(1);
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await openAs(viewer.email, tenant);
  await page.getByRole('row').getByText('Failed').waitFor();
  const all = page.getByRole('button', { name: 'Send failed again' });
  assert.equal(await all.getAttribute('aria-disabled'), 'true');
});
