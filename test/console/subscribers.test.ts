/** Subscribers in the console: found, added, changed and erased. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { createForm, goodAnswers } from '../harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const field = (page: Page, name: string | RegExp) => page.getByRole('dialog').getByRole('textbox', { name });
const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Opens a path below the subscribers of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, path = '') {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/subscribers${path}`);
  return window;
}

/** Creates a tenant with two lists, and Ada in the first. Returns Ada's id. */
async function createSite() {
  const tenant = await app.createTenant();
  const createList = async (name: string): Promise<string> =>
    (await tenant.api.post('/api/lists', { name })).body.id;
  const [news, offers] = [await createList('News'), await createList('Offers')];
  const ada = { first_name: 'Ada', email: 'ada@shop.example', active: true, audiences: [], lists: [news] };
  const { id } = (await tenant.api.post('/api/subscribers', ada)).body;
  return { tenant, news, offers, id };
}

test('a subscriber is added with lists and additional fields', { skip }, async () => {
  const { tenant, offers } = await createSite();
  await tenant.api.patch('/api/email_settings', {
    subscriber_additional_fields: {
      city: { label: 'City', type: 'text', order: 1 },
      orders: { label: 'Orders', type: 'number', order: 2 },
      vip: { label: 'VIP', type: 'boolean', order: 3 },
    },
  });
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await page.getByRole('link', { name: 'Add subscriber' }).click();
  await field(page, 'Email address').fill('grace@shop.example');
  await field(page, 'First name').fill('Grace');
  await page.getByText('Offers', { exact: true }).click();
  await field(page, 'City').fill('London');
  await field(page, 'Orders').fill('1,234.5');
  await page.getByText('VIP', { exact: true }).click();
  await button(page, 'Add field').click();
  await field(page, 'Name of the field').fill('old id');
  assert.equal(await button(page, 'Add').isDisabled(), true);
  await field(page, 'Name of the field').fill('old_id');
  await page.keyboard.press('Enter');
  await field(page, 'old_id').fill('A7');
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Add subscriber').click();
  await page.getByRole('heading', { name: 'Grace', level: 1 }).waitFor();
  const { results } = (await tenant.api.post('/api/subscribers/list', { page: 1, limit: 10, filters: {} }))
    .body;
  const [{ email, first_name, active, lists, additional_fields_data }] = results;
  assert.deepEqual([email, first_name, active, lists], ['grace@shop.example', 'Grace', true, [offers]]);
  assert.deepEqual(additional_fields_data, { city: 'London', orders: 1234.5, vip: true, old_id: 'A7' });
  assert.deepEqual(faults, []);
});

test('a taken address is refused at its field, which leads to the other subscriber', { skip }, async () => {
  const { tenant } = await createSite();
  const { page } = await openAs(tenant.ownerEmail, tenant, '?new=true');
  await field(page, 'Email address').fill('Ada@shop.example');
  await field(page, 'First name').fill('Ada');
  await button(page, 'Add subscriber').click();
  await page.getByText('Another subscriber has this address').waitFor();
  await page.getByRole('link', { name: 'Open subscriber' }).click();
  await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor();
});

test('subscribers are found by address, and filtered by list and status', { skip }, async () => {
  const { tenant, offers } = await createSite();
  await tenant.api.post('/api/subscribers', {
    first_name: 'Alan',
    email: 'alan@shop.example',
    active: false,
    inactive_reason: 'Asked by phone',
    audiences: [],
    lists: [offers],
  });
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await row(page, 'ada@shop.example').getByText('News').waitFor();
  await row(page, 'alan@shop.example').getByText('Inactive').waitFor();
  await page.getByRole('searchbox').fill('alan@');
  await row(page, 'ada@shop.example').waitFor({ state: 'detached' });
  await page.goto(`${app.url}/console/t/${tenant.code}/subscribers?filter=lists%20is%20${offers}`);
  await page.getByText('1 subscriber', { exact: true }).waitFor();
  await row(page, 'alan@shop.example').waitFor();
  await page.goto(`${app.url}/console/t/${tenant.code}/subscribers?filter=active%20is%20true`);
  await page.getByText('1 subscriber', { exact: true }).waitFor();
  await row(page, 'ada@shop.example').waitFor();
  assert.deepEqual(faults, []);
});

