/** Operations in the console: the top bar shows what runs; an import is watched, cancelled, and reverted. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { subscriberImport } from '../../src/features/contacts/subscribers/import/jobs.ts';
import { features } from '../../src/features/index.ts';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { createSubscriber } from '../harness/subscribers.ts';
import { startOwnApp, type TestTenant } from '../harness/test-app.ts';

const PART = 50;
// A process that only serves HTTP, so that operations wait until a test runs their job.
const app = await startOwnApp({ ROLE: 'api', JOB_BATCH_SIZE: String(PART) });
const browser = await startBrowser();
const skip = withoutBrowser();

async function startImport({ api }: TestTenant, count: number): Promise<string> {
  const { id: list } = (await api.post('/api/lists', { name: 'News' })).body;
  const rows = Array.from({ length: count }, (_, n) => `p${n}@example.com,P`);
  const options = {
    rawBody: ['email,first_name', ...rows].join('\n'),
    headers: { 'content-type': 'text/csv' },
  };
  const path = `/api/subscribers/import?mode=upsert&list_id=${list}`;
  return String((await api.post(path, undefined, 200, options)).body.import_id);
}

/** Does one part of an import. */
const runPart = ({ tenantId }: TestTenant, operationId: string, turn: number) =>
  subscriberImport.run({ tenantId, operationId, turn }, app.app.platform, -1);

/** Runs the first job of a bulk action. */
async function runBulkJob(kind: string, { tenantId }: TestTenant, operationId: string): Promise<void> {
  const jobs = features.flatMap(({ operations = [] }) => operations).find((each) => each.kind === kind)?.jobs;
  await jobs?.[0]?.runChecked(app.app.platform, { tenantId, operationId, turn: 0 });
}

/** Opens the operations; the clock of the page stands still until a test moves it. */
async function open({ code, ownerEmail }: Pick<TestTenant, 'code' | 'ownerEmail'>) {
  const { page, faults } = await openWindowAs(browser, app, ownerEmail);
  let readings = 0;
  page.on('request', (request) => {
    if (request.url().endsWith('/api/operations/running')) readings += 1;
  });
  await page.clock.install();
  await page.goto(`${app.url}/console/t/${code}/operations`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.clock.runFor(2_000);
  return { page, faults, readings: () => readings };
}

const indicator = (page: Page) => page.getByRole('button', { name: '1 operation is running' });

test('running work is shown in the top bar, and its end is announced', { skip }, async () => {
  const tenant = await app.createTenant();
  const id = await startImport(tenant, 2 * PART);
  const { page, faults } = await open(tenant);
  await indicator(page).click();
  const popover = page.getByRole('dialog');
  await popover.getByText('Waiting').waitFor();
  await runPart(tenant, id, 0);
  await page.clock.runFor(5_000);
  await popover.getByText('50 of 100').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await popover.getByRole('link', { name: 'Subscriber import: News' }).click();
  await page.getByRole('heading', { level: 1, name: 'Subscriber import: News' }).waitFor();
  await runPart(tenant, id, 1);
  await page.clock.runFor(5_000);
  await page.getByText('Subscriber import: News: done').waitFor();
  await indicator(page).waitFor({ state: 'detached' });
  await page.getByText('100 of 100').waitFor();
  assert.deepEqual(faults, []);
});

test('the progress of operations is not read while nothing runs', { skip }, async () => {
  const { page, readings } = await open(await app.createTenant());
  const overview = page.waitForRequest('**/api/overview');
  await page.clock.runFor(60_000);
  await overview;
  assert.equal(readings(), 0);
});

test('an operation is cancelled in the list', { skip }, async () => {
  const tenant = await app.createTenant();
  const id = await startImport(tenant, 2 * PART);
  await runPart(tenant, id, 0);
  const { page } = await open(tenant);
  await page.getByRole('row', { name: /News/ }).hover();
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByText('Subscriber import: News was cancelled').waitFor();
  const { status, done } = (await tenant.api.get(`/api/operations/${id}`)).body;
  assert.deepEqual([status, done], ['cancelled', PART]);
});

test('an import is reverted after the console says what would be erased', { skip }, async () => {
  const tenant = await app.createTenant();
  const { api, tenantId } = tenant;
  const id = await startImport(tenant, 3);
  await runPart(tenant, id, 0);
  const all = { page: 1, limit: 3, filters: {} };
  const [kept] = (await api.post('/api/subscribers/list', all)).body.results;
  await api.patch(`/api/subscribers/${kept.id}`, { first_name: 'Mine' });
  const { page } = await open(tenant);
  await page.getByRole('link', { name: 'Subscriber import: News' }).click();
  await page.getByRole('button', { name: 'Revert…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('2 subscribers that it has created are erased for good.').waitFor();
  await dialog.getByText('1 record has changed since and stays.').waitFor();
  assert.deepEqual(await findFaults(page), []);
  const confirm = dialog.getByRole('button', { name: 'Revert', exact: true });
  assert.equal(await confirm.isDisabled(), true);
  await dialog.getByRole('textbox').fill('revert');
  await confirm.click();
  await page.getByText('The revert has started').waitFor();
  await indicator(page).waitFor();
  const operationId = (await api.get(`/api/operations/${id}`)).body.reverted_by;
  await subscriberImport.revert?.kind.run({ tenantId, operationId, turn: 0 }, app.app.platform);
  await page.clock.runFor(5_000);
  await page.getByText('Revert of a subscriber import: News: done').waitFor();
  assert.equal((await api.post('/api/subscribers/list', all)).body.total, 1);
});

test('a change of many records is reverted without a typed word, because nothing is erased', {
  skip,
}, async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  await createSubscriber(tenant);
  const change = { action: 'set_active', active: false, inactive_reason: 'Moved', filters: {} };
  const { operation_id: id } = (await api.post('/api/subscribers/bulk', { ...change, expected_count: 1 }))
    .body;
  await runBulkJob('subscribers_bulk', tenant, id);
  const { page, faults } = await open(tenant);
  await page.getByRole('link', { name: 'Change of subscribers: Activate or deactivate' }).click();
  await page.getByRole('button', { name: 'Revert…' }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByText('1 record goes back to what it was.').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await dialog.getByRole('button', { name: 'Revert', exact: true }).click();
  await page.getByText('The revert has started').waitFor();
  await page.getByRole('link', { name: 'See the revert' }).click();
  const name = 'Revert of a change of subscribers: Activate or deactivate';
  await page.getByRole('heading', { level: 1, name }).waitFor();
  assert.deepEqual(faults, []);
});

test('an action that the console does not know is shown as the API calls it', { skip }, async () => {
  const tenant = await app.createTenant();
  const { page } = await open(tenant);
  const removal = { action: 'delete', filters: {}, expected_count: 0 };
  await tenant.api.post('/api/email_settings/suppressions/bulk', removal);
  await page.route('**/api/operations/list', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace('"delete"', '"lift_later"') });
  });
  await page.reload();
  await page.getByRole('link', { name: 'Change of suppressions: lift_later' }).waitFor();
});

test('members see only what they have started', { skip }, async () => {
  const tenant = await app.createTenant();
  await startImport(tenant, 1);
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await open({ code: tenant.code, ownerEmail: email });
  await page.getByText('Imports and exports that you start appear here.').waitFor();
  assert.equal(await indicator(page).count(), 0);
});
