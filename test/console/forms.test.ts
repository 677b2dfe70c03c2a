/** Forms that are made from operations of the API: what users see, lose and can copy. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import test from 'node:test';
import { promisify } from 'node:util';
import type { Locator, Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { type openWindow, openWindowAs } from '../harness/console.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

/** Opens a screen of a new tenant as its owner. */
async function openAsOwner(path: string, options: Parameters<typeof openWindow>[1] = {}) {
  const tenant = await app.createTenant();
  const window = await openWindowAs(browser, app.anonymous, tenant.ownerEmail, options);
  await window.page.goto(`${app.url}/console/t/${tenant.code}/${path}`);
  return { tenant, ...window };
}

/** Opens the page of all components, and returns one of its forms. */
async function openPart(name: string): Promise<{ page: Page; form: Locator; faults: readonly string[] }> {
  const { ownerEmail } = await app.createTenant();
  const { page, faults } = await openWindowAs(browser, app.anonymous, ownerEmail);
  await page.goto(`${app.url}/console/dev/parts`);
  return { page, form: page.getByRole('region', { name, exact: true }), faults };
}

const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });

/** Returns the code that a form shows as its call. */
async function readCall(page: Page, form: Locator, kind: 'curl' | 'TypeScript' = 'curl'): Promise<string> {
  await button(form, 'As API call').click();
  const drawer = page.getByRole('dialog', { name: 'As API call' });
  await drawer.getByRole('tab', { name: kind }).click();
  const code = await drawer.getByRole('region', { name: kind }).innerText();
  await page.keyboard.press('Escape');
  await drawer.waitFor({ state: 'detached' });
  return code;
}

test('code that is loaded in advance and does not arrive leaves the screen as it is', { skip }, async () => {
  const { code, ownerEmail } = await app.createTenant();
  const { page } = await openWindowAs(browser, app.anonymous, ownerEmail);
  await page.route('**/assets/kept-drafts-*.js', (route) => route.abort('internetdisconnected'));
  const lost = page.waitForEvent('requestfailed');
  await page.goto(`${app.url}/console/t/${code}/settings/members?invite=true`);
  await lost;
  const form = page.getByRole('dialog', { name: 'Invite a member' });
  await form.getByRole('textbox', { name: 'Name' }).fill('Grace');
  await button(form, 'Send invitation').click();
  await form.getByText('Is required').first().waitFor();
});

test('a refused form names the rule at its field and focuses the first one, before anything is sent', {
  skip,
}, async () => {
  const { page, faults } = await openAsOwner('settings/members?invite=true');
  const calls: string[] = [];
  page.on('request', (request) => calls.push(request.method()));
  const form = page.getByRole('dialog', { name: 'Invite a member' });
  await form.getByLabel('Name').fill('x'.repeat(201));
  await button(form, 'Send invitation').click();
  await form.getByText('Is required', { exact: true }).waitFor();
  await form.getByText('Must be at most 200 characters').waitFor();
  const email = form.getByLabel('Email address');
  await eventually('the focus', () => email.evaluate((input) => input.matches(':focus')));
  assert.deepEqual(await findFaults(page), []);
  assert.ok(!calls.includes('POST'));
  await email.fill('ada@example.com');
  await form.getByText('Is required', { exact: true }).waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});

test('what only the server refuses is shown at its field, in the language of the page', {
  skip,
}, async () => {
  const { page } = await openAsOwner('settings/members?invite=true', { locale: 'de-DE' });
  const form = page.getByRole('dialog');
  await form.getByLabel('E-Mail-Adresse').fill('no address');
  await form.getByLabel('Name').fill('Ada');
  await button(form, 'Einladung senden').click();
  await form.getByText('Muss eine gültige E-Mail-Adresse sein').waitFor();
});