test('a subscriber who is made inactive needs a reason, and the history shows the change', {
  skip,
}, async () => {
  const { tenant, id } = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, `/${id}?edit=true`);
  await page.getByText('Gets marketing mail', { exact: true }).click();
  await button(page, 'Save changes').click();
  await page.getByText('Is required').waitFor();
  await field(page, /^Reason/).fill('Asked by phone');
  await button(page, 'Save changes').click();
  await page.getByText('ada@shop.example saved').waitFor();
  await page.getByText('Asked by phone').waitFor();
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'History' }).click();
  await page.getByRole('dialog', { name: 'History' }).getByText('Reason for being inactive').waitFor();
  assert.deepEqual(faults, []);
});

test('a subscriber is erased after the address is typed', { skip }, async () => {
  const { tenant, id } = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, `/${id}`);
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  const dialog = page.getByRole('alertdialog');
  const erase = dialog.getByRole('button', { name: 'Erase subscriber' });
  assert.equal(await erase.isDisabled(), true);
  await dialog.getByRole('textbox').fill('ada@shop.example');
  await erase.click();
  await page.getByText('Subscriber erased').waitFor();
  await tenant.api.get(`/api/subscribers/${id}`, 404);
  assert.deepEqual(faults, []);
});

test('all matching subscribers are added to a list after their number is confirmed, and the change is undone', {
  skip,
}, async () => {
  const { tenant, news, offers } = await createSite();
  for (let n = 0; n < 4; n += 1)
    await tenant.api.post('/api/subscribers', {
      first_name: `Person ${n}`,
      email: `person-${n}@shop.example`,
      active: true,
      audiences: [],
      lists: n === 0 ? [offers] : [],
    });
  const membersOf = async (list: string): Promise<number> => {
    const filters = { lists: { eq: list } };
    return (await tenant.api.post('/api/subscribers/list', { page: 1, limit: 1, filters })).body.total;
  };
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, '?search=person');
  await page.getByText('4 subscribers', { exact: true }).waitFor();
  await page.getByRole('checkbox').first().click();
  await button(page, 'Add to lists').click();
  const dialog = page.getByRole('dialog', { name: 'Add to lists' });
  await dialog.getByText('Choose the lists.').waitFor();
  await dialog.getByText('Offers', { exact: true }).click();
  await dialog.getByText('4 subscribers are added to these lists.').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await dialog.getByRole('button', { name: 'Add 4' }).click();
  await page.getByText(/Add to lists: 3 changed/).waitFor();
  assert.deepEqual([await membersOf(offers), await membersOf(news)], [4, 1]);
  await button(page, 'Undo').click();
  await page.getByText(/^Revert of a change of subscribers.*: 3 changed$/).waitFor();
  assert.equal(await membersOf(offers), 1);
  await row(page, 'person-1@').getByText('Offers').waitFor({ state: 'detached' });
  assert.deepEqual(faults, []);
});

test('selected subscribers are erased only after a word is typed', { skip }, async () => {
  const { tenant, id } = await createSite();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant);
  await row(page, 'ada@shop.example').waitFor();
  await page.getByRole('checkbox').first().click();
  await button(page, 'More for the selected').click();
  await page.getByRole('menuitem', { name: 'Erase' }).click();
  const erase = page.getByRole('dialog').getByRole('button', { name: 'Erase 1' });
  await erase.waitFor();
  assert.equal(await erase.isDisabled(), true);
  await page.getByRole('dialog').getByRole('textbox').fill('erase');
  await erase.click();
  await page.getByText(/1 changed/).waitFor();
  await tenant.api.get(`/api/subscribers/${id}`, 404);
  assert.deepEqual(faults, []);
});

test('a viewer sees subscribers, and why they cannot be changed', { skip }, async () => {
  const { tenant, id } = await createSite();
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page, faults } = await openAs(viewer.email, tenant, `/${id}?edit=true`);
  await page.getByText('Only an editor or admin can change this.').first().waitFor();
  assert.equal(await field(page, 'First name').isDisabled(), true);
  assert.deepEqual(faults, []);
});

const TYPES = ['news', 'offers'].map((id) => ({ id, name: `The ${id}`, description: '', active: true }));

/** Creates a tenant with two types, and Ada, who left the offers and whose address is suppressed for a complaint. */
async function createLimitedAda() {
  const { tenant, id } = await createSite();
  await tenant.api.patch('/api/email_settings', { subscription_types: TYPES });
  const { version: _version, ...ada } = (await tenant.api.get(`/api/subscribers/${id}`)).body;
  const updates = [{ subscription_type_id: 'offers', subscribe: false }];
  await tenant.api.put(`/api/subscribers/${id}`, { ...ada, subscription_updates: updates });
  return { tenant, id };
}

