/** Event webhooks in the console: added, tested, changed without losing their secret, and deleted. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { startReceiver } from '../harness/receiver.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const SECRET = 'correct horse battery';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string) =>
  page.getByRole('dialog').getByRole('textbox', { name, exact: true });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Opens the event webhooks of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, search = '') {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/connections/email-events${search}`);
  return window;
}

/** Chooses an entry of the menu of a webhook. */
async function choose(page: Page, webhook: string, name: string): Promise<void> {
  await row(page, webhook).hover();
  await button(page, `Actions for ${webhook}`).click();
  await page.getByRole('menuitem', { name }).click();
}

/** Creates a tenant with signed event webhooks of these names at a receiver. */
async function createSite(...names: readonly string[]) {
  const receiver = await startReceiver();
  const tenant = await app.createTenant();
  const event_webhooks = names.map((name) => ({
    name,
    target: receiver.url,
    events: ['open', 'click'],
    active: true,
    secret: SECRET,
  }));
  await tenant.api.patch('/api/email_settings', { event_webhooks });
  return { receiver, tenant };
}

async function webhooksOf({ api }: TestTenant) {
  return (await api.get('/api/email_settings')).body.event_webhooks;
}

test('an event webhook is added, and its test shows what the receiver answers', { skip }, async () => {
  const { receiver, tenant } = await createSite();
  receiver.answer = (_, response) => response.end('Thank you');
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByRole('link', { name: 'Add event webhook' }).first().click();
  await field(page, 'Name').fill('Warehouse');
  await field(page, 'Address').fill(receiver.url);
  await page.getByText('Opened', { exact: true }).click();
  await page.getByLabel('Signing secret', { exact: true }).fill(SECRET);
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Add event webhook').click();
  await page.getByText('Event webhook “Warehouse” added').waitFor();
  const [{ name, target, events, active }] = await webhooksOf(tenant);
  assert.deepEqual([name, target, active], ['Warehouse', receiver.url, true]);
  assert.deepEqual(events, ['delivery', 'bounce', 'complaint', 'click', 'unsubscribe']);
  await choose(page, 'Warehouse', 'Send test');
  await page.getByText(/^The receiver answered with status 200/).waitFor();
  await page.getByText('Thank you').waitFor();
  assert.equal(receiver.received[0]?.body.event, 'delivery');
  assert.notEqual(receiver.received[0]?.headers['webhook-signature'], undefined);
  assert.deepEqual(faults, []);
});

test('changes of two users to different event webhooks are both kept, and so are the secrets', {
  skip,
}, async () => {
  const { receiver, tenant } = await createSite('Shop', 'CRM');
  const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  const first = await openAs(tenant.ownerEmail, tenant, '?edit=Shop');
  const second = await openAs(email, tenant, '?edit=CRM');
  await first.page.getByText('Send events', { exact: true }).click();
  await second.page.getByText('Bounced', { exact: true }).click();
  for (const { page } of [first, second]) {
    await button(page, 'Save changes').click();
    await page.getByText(/^Event webhook “.+” saved$/).waitFor();
  }
  const webhooks = await webhooksOf(tenant);
  assert.deepEqual(
    webhooks.map(({ name, events, active }: { name: string; events: string[]; active: boolean }) => [
      name,
      events.toSorted(),
      active,
    ]),
    [
      ['Shop', ['click', 'open'], false],
      ['CRM', ['bounce', 'click', 'open'], true],
    ],
  );
  await choose(second.page, 'CRM', 'Send test');
  await second.page.getByText(/^The receiver answered with status 200/).waitFor();
  assert.notEqual(receiver.received[0]?.headers['webhook-signature'], undefined);
});

test('an event webhook is deleted after a question, and the others stay', { skip }, async () => {
  const { tenant } = await createSite('Shop', 'CRM');
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await choose(page, 'Shop', 'Delete');
  await button(page, 'Delete webhook').click();
  await page.getByText('Event webhook “Shop” deleted').waitFor();
  await row(page, 'Shop').waitFor({ state: 'detached' });
  assert.deepEqual(
    (await webhooksOf(tenant)).map(({ name }: { name: string }) => name),
    ['CRM'],
  );
  assert.deepEqual(faults, []);
});

test('the form of an event webhook that somebody else deleted adds it again', { skip }, async () => {
  const { tenant } = await createSite('Shop');
  const { page } = await openAs(tenant.ownerEmail, tenant, '?edit=Shop');
  await page.getByText('Bounced', { exact: true }).click();
  await tenant.api.patch('/api/email_settings', { event_webhooks: [] });
  await button(page, 'Save changes').click();
  await page.getByText('Somebody else has deleted this webhook.', { exact: false }).waitFor();
  await button(page, 'Add webhook again').click();
  await page.getByText('Event webhook “Shop” added').waitFor();
  assert.equal((await webhooksOf(tenant))[0].name, 'Shop');
});

test('a name that looks like a number leads to its form, and one that is taken is refused at its field', {
  skip,
}, async () => {
  const { receiver, tenant } = await createSite('1.0');
  const { page } = await openAs(tenant.ownerEmail, tenant);
  await page.getByRole('link', { name: '1.0', exact: true }).click();
  await page.getByRole('dialog', { name: 'Edit event webhook' }).waitFor();
  const other = await openAs(tenant.ownerEmail, tenant, '?new=true');
  await field(other.page, 'Name').fill('2.0');
  await field(other.page, 'Address').fill(receiver.url);
  const { event_webhooks } = (await tenant.api.get('/api/email_settings')).body;
  const [{ target, events, active }] = event_webhooks;
  const named = (name: string) => ({ name, target, events, active });
  await tenant.api.patch('/api/email_settings', { event_webhooks: [named('1.0'), named('2.0')] });
  await button(other.page, 'Add event webhook').click();
  await other.page.getByText('There is already a webhook with this name').waitFor();
});
