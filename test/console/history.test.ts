/** Versions and deleted records in the console: compared, restored in part, and brought back from the bin. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm, submit } from '../harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

/** Opens a path below a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, path: string) {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/${path}`);
  return window;
}

/** Creates a tenant with a webhook. */
async function createWebhook(target: object) {
  const tenant = await app.createTenant();
  const formCode = await createForm(tenant.api, { name: 'Contact' });
  const event = { event_type: 'form.submission', form_code: formCode };
  const { body } = await tenant.api.post('/api/webhooks', { name: 'Shop', event, target });
  const id: string = body.id;
  const read = async () => (await tenant.api.get(`/api/webhooks/${id}`)).body;
  return { tenant, formCode, id, read };
}

const OLD = { url: 'https://old.example/', headers: [{ name: 'X-Source', value: 'form' }] };
const NEW = { url: 'https://new.example/', headers: [{ name: 'X-Source', value: 'website' }] };

/** Creates a webhook with two versions, which differ in name, address and headers. */
async function createChangedWebhook() {
  const site = await createWebhook(OLD);
  await site.tenant.api.patch(`/api/webhooks/${site.id}`, { name: 'CRM', target: NEW });
  return site;
}

test('one field of an older version is restored, and the restoration can be undone', { skip }, async () => {
  const { tenant, id, read } = await createChangedWebhook();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, `connections/webhooks/${id}`);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  const drawer = page.getByRole('dialog', { name: 'History' });
  await drawer.getByText('Changed: Name, Address, Headers').waitFor();
  await drawer.getByText('Owner (you)').first().waitFor();
  await drawer.getByRole('link', { name: 'Version 1' }).click();
  await drawer.getByText(OLD.url).waitFor();
  assert.deepEqual(await findFaults(page), []);
  for (const name of ['Name', 'Headers']) await drawer.getByText(name, { exact: true }).click();
  await drawer.getByRole('button', { name: 'Restore 1 field' }).click();
  await page.getByText('Restored from version 1').waitFor();
  await page.getByText(OLD.url).waitFor();
  const { name, target } = await read();
  assert.deepEqual([name, target.url, target.headers[0].value], ['CRM', OLD.url, 'website']);
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually('the undo', async () => (await read()).target.url === NEW.url);
  assert.deepEqual(faults, []);
});

test('version 3 is compared with version 2 and with the current one, and only its address is restored', {
  skip,
}, async () => {
  const { tenant, id, read } = await createWebhook(OLD);
  const change = (body: object) => tenant.api.patch(`/api/webhooks/${id}`, body);
  await change({ name: 'CRM' });
  await change({ name: 'Shop CRM', target: { ...OLD, url: 'https://third.example/' } });
  await change({ name: 'Warehouse', target: NEW });
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, `connections/webhooks/${id}?history=true`);
  const drawer = page.getByRole('dialog', { name: 'History' });
  await drawer.getByRole('link', { name: 'Version 3' }).click();
  for (const text of ['CRM', OLD.url, 'Shop CRM', 'https://third.example/'])
    await drawer.getByText(text, { exact: true }).waitFor();
  assert.equal(await drawer.getByText(NEW.url).count(), 0);
  assert.deepEqual(await findFaults(page), []);

  await drawer.getByText('Current version').click();
  for (const text of ['Shop CRM', 'https://third.example/', NEW.url])
    await drawer.getByText(text, { exact: true }).waitFor();
  assert.equal(await drawer.getByText(OLD.url).count(), 0);
  for (const name of ['Name', 'Headers']) await drawer.getByText(name, { exact: true }).click();
  await drawer.getByRole('button', { name: 'Restore 1 field' }).click();
  await page.getByText('Restored from version 3').waitFor();
  const { name, target, version } = await read();
  assert.deepEqual([name, target.url, version], ['Warehouse', 'https://third.example/', 5]);
  assert.equal(target.headers[0].value, 'website');
  assert.deepEqual(faults, []);
});

