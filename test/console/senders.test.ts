/** Senders in the console: added at a verified domain, changed by two users, and deleted. */
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

const WHY = 'Only an admin of the default unit can change this.';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('textbox', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Chooses an entry of the menu of a sender. */
async function choose(page: Page, address: string, name: string): Promise<void> {
  await row(page, address).hover();
  await button(page, `Actions for ${address}`).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Opens the senders of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, search = '') {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/settings/senders${search}`);
  return window;
}

/** Makes a domain ready to send, or ends that. */
async function vouch({ code }: TestTenant, domain: string, verified = true): Promise<void> {
  await app.admin.post(`/admin/tenants/${code}/sending-domains`, { domain, verified });
}

/** Creates a tenant with a verified domain and senders at these addresses. */
async function createSite(...addresses: readonly string[]): Promise<TestTenant> {
  const tenant = await app.createTenant();
  await vouch(tenant, 'shop.example');
  await vouch(tenant, 'news.example');
  const sender_identities = addresses.map((from_email_address) => ({
    from_name: 'Shop',
    from_email_address,
    reply_to: '',
    nickname: 'kept',
  }));
  await tenant.api.patch('/api/email_settings', { sender_identities });
  return tenant;
}

async function sendersOf({ api }: TestTenant) {
  return (await api.get('/api/email_settings')).body.sender_identities;
}

test('a sender is added once its domain can send', { skip }, async () => {
  const tenant = await app.createTenant();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByText('A sender needs a domain that is ready to send.').waitFor();
  await vouch(tenant, 'shop.example');
  await page.reload();
  await page.getByRole('link', { name: 'Add sender' }).first().click();
  await field(page, 'Name').fill('Shop');
  await field(page, 'Email address').fill('hello@other.example');
  await page.getByText('other.example is not among your domains.', { exact: false }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('dialog').getByRole('link', { name: 'Add domain' }).click();
  await page.getByRole('dialog', { name: 'Add a domain' }).waitFor();
  await page.goBack();
  assert.equal(await field(page, 'Name').inputValue(), 'Shop');
  await button(page, 'Add sender').click();
  await page.getByText('The domain of this address is not ready to send').waitFor();
  await field(page, 'Email address').fill('hello@shop.example');
  await field(page, 'Replies go to').fill('help@shop.example');
  await button(page, 'Add sender').click();
  await page.getByText('Sender hello@shop.example added').waitFor();
  await row(page, 'hello@shop.example').getByText('Default', { exact: true }).waitFor();
  assert.deepEqual(await sendersOf(tenant), [
    {
      from_name: 'Shop',
      from_email_address: 'hello@shop.example',
      reply_to: 'help@shop.example',
      nickname: '',
    },
  ]);
  assert.deepEqual(faults, []);
});

test('changes of two users to one sender and to another are all kept', { skip }, async () => {
  const tenant = await createSite('a@shop.example', 'b@shop.example');
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const [first, second, third] = [
    await openAs(tenant.ownerEmail, tenant, '?edit=a%40shop.example'),
    await openAs(email, tenant, '?edit=a%40shop.example'),
    await openAs(email, tenant, '?edit=b%40shop.example'),
  ];
  await field(first.page, 'Name').fill('First');
  await field(second.page, 'Replies go to').fill('second@shop.example');
  await field(third.page, 'Name').fill('Third');
  for (const { page } of [first, second, third]) {
    await button(page, 'Save changes').click();
    await page.getByText(/^Sender .+ saved$/).waitFor();
  }
  assert.deepEqual(await sendersOf(tenant), [
    {
      from_name: 'First',
      from_email_address: 'a@shop.example',
      reply_to: 'second@shop.example',
      nickname: 'kept',
    },
    { from_name: 'Third', from_email_address: 'b@shop.example', reply_to: '', nickname: 'kept' },
  ]);
});

test('a sender whose domain can no longer send is named where it stops changes, and can be deleted', {
  skip,
}, async () => {
  const tenant = await createSite('old@news.example', 'a@shop.example');
  await vouch(tenant, 'news.example', false);
  const { page } = await openAs(tenant.ownerEmail, tenant, '?edit=a%40shop.example');
  await field(page, 'Name').fill('New name');
  await button(page, 'Save changes').click();
  await page.getByRole('alert').getByText('old@news.example').waitFor();
  await button(page, 'Close').click();
  await row(page, 'old@news.example').getByText('Domain not ready').waitFor();
  await choose(page, 'old@news.example', 'Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete sender' }).click();
  await page.getByText('Sender old@news.example deleted').waitFor();
  await page.getByRole('link', { name: 'Shop' }).click();
  assert.equal(await field(page, 'Name').inputValue(), 'New name');
  await button(page, 'Save changes').click();
  await page.getByText('Sender a@shop.example saved').waitFor();
});

test('a sender that somebody else deletes is not saved silently: it is discarded, or added again', {
  skip,
}, async () => {
  const tenant = await createSite('a@shop.example', 'b@shop.example');
  const remove = () => tenant.api.delete('/api/email_settings/sender_identities/a@shop.example');
  const edit = async () => {
    const { page } = await openAs(tenant.ownerEmail, tenant, '?edit=a%40shop.example');
    await field(page, 'Name').fill('New name');
    await remove();
    await button(page, 'Save changes').click();
    await page.getByText('Somebody else has deleted this sender.').waitFor();
    assert.equal(await field(page, 'Name').inputValue(), 'New name');
    return page;
  };
  const first = await edit();
  assert.deepEqual(await findFaults(first), []);
  await button(first, 'Discard changes').click();
  await first.getByRole('dialog').waitFor({ state: 'detached' });
  await row(first, 'a@shop.example').waitFor({ state: 'detached' });
  const [kept] = await sendersOf(tenant);
  await tenant.api.patch('/api/email_settings', {
    sender_identities: [{ ...kept, from_email_address: 'a@shop.example' }, kept],
  });
  const second = await edit();
  await button(second, 'Add sender again').click();
  await second.getByText('Sender a@shop.example added').waitFor();
  assert.deepEqual(
    (await sendersOf(tenant)).map(({ from_name }: { from_name: string }) => from_name),
    ['Shop', 'New name'],
  );
});

test('an address is taken once, and the default is the sender that was made it', { skip }, async () => {
  const tenant = await createSite('a@shop.example', 'b@shop.example');
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await choose(page, 'b@shop.example', 'Make default');
  await row(page, 'b@shop.example').getByText('Default', { exact: true }).waitFor();
  await row(page, 'a@shop.example').getByText('Ready to send').waitFor();
  await page.getByRole('link', { name: 'Add sender' }).click();
  await field(page, 'Email address').fill('A@shop.example');
  await button(page, 'Add sender').click();
  await page.getByText('There is already a sender with this address').waitFor();
});

test('a viewer sees senders, and who can change them', { skip }, async () => {
  const tenant = await createSite('a@shop.example');
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await openAs(email, tenant, '?edit=a%40shop.example');
  const drawer = page.getByRole('dialog');
  await drawer.getByText(WHY).first().waitFor();
  assert.equal(await button(page, 'Save changes').getAttribute('aria-disabled'), 'true');
  assert.equal(await field(page, 'Name').inputValue(), 'Shop');
  await button(page, 'Close').click();
  await row(page, 'a@shop.example').hover();
  await button(page, 'Actions for a@shop.example').click();
  const entry = page.getByRole('menuitem', { name: 'Delete' });
  await entry.getByText(WHY).waitFor();
  assert.equal(await entry.getAttribute('aria-disabled'), 'true');
});