test('the page of a subscriber leads to what stops mail, and the one action that may change it', {
  skip,
}, async () => {
  const { tenant, id } = await createLimitedAda();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, `/${id}`);
  await page.getByRole('link', { name: 'Can they get mail?' }).click();
  await page.getByText('Gets some mail', { exact: true }).waitFor();
  const reason = page.getByRole('region', { name: 'What stops mail' }).getByRole('listitem');
  await reason.getByText(/^Unsubscribed on .* by a member\.$/).waitFor();
  assert.equal(await reason.filter({ hasText: 'The offers' }).count(), 1);
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Subscribe again').click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Subscribe again' }).click();
  await page.getByText('Gets all mail', { exact: true }).waitFor();
  const { subscription_preferences: choices } = (await tenant.api.get(`/api/subscribers/${id}`)).body;
  assert.equal(choices[0].subscribed, true);
  assert.deepEqual(faults, []);
});

test('a reason for all mail is named once, with the mail that it stops', { skip }, async () => {
  const { tenant, id } = await createLimitedAda();
  await tenant.api.post('/api/email_settings/suppressions', {
    recipient: 'ada@shop.example',
    type: 'complaint',
    description: 'abuse report of mail.example',
  });
  const { page } = await openAs(tenant.ownerEmail, tenant, `/${id}/reach`);
  await page.getByText('Gets no mail', { exact: true }).waitFor();
  const reasons = page.getByRole('region', { name: 'What stops mail' }).getByRole('listitem');
  assert.equal(await reasons.count(), 2);
  const complaint = reasons.filter({ hasText: 'Spam complaint' });
  await complaint.getByText('All mail', { exact: true }).waitFor();
  await complaint.getByText('abuse report of mail.example').waitFor();
  await complaint.getByRole('link', { name: 'Show suppression' }).waitFor();
});

test('a viewer sees what stops mail, and why the action is refused', { skip }, async () => {
  const { tenant, id } = await createLimitedAda();
  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { page } = await openAs(viewer.email, tenant, `/${id}/reach`);
  const again = button(page, 'Subscribe again');
  await again.waitFor();
  assert.equal(await again.getAttribute('aria-disabled'), 'true');
});

test('the timeline shows mail, submissions and consent by day, and its URL keeps the part that is shown', {
  skip,
}, async () => {
  const { tenant, id } = await createLimitedAda();
  const formCode = await createForm(tenant.api, { name: 'Contact us' });
  await tenant.api.post('/api/form_submissions', {
    form_code: formCode,
    email_address: 'ada@shop.example',
    form_data: goodAnswers,
  });
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, `/${id}`);
  await page.getByRole('link', { name: 'Timeline' }).click();
  const today = page.getByRole('region', { name: 'Today' }).getByRole('listitem');
  await today.first().waitFor();
  assert.deepEqual(
    await today.evaluateAll((rows) => rows.map((each) => each.querySelector('p')?.textContent)),
    ['Form sentContact us', 'Consent changed', 'Added'],
  );
  await today.getByText('By Owner (you): unsubscribed from The offers').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('radio', { name: 'Changes' }).click();
  await page.waitForURL(/show=changes/);
  await today.getByText('Contact us').waitFor({ state: 'detached' });
  assert.equal(await today.count(), 2);
  await page.getByRole('link', { name: 'Consent changed' }).click();
  await page.getByRole('dialog', { name: 'History' }).getByText('Subscriptions').first().waitFor();
  await page.goto(`${app.url}/console/t/${tenant.code}/subscribers/${id}/timeline?show=journeys`);
  await page.getByText('There is nothing of this kind yet.').waitFor();
  assert.deepEqual(faults, []);
});

test('older entries of a timeline follow on demand', { skip }, async () => {
  const { tenant, id } = await createSite();
  for (let n = 0; n < 60; n += 1)
    await tenant.api.patch(`/api/subscribers/${id}`, { first_name: `Ada ${n}` });
  const { page } = await openAs(tenant.ownerEmail, tenant, `/${id}/timeline`);
  const entries = page.getByRole('region', { name: 'Today' }).getByRole('listitem');
  await entries.nth(49).waitFor();
  await button(page, 'Show older entries').click();
  await entries.getByText('Added', { exact: true }).waitFor();
  assert.equal(await entries.count(), 61);
});
