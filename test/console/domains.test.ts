/** Sending domains in the console, checked in a real DNS. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { startDnsServer, type ZoneRecord } from '../harness/dns-server.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { startTestApp, type TestTenant } from '../harness/test-app.ts';

const dns = await startDnsServer();
const app = await startTestApp({ DNS_SERVERS: dns.address, PUBLIC_URL: 'http://mail.tessera.example' });
const browser = await startBrowser();
const skip = withoutBrowser();

const WHY = 'Only an admin of the default unit can change this.';
const PATH = '/api/email_settings/sending_domains';

/** Opens a path below the settings of a tenant as a user. */
async function openAs(email: string, { code }: TestTenant, path: string) {
  const window = await openWindowAs(browser, app, email);
  await window.page.goto(`${app.url}/console/t/${code}/settings/${path}`);
  return window;
}

/** Adds a domain by the API, and returns its records. */
async function addDomain({ api }: TestTenant, domain: string): Promise<readonly ZoneRecord[]> {
  return (await api.post(PATH, { domain })).body.dns_records;
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

/** The entry of a record on the page of a domain. */
const entry = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByRole('heading', { name, exact: true }) });

/** Presses the button that checks, and waits for the result. */
async function check(page: Page, result: string | RegExp): Promise<void> {
  await button(page, 'Check again').click();
  await page.getByText(result).waitFor();
}

test('the owner adds a domain, publishes its records one after the other, and adds a sender', {
  skip,
}, async () => {
  const tenant = await app.createTenant();
  const { page, faults } = await openAs(tenant.ownerEmail, tenant, 'domains');
  await page.getByRole('link', { name: 'Add domain' }).first().click();
  const drawer = page.getByRole('dialog', { name: 'Add a domain' });
  const name = drawer.getByRole('textbox', { name: 'Domain' });
  await name.fill('info@shop.example');
  await drawer.getByRole('button', { name: 'Add domain' }).click();
  await drawer.getByText('Must be a domain name, such as example.com').waitFor();
  await name.fill('Shop.example');
  await drawer.getByRole('button', { name: 'Add domain' }).click();
  await page.getByRole('heading', { name: 'shop.example', level: 1 }).waitFor();
  const { dns_records: records } = (await tenant.api.get(PATH)).body[0];
  const [dkim, spf] = records;

  await button(page, 'Copy the value of DKIM').click();
  assert.equal(await page.evaluate('navigator.clipboard.readText()'), dkim.value);
  await button(page, 'Copy all as text').click();
  const letter = await page.evaluate<string>('navigator.clipboard.readText()');
  for (const record of records)
    for (const part of [record.type, record.name, record.value]) assert.ok(letter.includes(part), part);

  dns.records = [dkim, { ...spf, value: 'v=spf1 include:other.example -all' }];
  await check(page, /1 of 5 records found\. Wrong: SPF · Not found yet: DMARC, CNAME, and MX\./);
  await page.getByText('Ready to send', { exact: true }).waitFor();
  await entry(page, 'DKIM').getByText('Found', { exact: true }).waitFor();
  await entry(page, 'SPF').getByText('Wrong', { exact: true }).waitFor();
  await entry(page, 'SPF').getByText(spf.value, { exact: true }).waitFor();
  await entry(page, 'SPF').getByText('v=spf1 include:other.example -all', { exact: true }).waitFor();
  await entry(page, 'MX').getByText('Not found yet', { exact: true }).waitFor();

  dns.records = records;
  await check(page, 'All records were found');
  assert.equal(await page.getByText(/^(?:Wrong|Not found yet|Found instead)$/).count(), 0);
  await page.getByText('Satisfied', { exact: true }).waitFor();
  await page.getByRole('link', { name: 'Add sender' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Email address' }).fill('hello@shop.example');
  await page.getByRole('dialog').getByRole('button', { name: 'Add sender' }).click();
  await page.getByText('Sender hello@shop.example added').waitFor();
  assert.deepEqual(faults, []);
});

test('the list says which domains can send, and what others lack', { skip }, async () => {
  const tenant = await app.createTenant();
  const [dkim] = await addDomain(tenant, 'shop.example');
  assert.ok(dkim);
  dns.records = [{ ...dkim, value: 'v=DKIM1; k=rsa; p=' }];
  await tenant.api.post(`${PATH}/shop.example/verify`, undefined);
  const verified = { domain: 'news.example', verified: true };
  await app.admin.post(`/admin/tenants/${tenant.code}/sending-domains`, verified);
  const { page } = await openAs(tenant.ownerEmail, tenant, 'domains');
  const row = (domain: string) => page.getByRole('row').filter({ hasText: domain });
  await row('news.example').getByText('Ready to send').waitFor();
  await row('news.example').getByText('All found').waitFor();
  await row('shop.example').getByText('DKIM is wrong').waitFor();
  await row('shop.example').getByText('Wrong: DKIM · Not found yet: SPF, DMARC, CNAME, and MX').waitFor();
  await page.getByRole('link', { name: 'shop.example' }).click();
  await check(page, /0 of 5 records found\. Wrong: DKIM/);
  await entry(page, 'DKIM').getByText('There is another key at this name', { exact: false }).waitFor();
  assert.deepEqual(await findFaults(page), []);
});

test('a domain is deleted after its name was entered', { skip }, async () => {
  const tenant = await app.createTenant();
  await addDomain(tenant, 'shop.example');
  const { page } = await openAs(tenant.ownerEmail, tenant, 'domains/shop.example');
  await button(page, 'More actions').click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  const question = page.getByRole('alertdialog', { name: 'Delete shop.example?' });
  assert.ok(await question.getByRole('button', { name: 'Delete domain' }).isDisabled());
  await question.getByRole('textbox').fill('shop.example');
  await question.getByRole('button', { name: 'Delete domain' }).click();
  await page.getByText('Domain shop.example deleted').waitFor();
  await page.getByText('Add a domain that you own', { exact: false }).waitFor();
  assert.deepEqual((await tenant.api.get(PATH)).body, []);
});

test('a viewer, and an admin of another unit, see domains and who can change them', { skip }, async () => {
  const tenant = await app.createTenant();
  await addDomain(tenant, 'shop.example');
  const north = await createUnit(tenant, 'North');
  const grants = [
    [{ bu_id: tenant.defaultUnitId, role: 'viewer' }],
    [{ bu_id: north, role: 'admin' }],
  ] as const;
  for (const granted of grants) {
    const { email } = await createMember(tenant, granted);
    const { page } = await openAs(email, tenant, 'domains/shop.example');
    await entry(page, 'DKIM').getByText('Not found yet', { exact: true }).waitFor();
    // Without force the click would wait until the button can be used.
    await button(page, 'Check again').click({ force: true });
    await page.getByRole('tooltip', { name: WHY }).waitFor();
    await page.goto(`${app.url}/console/t/${tenant.code}/settings/domains?new=true`);
    const drawer = page.getByRole('dialog', { name: 'Add a domain' });
    await drawer.getByText(WHY).first().waitFor();
    assert.equal(await button(page, 'Add domain').getAttribute('aria-disabled'), 'true');
  }
});