test('a format that only an expression describes is explained in words', { skip }, async () => {
  const { page } = await openAsOwner('settings/units?new=true');
  await page.getByLabel('Name').fill('North');
  await page.getByLabel('Slug').fill('No Slug!');
  await page.keyboard.press('Control+s');
  await page.getByText('Must be up to 60 lowercase letters, digits and hyphens').waitFor();
});

test('a text that is no colour says so, and an emptied colour is saved as none', { skip }, async () => {
  const { page } = await openAsOwner('settings');
  const color = page.getByRole('textbox', { name: 'Colour', exact: true });
  await color.fill('#ffee00');
  await button(page, 'Save changes').click();
  await page.getByText('Settings saved').waitFor();
  await color.fill('yellowish');
  await page.getByText('Not a colour that browsers know.').waitFor();
  await color.fill('');
  await button(page, 'Save changes').click();
  await page.getByText('Draft', { exact: true }).waitFor({ state: 'detached' });
  await page.reload();
  assert.equal(await color.inputValue(), '');
});

test('Enter after creating a key copies it and does not close the drawer', { skip }, async () => {
  const { page } = await openAsOwner('connections/keys?new=true');
  await page.getByLabel('Name').fill('Shop');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Copied').first().waitFor();
  await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
});

test('a page without HTTPS copies, too', { skip }, async () => {
  const { page } = await openAsOwner('connections/keys?new=true');
  await page.addInitScript("Object.defineProperty(window, 'isSecureContext', { value: false })");
  await page.reload();
  await page.getByLabel('Name').fill('Shop');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Your new key' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Copied').first().waitFor();
  assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^tsk_/);
});

test('a link and the way back ask before they lose what was entered, and nothing is asked without it', {
  skip,
}, async () => {
  const { page } = await openAsOwner('');
  await page.goto(`${app.url}/console/account`);
  await page.getByRole('link', { name: 'Security' }).click();
  const current = page.getByLabel('Current password');
  const question = page.getByRole('alertdialog', { name: 'Leave without saving?' });
  await current.fill('half a pass');
  await page.getByRole('link', { name: 'Profile' }).click();
  await question.waitFor();
  assert.deepEqual(await findFaults(page), []);
  await button(question, 'Keep editing').click();
  await question.waitFor({ state: 'detached' });
  assert.equal(await current.inputValue(), 'half a pass');
  await page.goBack();
  await button(question, 'Discard changes').click();
  await page.waitForURL('**/console/account');
  await page.getByRole('link', { name: 'Security' }).click();
  await current.waitFor();
  await page.getByRole('link', { name: 'Profile' }).click();
  await page.waitForURL('**/console/account');
});

test('the command that a form shows does what its button does', { skip }, async () => {
  const { page, tenant } = await openAsOwner('settings/units?new=true');
  const form = page.getByRole('dialog', { name: 'Create a business unit' });
  await form.getByLabel('Name').fill(`It's "North" & $HOME`);
  const command = await readCall(page, form);
  const env = { ...process.env, TESSERA_API_KEY: tenant.apiKey };
  const { stdout } = await promisify(execFile)('/bin/sh', ['-c', command], { env });
  assert.match(JSON.parse(stdout).bu_id, /^[\w-]+$/);
  const { body } = await tenant.api.get('/api/client/v1/business-units');
  const names = body.business_units.map(({ name }: { name: string }) => name);
  assert.ok(names.includes(`It's "North" & $HOME`));
});

test('the call in a business unit says which token it needs, and can be copied', { skip }, async () => {
  const { page, tenant } = await openAsOwner('');
  await createUnit(tenant, 'North');
  await page.goto(`${app.url}/console/t/${tenant.code}/connections/keys?unit=north&new=true`);
  await page.getByLabel('Name').fill('Shop');
  await button(page, 'As API call').click();
  const drawer = page.getByRole('dialog', { name: 'As API call' });
  await drawer.getByText('Set TESSERA_BUSINESS_UNIT').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await button(drawer, 'Copy').click();
  await button(drawer, 'Copied').waitFor();
  const copied = await page.evaluate<string>('navigator.clipboard.readText()');
  assert.match(copied, /X-Business-Unit: \$TESSERA_BUSINESS_UNIT/);
  assert.match(copied, /"name": "Shop"/);
});

