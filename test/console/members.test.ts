/** Invitations in the console: what owners see of them, and what happens to an address that is invited twice. */
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
const DATE = /\w{3} \d{1,2} \w{3}/;

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** Opens a screen of a new tenant as its owner. */
async function openAsOwner(path: string, prepare: (tenant: TestTenant) => Promise<unknown>) {
  const tenant = await app.createTenant();
  await prepare(tenant);
  const window = await openWindowAs(browser, app, tenant.ownerEmail);
  await window.page.goto(`${app.url}/console/t/${tenant.code}/settings/members${path}`);
  return { tenant, ...window };
}

const invite = ({ api, code }: TestTenant) =>
  api.post('/api/client/v1/memberships', { email: `ada@${code}.test`, name: 'Ada', invite: true });

/** Tries to invite an address in the drawer. */
async function inviteAgain(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await button(page, 'Send invitation').click();
}

test('an invitation shows when it was sent and until when it is valid', { skip }, async () => {
  const { page, faults } = await openAsOwner('', invite);
  const row = page.getByRole('row', { name: /^Ada/ });
  await row.getByText(new RegExp(`^sent .+, until ${DATE.source}$`)).waitFor();
  await row.getByRole('link', { name: 'Ada' }).click();
  const drawer = page.getByRole('dialog', { name: 'Ada' });
  const sent = drawer.getByText('Invitation sent').locator('xpath=following-sibling::dd');
  assert.match(await sent.innerText(), /now|ago/);
  const until = drawer.getByText('Invitation valid until').locator('xpath=following-sibling::dd');
  assert.match(await until.innerText(), DATE);
  assert.deepEqual(await findFaults(page), []);
  assert.deepEqual(faults, []);
});

test('a member who has accepted has no times of an invitation', { skip }, async () => {
  const { page } = await openAsOwner('', (tenant) => createMember(tenant, [], { name: 'Ada' }));
  const row = page.getByRole('row', { name: /^Ada/ });
  await row.getByText('Active').waitFor();
  assert.equal(await row.getByText('until').count(), 0);
  await row.getByRole('link', { name: 'Ada' }).click();
  await page.getByRole('dialog', { name: 'Ada' }).getByText('Last seen').waitFor();
  assert.equal(await page.getByText('Invitation sent').count(), 0);
});

test('an address that is already invited is refused at its field, and can be sent the invitation again', {
  skip,
}, async () => {
  const { page, tenant, faults } = await openAsOwner('?invite=true', invite);
  const email = `ada@${tenant.code}.test`;
  await inviteAgain(page, email.toUpperCase());
  const field = page.getByLabel('Email address');
  await page.getByText(/^Already invited: the link is valid until/).waitFor();
  const ids = (await field.getAttribute('aria-describedby')) ?? '';
  const texts = ids.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent());
  assert.match((await Promise.all(texts)).join(' '), /Already invited/);
  assert.equal(await page.getByRole('dialog').getByRole('alert').count(), 0);
  assert.deepEqual(await findFaults(page), []);

  await field.fill('other@example.com');
  await button(page, 'Send the invitation again').waitFor({ state: 'detached' });
  await inviteAgain(page, email);
  await button(page, 'Send the invitation again').click();
  await page.getByText(`Invitation sent again to ${email}`).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  assert.equal(await page.getByText('Draft', { exact: true }).count(), 0);
  assert.deepEqual(faults, []);
});

test('the address of a member is refused at its field, which leads to the member', { skip }, async () => {
  const { page, tenant } = await openAsOwner('?invite=true', async () => undefined);
  const { email } = await createMember(tenant, [], { name: 'Grace' });
  await inviteAgain(page, email);
  await page.getByText('Already a member', { exact: true }).waitFor();
  assert.equal(await button(page, 'Send the invitation again').count(), 0);
  await page.getByRole('link', { name: 'Open member' }).click();
  await page.getByRole('dialog', { name: 'Grace' }).waitFor();
});

test('the address of a deactivated member says so, in the language of the page', { skip }, async () => {
  const tenant = await app.createTenant();
  const { email, membershipId } = await createMember(tenant, []);
  await tenant.api.patch(`/api/client/v1/memberships/${membershipId}`, { status: 'inactive' });
  const { page } = await openWindowAs(browser, app, tenant.ownerEmail, { locale: 'de-DE' });
  await page.goto(`${app.url}/console/t/${tenant.code}/settings/members?invite=true`);
  await page.getByLabel('E-Mail-Adresse').fill(email);
  await page.getByRole('textbox', { name: 'Name' }).fill('Ada');
  await button(page, 'Einladung senden').click();
  await page.getByText('Bereits Mitglied, aber deaktiviert').waitFor();
});
