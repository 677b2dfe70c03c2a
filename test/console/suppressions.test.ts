/** Suppressions in the console: found, added, imported and lifted. */
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
const SUPPRESSIONS = '/api/email_settings/suppressions';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Opens the suppressions of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, query = '') {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/subscribers/suppressions${query}`);
  return window;
}

/** Creates a tenant with suppressions of each cause. */
async function createSite(): Promise<TestTenant> {
  const tenant = await app.createTenant();
  for (const type of ['bounce', 'complaint', 'unsubscribe'])
    await tenant.api.post(SUPPRESSIONS, {
      recipient: `${type}@shop.example`,
      type,
      description: `Cause: ${type}`,
    });
  return tenant;
}

async function listSuppressed({ api }: TestTenant): Promise<readonly string[]> {
  const { results } = (await api.get(`${SUPPRESSIONS}/list?pageSize=100&sort=recipient`)).body;
  return results.map(({ recipient }: { recipient: string }) => recipient);
}

/** Chooses a file with these lines in the open drawer, and imports it. */
async function importLines(page: Page, lines: readonly string[]): Promise<void> {
  const file = { name: 'old-system.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) };
  await page.locator('input[type=file]').setInputFiles(file);
  await button(page, 'Import file').click();
}

test('a suppression is found, lifted after a warning that fits its cause, and suppressed again by undo', {
  skip,
}, async () => {
  const tenant = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByText('3 suppressions', { exact: true }).waitFor();
  await page.getByRole('searchbox').fill('COMPLAINT@');
  await row(page, 'bounce@shop.example').waitFor({ state: 'detached' });
  await row(page, 'complaint@shop.example').getByRole('button', { name: 'Lift' }).click();
  await page.getByText('This recipient has marked your mail as spam.').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Lift suppression').click();
  await page.getByText('Suppression of complaint@shop.example lifted').waitFor();
  assert.deepEqual(await listSuppressed(tenant), ['bounce@shop.example', 'unsubscribe@shop.example']);
  await button(page, 'Undo').click();
  await row(page, 'complaint@shop.example').waitFor();
  const { body } = await tenant.api.get(`${SUPPRESSIONS}/list/complaint@shop.example`);
  assert.deepEqual([body.type, body.description], ['complaint', 'Cause: complaint']);
  assert.deepEqual(faults, []);
});

test('suppressions are filtered by their cause', { skip }, async () => {
  const tenant = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, '?filter=type%20is%20bounce');
  await page.getByText('1 suppression', { exact: true }).waitFor();
  await row(page, 'bounce@shop.example').waitFor();
  assert.deepEqual(faults, []);
});

test('an address is suppressed with a cause and a reason', { skip }, async () => {
  const tenant = await app.createTenant();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByRole('link', { name: 'Suppress address' }).first().click();
  const field = (name: string) => page.getByRole('dialog').getByRole('textbox', { name });
  await field('Email address').fill('nobody');
  await button(page, 'Suppress address').click();
  await page.getByText('Must be a valid email address').waitFor();
  await field('Email address').fill('Ada@Shop.example');
  await field('Reason').fill('Asked by phone');
  await button(page, 'Suppress address').click();
  await page.getByText('ada@shop.example suppressed').waitFor();
  await row(page, 'ada@shop.example').getByText('Asked by phone').waitFor();
  const { body } = await tenant.api.get(`${SUPPRESSIONS}/list/ada@shop.example`);
  assert.equal(body.type, 'unsubscribe');
  assert.deepEqual(faults, []);
});

test('10,000 suppressions are imported', { skip }, async () => {
  const tenant = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByRole('link', { name: 'Import' }).click();
  await button(page, 'Import file').click();
  await page.getByRole('dialog').getByText('Choose a file', { exact: true }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  const rows = Array.from({ length: 10_000 }, (_, n) => `r${n}@shop.example,bounce`);
  await importLines(page, ['recipient,type', ...rows]);
  await page.getByText('old-system.csv: 10,000 addresses suppressed').waitFor();
  await page.getByText('10,003 suppressions', { exact: true }).waitFor();
  assert.deepEqual(faults, []);
});

test('an import names the rows that failed and counts those that were suppressed already', {
  skip,
}, async () => {
  const tenant = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, '?import=true');
  await importLines(page, ['recipient', 'bounce@shop.example', 'nobody', 'ada@shop.example']);
  await page.getByText('old-system.csv: 1 address suppressed').waitFor();
  await page.getByText('1 row is of addresses that were suppressed already.').waitFor();
  const failed = page.getByRole('table', { name: 'Rows that failed' }).getByRole('row').last();
  assert.match(await failed.innerText(), /3\s+recipient must be a valid email address/);
  assert.deepEqual(await findFaults(page), []);
  assert.deepEqual(faults, []);
});

test('a file without a column of recipients is refused with the reason', { skip }, async () => {
  const tenant = await app.createTenant();
  const { page } = await openAs(tenant.ownerEmail, tenant, '?import=true');
  await importLines(page, ['email', 'ada@shop.example']);
  await page.getByText('old-system.csv was not imported completely').waitFor();
  await page
    .getByRole('alert')
    .getByText(/recipient/)
    .waitFor();
  assert.deepEqual(await listSuppressed(tenant), []);
});

test('all matching suppressions are lifted after their number and a word are confirmed', {
  skip,
}, async () => {
  const tenant = await createSite();
  for (const name of ['ada', 'bob'])
    await tenant.api.post(SUPPRESSIONS, { recipient: `${name}@store.example`, type: 'unsubscribe' });
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, '?search=store');
  await page.getByText('2 suppressions', { exact: true }).waitFor();
  await row(page, 'ada@store.example').getByRole('checkbox').click();
  await button(page, 'Select all 2').click();
  await button(page, 'Lift suppressions').click();
  await page.getByText('Mail is sent to 2 addresses again.').waitFor();
  assert.equal(await button(page, 'Lift 2').isDisabled(), true);
  await page.getByRole('dialog').getByRole('textbox').fill('lift');
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Lift 2').click();
  await page.getByText(/^Change of suppressions: .*2 changed/).waitFor();
  const causes = ['bounce', 'complaint', 'unsubscribe'];
  assert.deepEqual(
    await listSuppressed(tenant),
    causes.map((cause) => `${cause}@shop.example`),
  );
  assert.deepEqual(faults, []);
});

test('members who are not admin of Default see suppressions and the role that lifting needs', {
  skip,
}, async () => {
  const tenant = await createSite();
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  const { page } = await openAs(email, tenant);
  await row(page, 'bounce@shop.example').getByRole('button', { name: 'Lift' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('tooltip').getByText(/admin/).waitFor();
  assert.equal((await listSuppressed(tenant)).length, 3);
});