test('the call of a dialog that confirms has no body, and leaves the dialog open', { skip }, async () => {
  const { page } = await openAsOwner('connections/keys');
  const row = page.getByRole('row').nth(1);
  await row.hover();
  await button(row, 'Revoke').click();
  const dialog = page.getByRole('alertdialog');
  assert.match(await readCall(page, dialog), /^curl -X DELETE '.*\/api\/client\/v1\/api-keys\/[\w-]+'/);
  await dialog.waitFor();
});

test('passwords are not in the call', { skip }, async () => {
  const { page } = await openAsOwner('');
  await page.goto(`${app.url}/console/account/security`);
  await page.getByLabel('Current password').fill('my-old-secret');
  await page.getByLabel('New password').fill('my-new-secret');
  const form = page.locator('form');
  for (const kind of ['curl', 'TypeScript'] as const) {
    const code = await readCall(page, form, kind);
    assert.doesNotMatch(code, /my-(?:old|new)-secret/);
    assert.match(code, /<current_password>/);
    assert.match(code, /<password>/);
  }
});

test('a secret is kept until it is replaced or removed', { skip }, async () => {
  const { page, form } = await openPart('Secrets');
  const secretIn = async () => /"secret": (.+?),?\n/.exec(await readCall(page, form))?.[1];
  assert.equal(await secretIn(), undefined);
  await button(form, 'Replace').click();
  await form.getByLabel('Secret', { exact: true }).fill('a new value');
  assert.equal(await secretIn(), '"<secret>"');
  await button(form, 'Keep the saved value').first().click();
  assert.equal(await secretIn(), undefined);
  await button(form, 'Remove').click();
  assert.equal(await secretIn(), 'null');
});

test('a number is saved as it was typed, also by the key that saves', { skip }, async () => {
  const { page, form } = await openPart('Filled form');
  const hours = form.getByRole('textbox', { name: 'Session length' });
  await hours.fill('721');
  await page.keyboard.press('Control+s');
  await form.getByText('Must be at most 720').waitFor();
  await hours.fill('24');
  await page.keyboard.press('Control+s');
  await page.getByText('Saved', { exact: true }).waitFor();
});

test('a refusal that concerns fields in objects and unknown fields is accessible', { skip }, async () => {
  const { page, form, faults } = await openPart('Refused form');
  await button(form, 'Save changes').click();
  await form.getByText('Must be a color, such as #1f6feb').waitFor();
  await form.getByText('version: Must be integer').waitFor();
  const zone = form.getByRole('combobox', { name: 'Time zone' });
  await eventually('the focus', () => zone.evaluate((input) => input.matches(':focus')));
  assert.deepEqual(await findFaults(page), []);
  assert.deepEqual(faults, []);
});

test('a form that the user may not send says who may, also at each field', { skip }, async () => {
  const { page, form } = await openPart('Disabled form');
  await form.getByText('Only an owner can change this.').first().waitFor();
  const name = form.getByLabel('Name');
  assert.equal(await name.isDisabled(), true);
  const ids = (await name.getAttribute('aria-describedby')) ?? '';
  const texts = ids.split(' ').map((id) => page.locator(`[id="${id}"]`).textContent());
  const description = (await Promise.all(texts)).join(' ');
  assert.match(description, /Only an owner can change this\./);
});

test('a viewer sees that the settings are for owners', { skip }, async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { email } = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  const { page } = await openWindowAs(browser, app.anonymous, email);
  await page.goto(`${app.url}/console/t/${tenant.code}/settings`);
  await page.getByText('Only an owner can change this.').first().waitFor();
  assert.equal(await page.getByLabel('Name').isDisabled(), true);
});
