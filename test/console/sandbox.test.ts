/** The sandbox in the console: who may receive mail while it is on. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const WHY = 'Only an admin of the default unit can change this.';
const ADA = { email_address: 'ada@shop.example', active: true };

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const recipient = (page: Page, number: number) =>
  page.getByRole('group', { name: `Recipient ${number}`, exact: true }).getByRole('textbox');
const mode = (page: Page) => page.getByText('Send only to allowed recipients');

/** Opens the screen of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant) {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/settings/sandbox`);
  await window.page.getByText('Allowed recipients', { exact: true }).waitFor();
  return window;
}

async function sandboxOf({ api }: TestTenant) {
  const { sandbox_mode, whitelist_recipient_rules } = (await api.get('/api/email_settings')).body;
  return [sandbox_mode, whitelist_recipient_rules];
}

async function save(page: Page): Promise<void> {
  await button(page, 'Save changes').click();
  await page.getByText('Sandbox saved').waitFor();
}

test('the sandbox is turned on for an address and a domain, which are told apart', { skip }, async () => {
  const tenant = await app.createTenant();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByText('Off', { exact: true }).waitFor();
  await mode(page).click();
  await page.getByText('No recipient is allowed: nobody gets any mail.').waitFor();
  await button(page, 'Add recipient').click();
  await page.keyboard.type('ada@');
  await button(page, 'Add recipient').click();
  await page.keyboard.type('test example');
  await page.getByText('No recipient is allowed').waitFor({ state: 'detached' });
  await button(page, 'Save changes').click();
  await page.getByText('Must be a valid email address').waitFor();
  await page.getByText('Must be a domain name').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await recipient(page, 1).fill('ada@shop.example');
  await recipient(page, 2).fill('test.example');
  await save(page);
  await page.getByText('On', { exact: true }).waitFor();
  assert.deepEqual(await sandboxOf(tenant), [true, [ADA, { domain_name: 'test.example', active: true }]]);
  assert.deepEqual(faults, []);
});

test('rules are paused and removed, and undo brings them back', { skip }, async () => {
  const tenant = await app.createTenant();
  const rules = [ADA, { domain_name: 'test.example', active: true }];
  await tenant.api.patch('/api/email_settings', { whitelist_recipient_rules: rules });
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await button(page, 'Remove ada@shop.example').click();
  await recipient(page, 2).waitFor({ state: 'detached' });
  await button(page, 'Undo').click();
  assert.equal(await recipient(page, 1).inputValue(), 'ada@shop.example');
  await page.getByText('Active', { exact: true }).nth(1).click();
  await save(page);
  assert.deepEqual(await sandboxOf(tenant), [false, [ADA, { domain_name: 'test.example', active: false }]]);
});

test('mode and rules that two users change are both saved, and the same rules ask', { skip }, async () => {
  const tenant = await app.createTenant();
  await tenant.api.patch('/api/email_settings', { whitelist_recipient_rules: [ADA] });
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const [first, second] = [await openAs(tenant.ownerEmail, tenant), await openAs(email, tenant)];
  await mode(first.page).click();
  await recipient(second.page, 1).fill('grace@shop.example');
  await save(first.page);
  await button(second.page, 'Save changes').click();
  await second.page.getByText('Merged with changes of others: Send only to allowed recipients').waitFor();
  await second.page.getByText('Sandbox saved').waitFor();
  assert.deepEqual(await sandboxOf(tenant), [true, [{ ...ADA, email_address: 'grace@shop.example' }]]);
  await recipient(first.page, 1).fill('mine.example');
  await button(first.page, 'Save changes').click();
  const question = first.page.getByRole('dialog', { name: 'Somebody else changed these fields, too' });
  await question.getByText('grace@shop.example').waitFor();
  await question.getByRole('radio', { name: /^Keep yours/ }).press('Space');
  await question.getByRole('button', { name: 'Save choices' }).click();
  await eventually('the choice', async () => {
    const [, rules] = await sandboxOf(tenant);
    return rules[0].domain_name === 'mine.example';
  });
});

test('a viewer sees the sandbox, and who can change it', { skip }, async () => {
  const tenant = await app.createTenant();
  await tenant.api.patch('/api/email_settings', { whitelist_recipient_rules: [ADA] });
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await openAs(email, tenant);
  await page.getByText(WHY).first().waitFor();
  assert.equal(await recipient(page, 1).isDisabled(), true);
  assert.equal(await button(page, 'Save changes').getAttribute('aria-disabled'), 'true');
});