test('the address of a comparison shows the same to a colleague, who may not restore', { skip }, async () => {
  const { tenant, id } = await createChangedWebhook();
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await openAs(email, tenant, `connections/webhooks/${id}?history=1`);
  const drawer = page.getByRole('dialog', { name: 'History' });
  await drawer.getByText(NEW.url).waitFor();
  const button = drawer.getByRole('button', { name: /^Restore/ });
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
});

test('an address that opens the history requests the versions once', { skip }, async () => {
  const { tenant, id } = await createChangedWebhook();
  const { page } = await openWindowAs(browser, app, tenant.ownerEmail);
  const reads: string[] = [];
  page.on('request', (request) => reads.push(request.url()));
  await page.goto(`${app.url}/console/t/${tenant.code}/connections/webhooks/${id}?history=true`);
  await page.getByRole('dialog', { name: 'History' }).getByText('Changed: Name, Address, Headers').waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal(reads.filter((url) => url.includes('/entity/versions')).length, 1);
});

test('a deleted webhook is found in the bin, gets its secret again, and delivers', { skip }, async () => {
  const receiver = await startReceiver();
  const secret = { name: 'Authorization', value: 'Bearer first', is_secret: true };
  const { tenant, formCode, id } = await createWebhook({ url: receiver.url, headers: [secret] });
  await tenant.api.delete(`/api/webhooks/${id}`);
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, 'bin');
  await page.getByRole('searchbox', { name: 'Search by name' }).fill('shop');
  await page.waitForURL(/search=shop/);
  await page.getByRole('row').filter({ hasText: 'Shop' }).getByRole('button', { name: 'Restore' }).click();
  const dialog = page.getByRole('dialog', { name: 'Restore “Shop”?' });
  const value = dialog.getByLabel('Authorization', { exact: true });
  await value.fill('Bearer second');
  // Somebody who returns from a password manager finds what they entered, though the page reads its data again.
  const reads: string[] = [];
  page.on('requestfinished', (request) => reads.push(request.url()));
  await eventually('the versions to be read again', async () => {
    await page.evaluate("document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))");
    return reads.some((url) => url.includes('/entity/versions'));
  });
  assert.equal(await value.inputValue(), 'Bearer second');
  assert.deepEqual(await findFaults(page), []);
  await dialog.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.getByText('“Shop” restored').waitFor();
  await page.getByText('Nothing in the bin matches.').waitFor();
  await submit(tenant.api, formCode);
  await eventually('the delivery', () => receiver.received.length === 1);
  assert.equal(receiver.received[0]?.headers.authorization, 'Bearer second');
  assert.deepEqual(faults, []);
});

test('a kind that is never restored has a button that says so', { skip }, async () => {
  const tenant = await app.createTenant();
  const member = { email: `ada@${tenant.code}.test`, name: 'Ada', invite: true };
  const { membership_id } = (await tenant.api.post('/api/client/v1/memberships', member)).body;
  await tenant.api.delete(`/api/client/v1/memberships/${membership_id}`);
  const { page } = await openAs(tenant.ownerEmail, tenant, 'bin?kind=tenant_membership');
  const button = page.getByRole('button', { name: 'Restore' });
  await button.waitFor();
  assert.equal(await button.getAttribute('aria-disabled'), 'true');
});

test('a record that cannot be restored says why', { skip }, async () => {
  const tenant = await app.createTenant();
  const theme = (await tenant.api.post('/api/form_themes', { name: 'Green', formBuilderThemeOptions: {} }))
    .body;
  const code = await createForm(tenant.api, { theme_code: theme.code });
  await tenant.api.delete(`/api/forms/${code}`);
  await tenant.api.delete(`/api/form_themes/${theme.code}`);
  const { page } = await openAs(tenant.ownerEmail, tenant, 'bin?kind=form');
  await page.getByRole('button', { name: 'Restore' }).click();
  await page
    .getByRole('dialog')
    .getByText(/theme_code/)
    .waitFor();
});
