/** Drafts on the server: continued in another browser, and shown to colleagues. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { createForm } from '../harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

/** Opens a path below a tenant in a window that shares nothing with others. */
async function openAs(email: string, { code }: TestTenant, path: string) {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/${path}`);
  return window;
}

async function createWebhook(tenant: TestTenant): Promise<string> {
  const event = {
    event_type: 'form.submission',
    form_code: await createForm(tenant.api, { name: 'Contact' }),
  };
  const target = { url: 'https://shop.example/', headers: [] };
  return (await tenant.api.post('/api/webhooks', { name: 'Shop', event, target })).body.id;
}

async function draftsOf({ api }: Pick<TestTenant, 'api'>, kind: string): Promise<unknown[]> {
  return (await api.get(`/api/client/v1/drafts?entity_type=${kind}`)).body.results;
}

test('a draft that is kept in one browser continues in another, until it is saved', { skip }, async () => {
  const tenant = await app.createTenant();
  const first = await openAs(tenant.ownerEmail, tenant, 'settings');
  await first.page.getByRole('textbox', { name: 'Name' }).fill('Begun at work');
  await first.page.getByRole('button', { name: 'Keep as draft' }).click();
  await first.page.getByText('Draft kept. You can continue it on another device.').waitFor();
  await first.page.getByText('Your changes are kept as a draft.').waitFor();
  // The browser restores its own changes, which are the same: there is nothing to continue.
  await first.page.reload();
  await first.page.getByText('Your changes are kept as a draft.').waitFor();
  assert.equal(await first.page.getByText(/^Your draft from/).count(), 0);
  assert.deepEqual(await findFaults(first.page), []);

  const { page, faults } = await openAs(tenant.ownerEmail, tenant, 'settings');
  const name = page.getByRole('textbox', { name: 'Name' });
  await page.getByText(/^Your draft from \d\d:\d\d\.$/).waitFor();
  assert.equal(await name.inputValue(), `Tenant ${tenant.code}`);
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('button', { name: 'Compare' }).click();
  const dialog = page.getByRole('dialog', { name: /^Draft from/ });
  await dialog.getByText('Begun at work').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Continue' }).click();
  await eventually('the draft in the form', async () => (await name.inputValue()) === 'Begun at work');
  await page.getByText(/^Your draft from/).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Save changes' }).click();
  await page.getByText('Settings saved').waitFor();
  assert.equal((await tenant.api.get('/api/tenant/settings')).body.name, 'Begun at work');
  await eventually('the draft to end', async () => (await draftsOf(tenant, 'tenant_settings')).length === 0);
  assert.deepEqual(faults, []);
});

test('a draft can be discarded on another device', { skip }, async () => {
  const tenant = await app.createTenant();
  const data = { base: { name: 'Old' }, value: { name: 'Never mind' } };
  const id = await createWebhook(tenant);
  await tenant.api.put(`/api/client/v1/drafts/webhook/${id}`, { data });
  const { page } = await openAs(tenant.ownerEmail, tenant, `connections/webhooks/${id}?edit=true`);
  const drawer = page.getByRole('dialog', { name: 'Edit webhook' });
  await drawer.getByText(/^Your draft from/).waitFor();
  await drawer.getByRole('button', { name: 'Discard' }).click();
  await page.getByText('Draft discarded').waitFor();
  await drawer.getByText(/^Your draft from/).waitFor({ state: 'detached' });
  assert.equal((await draftsOf(tenant, 'webhook')).length, 0);
});

test("a colleague sees a shared draft by its author's name, and continues with a copy", {
  skip,
}, async () => {
  const tenant = await app.createTenant();
  const id = await createWebhook(tenant);
  const path = `connections/webhooks/${id}?edit=true`;
  const ada = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }], { name: 'Ada' });
  const own = await openAs(ada.email, tenant, path);
  await own.page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('Shop and warehouse');
  await own.page.getByRole('button', { name: 'Share draft' }).click();
  await own.page.getByText('Draft shared with everybody who can see this record.').waitFor();

  const { page, faults } = await openAs(tenant.ownerEmail, tenant, path);
  const drawer = page.getByRole('dialog', { name: 'Edit webhook' });
  await drawer.getByText(/^Ada’s draft from \d\d:\d\d\.$/).waitFor();
  assert.equal(await drawer.getByRole('button', { name: 'Discard' }).count(), 0);
  assert.deepEqual(await findFaults(page), []);
  await drawer.getByRole('button', { name: 'Continue with a copy' }).click();
  const name = drawer.getByRole('textbox', { name: 'Name' });
  await eventually('the copy in the form', async () => (await name.inputValue()) === 'Shop and warehouse');
  assert.equal((await tenant.api.get(`/api/webhooks/${id}`)).body.name, 'Shop');
  assert.equal((await draftsOf(ada, 'webhook')).length, 1);
  assert.deepEqual(faults, []);
});
