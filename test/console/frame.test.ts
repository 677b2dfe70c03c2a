/** The frame around the screens of a tenant: where people are, which unit it is about, and what they cannot do. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { createUnit } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();
const tenant = await app.createTenant();
await createUnit(tenant, 'North');
const PHONE = { viewport: { width: 390, height: 700 }, hasTouch: true, isMobile: true };
const DESKTOP = { viewport: { width: 1440, height: 700 } };
const WHY = /^Owns every record that names no unit/;

const button = (place: Page | Locator, name: string) => place.getByRole('button', { name, exact: true });

async function open(path: string, options: Parameters<typeof openWindowAs>[3] = {}) {
  const window = await openWindowAs(browser, app, tenant.ownerEmail, options);
  await window.page.goto(`${app.url}/console/t/${tenant.code}${path}`);
  return window;
}

test('the breadcrumb leads to the screen above, and keeps the unit', { skip }, async () => {
  const { page } = await open('/settings/members?unit=north');
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' });
  await breadcrumb.getByText('Members').waitFor();
  assert.equal(await breadcrumb.getByRole('link').count(), 1);
  await breadcrumb.getByRole('link', { name: 'Settings' }).click();
  await page.waitForURL('**/settings?unit=north');
  assert.equal(await breadcrumb.getByRole('link').count(), 0);
});

test('the navigation marks the entry of the screen, and no entry above it', { skip }, async () => {
  const { page } = await open('/subscribers/suppressions');
  const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=page]');
  await current.first().waitFor();
  assert.deepEqual(await current.allInnerTexts(), ['Suppressions']);
  await page.goto(`${app.url}/console/t/${tenant.code}/subscribers/lists/${crypto.randomUUID()}`);
  await page.getByText('This list does not exist').waitFor();
  assert.deepEqual(await current.allInnerTexts(), ['Lists']);
});

test('a group without a screen of its own is no link in the breadcrumb', { skip }, async () => {
  const { page } = await open('/connections/keys');
  const breadcrumb = page.getByRole('navigation', { name: 'Breadcrumb' });
  await breadcrumb.getByText('Connections').waitFor();
  assert.equal(await breadcrumb.getByRole('link').count(), 0);
});

test('screens that are the same in all units say so, and the chosen unit stays for others', {
  skip,
}, async () => {
  const { page } = await open('?unit=north');
  const unit = button(page, 'Business unit, now North');
  await unit.waitFor();
  for (const title of ['Business units', 'Members', 'API keys', 'General']) {
    await page.getByRole('link', { name: title, exact: true }).click();
    await page.getByText('Applies to all units').waitFor();
    assert.equal(await unit.count(), 0, title);
  }
  await page.getByRole('link', { name: 'Home', exact: true }).click();
  await unit.waitFor();
});

test('an action that the default unit refuses says why by keyboard', { skip }, async () => {
  const { page } = await open('/settings/units');
  const rename = button(page.getByRole('row', { name: /^Default/ }), 'Rename');
  assert.equal(await rename.getAttribute('aria-disabled'), 'true');
  await button(page, 'Create unit').focus();
  await eventually('the focus', async () => {
    await page.keyboard.press('Tab');
    return rename.evaluate((element) => element.matches(':focus'));
  });
  await page.getByRole('tooltip', { name: WHY }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('tooltip', { name: WHY }).waitFor();
  assert.equal(await page.getByRole('dialog').count(), 0);
});

test('on a phone the navigation marks the group of the screen, also below its first one', {
  skip,
}, async () => {
  const { page } = await open('/connections/deliveries', PHONE);
  const current = page.getByRole('navigation', { name: 'Main' }).locator('[aria-current=true]');
  await current.getByText('Connections').waitFor();
  await page.getByRole('link', { name: 'People' }).click();
  await current.getByText('People').waitFor();
  assert.equal(await current.count(), 1);
});

test('an action that the default unit refuses says why on a touch screen', { skip }, async () => {
  const { page } = await open('/settings/units', PHONE);
  // Without force the tap would wait until the button can be used.
  await button(page.getByRole('row', { name: /^Default/ }), 'Rename').tap({ force: true });
  await page.getByRole('tooltip', { name: WHY }).waitFor();
});

test('the form of a key explains with whose rights the key acts', { skip }, async () => {
  const { page } = await open('/connections/keys?new=true');
  await page.getByText('The key acts with the rights of this member').waitFor();
});

for (const [name, options] of [
  ['a phone', PHONE],
  ['a desktop', DESKTOP],
] as const) {
  test(`messages never cover the button that saves a drawer, on ${name}`, { skip }, async () => {
    const email = `${name.replace(' ', '-')}@${tenant.code}.test`;
    const body = { email, name: 'Ada', invite: true };
    const { body: member } = await tenant.api.post('/api/client/v1/memberships', body);
    const { page } = await open(`/settings/members/${member.membership_id}`, options);
    for (let count = 0; count < 2; count += 1) {
      await button(page, 'Send the invitation again').click();
      await page.getByText(`Invitation sent again to ${email}`).nth(count).waitFor();
    }
    await assertUncovered(button(page, 'Save access'), ['start', 'center', 'end']);
  });

  test(`messages never cover the button that saves a form, on ${name}`, { skip }, async () => {
    const { page } = await open('/settings', options);
    await page.getByRole('textbox', { name: 'Name' }).fill(`Tenant on ${name}`);
    await button(page, 'Save changes').click();
    await page.getByText('Settings saved').waitFor();
    await assertUncovered(button(page, 'Save changes'), ['center', 'end']);
  });
}

/** Asserts that no message is in front of a button, wherever it is scrolled to. */
async function assertUncovered(target: Locator, blocks: readonly ('start' | 'center' | 'end')[]) {
  for (const block of blocks) {
    const isCovered = await target.evaluate((element, place) => {
      element.scrollIntoView({ block: place });
      const { left, right, top, bottom } = element.getBoundingClientRect();
      const y = (top + bottom) / 2;
      return [left + 4, (left + right) / 2, right - 4].some((x) =>
        element.ownerDocument.elementFromPoint(x, y)?.closest('[role="alertdialog"]'),
      );
    }, block);
    assert.equal(isCovered, false, block);
  }
}
