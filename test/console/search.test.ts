/** The search of the console: records in the palette, and the page with all results. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { uploadBytes } from '../harness/asset-files.ts';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { createCampaign } from '../harness/campaigns.ts';
import { openWindowAs } from '../harness/console.ts';
import { eventually } from '../harness/poll.ts';
import { createForm, submit } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();

/** Creates a tenant with a subscriber, a submission of it and a webhook, and opens a screen as the owner. */
async function openSite(path = '') {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const formCode = await createForm(api, { name: 'Contact' });
  const email = 'ada@example.com';
  const ada = { first_name: 'Ada', last_name: 'Lovelace', email, active: true, lists: [], audiences: [] };
  await api.post('/api/subscribers', ada);
  await submit(api, formCode);
  const event = { event_type: 'form.submission', form_code: formCode };
  const target = { url: 'https://shop.example/' };
  const webhookId: string = (await api.post('/api/webhooks', { name: 'Shop', event, target })).body.id;
  const window = await openWindowAs(browser, app, tenant.ownerEmail);
  const url = `${app.url}/console/t/${tenant.code}`;
  await window.page.goto(`${url}/${path}`);
  await window.page.getByRole('heading', { level: 1 }).waitFor();
  return { ...window, api, ownerEmail: tenant.ownerEmail, formCode, webhookId, email, url };
}

test('the palette finds the subscriber and the submissions of an address', { skip }, async () => {
  const { page, faults, email } = await openSite();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill(email);
  await page.getByRole('menuitem', { name: /Ada Lovelace/ }).waitFor();
  await page.getByRole('menuitem', { name: /Submission/ }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('menuitem', { name: /Show all results/ }).click();
  await page.getByRole('heading', { name: 'Subscriber' }).waitFor();
  await page.getByRole('heading', { name: 'Submission' }).waitFor();
  assert.equal(new URL(page.url()).searchParams.get('q'), email);
  assert.deepEqual(faults, []);
});

test('an id opens the screen of its record by Enter', { skip }, async () => {
  const { page, webhookId, url } = await openSite();
  await page.keyboard.press('Control+k');
  await page.getByRole('searchbox').fill(webhookId);
  await page.getByRole('menuitem', { name: /Shop/ }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor();
  assert.equal(page.url(), `${url}/connections/webhooks/${webhookId}`);
});

test('a record without a screen leads to its history', { skip }, async () => {
  const { page, faults, url, api } = await openSite('search?q=readers');
  const code = await createCampaign({ api }, { name: 'Readers' });
  await page.reload();
  await page.getByRole('link', { name: 'Readers' }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByRole('link', { name: 'Readers' }).click();
  await page.waitForURL(`${url}/activity/marketing_campaign/${code}`);
  await page.goBack();
  await page.getByRole('searchbox').fill('nobody has this');
  await page.getByText('Nothing matches “nobody has this”.').waitFor();
  await page.getByRole('searchbox').fill('shop');
  await page.getByRole('link', { name: 'Shop' }).waitFor();
  assert.deepEqual(faults, []);
});

test('domains, members and deliveries lead to their screens, and an asset is shown without a link', {
  skip,
}, async () => {
  const { page, faults, url, api, ownerEmail, formCode } = await openSite();
  await submit(api, formCode);
  await api.post('/api/email_settings/sending_domains', { domain: 'shop.example' });
  await uploadBytes(api, '1 EUR', 'shop.txt');
  const delivery = await eventually('the delivery', async () => {
    const { results } = (await api.post('/api/deliveries/list', { page: 1, limit: 1 })).body;
    return results[0] && String(results[0].id);
  });
  const open = async (query: string, name: string | RegExp) => {
    await page.goto(`${url}/search?q=${encodeURIComponent(query)}`);
    await page.getByRole('link', { name }).click();
  };
  await open('shop', 'shop.example');
  await page.waitForURL(`${url}/settings/domains/shop.example`);
  await open(delivery, 'Shop');
  await page.waitForURL(`${url}/connections/deliveries/${delivery}`);
  await open(ownerEmail, 'Owner');
  await page.waitForURL(`${url}/settings/members/*`);
  await page.goto(`${url}/search?q=shop.txt`);
  await page.getByText('shop.txt', { exact: true }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'shop.txt' }).count(), 0);
  assert.deepEqual(await findFaults(page), []);
  assert.deepEqual(faults, []);
});
