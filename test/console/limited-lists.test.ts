/** Lists in the console as several people see them: one filter in the URL, and the units that limit the rows. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { actingIn, createMember, createUnit } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm, submit } from '../harness/sample-forms.ts';
import { createWebhook } from '../harness/submission-load.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const NOTICE = 'You see only records of North, and those that all units share.';

/** Creates a tenant whose units have a webhook each, with a failed delivery and a delivered one. */
async function createSite() {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  for (const unit of [tenant.defaultUnitId, north]) {
    const api = await actingIn(tenant.api, unit);
    const receiver = await startReceiver();
    receiver.answer = ({ body }, response) =>
      response.writeHead(body.data.email_address === 'lost@example.com' ? 500 : 200).end();
    const formCode = await createForm(api, { name: 'Contact' });
    await createWebhook(api, formCode, receiver.url);
    await submit(api, formCode);
    const lost = { form_code: formCode, email_address: 'lost@example.com', form_data: {} };
    await api.post('/api/form_submissions', { ...lost, form_data: ANSWERS });
  }
  await eventually('the deliveries', async () => {
    const filters = { status: { in: ['failed', 'success'] } };
    return (await tenant.api.post('/api/deliveries/list', { page: 1, limit: 1, filters })).body.total === 4;
  });
  return { tenant, north };
}

const ANSWERS = { full_name: 'Ada Lovelace', email: 'ada@example.com', satisfied: 'yes' };

async function openAs(email: string, { code }: TestTenant, path: string) {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/${path}`);
  return window;
}

/** Returns the paths that the rows of a list lead to. */
async function rowsOf(page: Page): Promise<string[]> {
  const links = await page.getByRole('row').getByRole('link').all();
  return Promise.all(
    links.map(async (link) => new URL((await link.getAttribute('href')) ?? '', app.url).pathname),
  );
}

const counted = (page: Page, text: string) => page.getByText(text, { exact: true }).waitFor();

test('a filter made of chips has a text, and its text makes the same chips and URL', { skip }, async () => {
  const { tenant } = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, 'connections/deliveries');
  const filterButton = page.getByRole('button', { name: 'Filter', exact: true });
  await counted(page, '4 deliveries');
  await filterButton.click();
  const editor = page.getByRole('form', { name: 'Condition' });
  await editor.getByRole('button', { name: /Value/ }).click();
  await page.getByRole('option', { name: 'Failed', exact: true }).click();
  await editor.getByRole('button', { name: 'Apply' }).click();
  await counted(page, '2 deliveries');
  const url = page.url();
  assert.equal(new URL(url).searchParams.get('filter'), 'status is failed');

  await filterButton.click();
  await page.getByRole('button', { name: 'Write as text' }).click();
  const text = page.getByLabel('Filter as text');
  assert.equal(await text.inputValue(), 'status is failed');
  await text.fill('status is success');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change the filter: Status is Delivered' }).waitFor();
  await filterButton.click();
  await page.getByRole('button', { name: 'Write as text' }).click();
  await text.fill('status = failed');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Change the filter: Status is Failed' }).waitFor();
  await counted(page, '2 deliveries');
  assert.equal(page.url(), url);
  assert.deepEqual(await findFaults(page), []);
  assert.deepEqual(faults, []);
});

test('the URL of a filter shows a colleague the same rows, and a member of North fewer, with a notice', {
  skip,
}, async () => {
  const { tenant, north } = await createSite();
  const path = 'connections/deliveries?filter=status+is+failed';
  const colleague = await createMember(tenant, [], { is_tenant_admin: true });
  const member = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const [own, same, fewer] = [
    await openAs(tenant.ownerEmail, tenant, path),
    await openAs(colleague.email, tenant, path),
    await openAs(member.email, tenant, path),
  ];
  for (const { page } of [own, same]) await counted(page, '2 deliveries');
  const rows = await rowsOf(own.page);
  assert.equal(rows.length, 2);
  assert.deepEqual(await rowsOf(same.page), rows);
  for (const { page } of [own, same]) assert.equal(await page.getByText('You see only').count(), 0);
  await counted(fewer.page, '1 delivery');
  await fewer.page.getByText(NOTICE).waitFor();
  const [only] = await rowsOf(fewer.page);
  assert.ok(only !== undefined && rows.includes(only));
  assert.deepEqual(await findFaults(fewer.page), []);
  for (const { faults } of [own, same, fewer]) assert.deepEqual(faults, []);
});

test('every list that units limit says so to a member of one unit', { skip }, async () => {
  const { tenant, north } = await createSite();
  const member = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const { page } = await openAs(member.email, tenant, 'activity');
  await page.getByText(NOTICE).waitFor();
  for (const path of ['connections/webhooks', 'connections/deliveries', 'bin']) {
    await page.goto(`${app.url}/console/t/${tenant.code}/${path}`);
    await page.getByText(NOTICE).waitFor();
  }
  await page.goto(`${app.url}/console/t/${tenant.code}/settings/domains`);
  await page.getByRole('heading', { name: 'Domains', level: 1 }).waitFor();
  assert.equal(await page.getByText(NOTICE).count(), 0);
});

test('a member of all units sees no notice', { skip }, async () => {
  const { tenant, north } = await createSite();
  const grants = [tenant.defaultUnitId, north].map((bu_id) => ({ bu_id, role: 'viewer' as const }));
  const member = await createMember(tenant, grants);
  const { page } = await openAs(member.email, tenant, 'connections/webhooks');
  await counted(page, '2 webhooks');
  assert.equal(await page.getByText('You see only').count(), 0);
});

test('the notice counts units when there are many', { skip }, async () => {
  const tenant = await app.createTenant();
  const units: string[] = [];
  for (const name of ['North', 'South', 'East', 'West', 'Centre']) units.push(await createUnit(tenant, name));
  const member = await createMember(
    tenant,
    units.map((bu_id) => ({ bu_id, role: 'viewer' as const })),
  );
  const { page } = await openAs(member.email, tenant, 'connections/webhooks');
  await page.getByText('You see only records of North, South, East, and 2 more units').waitFor();
  await page.goto(`${app.url}/console/t/${tenant.code}/connections/webhooks?unit=south`);
  await page.getByText('You see only records of South, and those').waitFor();
});
