/** Imports of subscribers in the console: the columns of a spreadsheet are recognized, corrected, and imported. */
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

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, column: string) =>
  page.getByRole('button', { name: new RegExp(`Becomes of ${column}`) });

/** Opens the screen as a user. */
async function openAs(email: string, { code }: TestTenant) {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/subscribers/import`);
  return window;
}

/** Chooses a file with this content. */
async function choose(page: Page, content: string | Buffer, name = 'Kunden.csv') {
  await page
    .locator('input[type=file]')
    .setInputFiles({ name, mimeType: 'application/vnd.ms-excel', buffer: Buffer.from(content) });
}

/** As the German Excel writes it: semicolons, Windows-1252. */
const GERMAN_EXCEL = Buffer.from(
  'Kunde;E-Mail;Vorname;Nachname;Bemerkung\r\n1;ada@shop.example;Jürgen;Groß;vip\r\n2;bob@shop.example;Bob;Öz;\r\n',
  'latin1',
);

async function listSubscribers({ api }: TestTenant) {
  const { results } = (
    await api.post('/api/subscribers/list', { page: 1, limit: 10, sort: 'email', filters: {} })
  ).body;
  return results;
}

test('a file of the German Excel is recognized, corrected and imported into a list', { skip }, async () => {
  const tenant = await app.createTenant();
  const { id: listId } = (await tenant.api.post('/api/lists', { name: 'Kunden' })).body;
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await choose(page, GERMAN_EXCEL);
  await field(page, 'E-Mail').getByText('Email address').waitFor();
  await field(page, 'Vorname').getByText('First name').waitFor();
  await page.getByText('Jürgen, Bob').waitFor();
  await field(page, 'Kunde').click();
  await page.getByRole('option', { name: 'Do not import' }).click();
  await page.getByRole('button', { name: /Add everybody to/ }).click();
  await page.getByRole('option', { name: 'Kunden' }).click();
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Import').click();
  await page.waitForURL(/\/operations\//);
  await page.getByText('Done', { exact: true }).first().waitFor();
  const [ada, bob] = await listSubscribers(tenant);
  assert.deepEqual(
    [ada.first_name, ada.last_name, ada.additional_fields_data, ada.lists],
    ['Jürgen', 'Groß', { Bemerkung: 'vip' }, [listId]],
  );
  assert.deepEqual([bob.last_name, bob.additional_fields_data], ['Öz', {}]);
  assert.deepEqual(faults, []);
});

test('the form says what is missing, and a workbook cannot be imported', { skip }, async () => {
  const tenant = await app.createTenant();
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await choose(page, Buffer.from('PK\u0003\u0004'), 'Kunden.xlsx');
  await page.getByText('This is a workbook, not a table').waitFor();
  await choose(page, 'name,where\nAda,London\n');
  const start = button(page, 'Import');
  await start.waitFor();
  assert.equal(await start.getAttribute('aria-disabled'), 'true');
  await start.hover();
  await page.getByText('Choose the column with the email addresses.').waitFor();
  await choose(page, 'mail,first\nada@shop.example,Ada\n', 'other.csv');
  await field(page, 'first').click();
  await page.getByRole('option', { name: 'Email address' }).click();
  await start.hover();
  await page.getByText(/Two columns become the same field/).waitFor();
});

test('people who are subscribers already can be left as they are', { skip }, async () => {
  const tenant = await app.createTenant();
  const ada = { first_name: 'Ada', email: 'ada@shop.example', active: true, audiences: [], lists: [] };
  await tenant.api.post('/api/subscribers', ada);
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await choose(page, 'email,first_name\nada@shop.example,Other\nbob@shop.example,Bob\n');
  await page.getByText('Leave them as they are').click();
  await button(page, 'Import').click();
  await page.waitForURL(/\/operations\//);
  await page.getByText(/address of an existing subscriber/).waitFor();
  const names = (await listSubscribers(tenant)).map(({ first_name }: { first_name: string }) => first_name);
  assert.deepEqual(names, ['Ada', 'Bob']);
});

test('a viewer sees why nothing can be imported', { skip }, async () => {
  const tenant = await app.createTenant();
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await openAs(viewer.email, tenant);
  await page
    .getByText(/editor/)
    .first()
    .waitFor();
  assert.equal(await button(page, 'Choose file').isDisabled(), true);
});
