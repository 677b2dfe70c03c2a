/** The components of the console that open, ask or search, on the page that shows all of them. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { STOPPED_IN_FRAME, shareWindow } from '../harness/console.ts';
import { startTestApp } from '../harness/test-app.ts';

const skip = withoutBrowser();
const app = await startTestApp();
const { ownerEmail } = await app.createTenant();
const browser = await startBrowser();
const owner = await shareWindow(browser, app, ownerEmail);

/** The page, and what its console reported: errors, warnings and violations of its content security policy. */
interface PartsPage {
  readonly page: Page;
  readonly reports: readonly string[];
}

async function openParts(): Promise<PartsPage> {
  const { page } = owner();
  const reports: string[] = [];
  page.on('console', (message) => {
    const isReport = ['error', 'warning'].includes(message.type()) && !STOPPED_IN_FRAME.test(message.text());
    if (isReport) reports.push(message.text());
  });
  page.on('pageerror', ({ message }) => reports.push(message));
  await page.goto(`${app.url}/console/dev/parts`);
  await page.getByRole('heading', { level: 1, name: 'Parts' }).waitFor();
  return { page, reports };
}

for (const [opener, role, name] of [
  ['Menu', 'menu', 'Menu'],
  ['Popover', 'dialog', 'Popover'],
  ['ConfirmDialog with a word', 'alertdialog', 'Delete 41,203 subscribers?'],
  ['Drawer of 480 px', 'dialog', 'Newsletter sign-up'],
  ['Choose between changes', 'dialog', 'Somebody else changed these fields, too'],
] as const)
  test(`${opener} opens without accessibility faults, closes with Escape and returns the focus`, {
    skip,
  }, async () => {
    const { page, reports } = await openParts();
    const button = page.getByRole('button', { name: opener, exact: true });
    await button.click();
    await page.getByRole(role, { name, exact: true }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole(role, { name, exact: true }).waitFor({ state: 'detached' });
    await page.locator('button:focus', { hasText: opener }).waitFor();
    assert.deepEqual(reports, []);
  });

test('a dangerous action needs its word, and an action in a toast can be undone', { skip }, async () => {
  const { page } = await openParts();
  await page.getByRole('button', { name: 'ConfirmDialog with a word' }).click();
  const confirm = page.getByRole('button', { name: 'Delete subscribers' });
  assert.equal(await confirm.isDisabled(), true);
  await page.getByLabel('Type “customers” to confirm').fill('customers');
  await confirm.click();
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'With undo' }).click();
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await page.getByText('Undone').waitFor();
});

test('an option is found by typing and chosen with the keyboard', { skip }, async () => {
  const { page } = await openParts();
  const field = page.getByRole('combobox', { name: 'Form' }).first();
  await field.pressSequentially('survey');
  await page.getByRole('option', { name: /Customer survey/ }).waitFor();
  await page.getByRole('option', { name: /Newsletter/ }).waitFor({ state: 'detached' });
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  assert.equal(await field.inputValue(), 'Customer survey');
});
