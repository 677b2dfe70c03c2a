/** Rules that hold for every screen of the console: those that the navigation lists, and the user's account. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindow, signIn } from '../harness/console.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();
const tenant = await app.createTenant();
const unit = await createUnit(tenant, 'North');
const viewer = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);

const ACCOUNT = ['account', 'account/security'];
const WIDTHS = [390, 768, 1440];
/** A key that has no text is shown as it is: folder and key. */
const MISSING_TEXT =
  /\b(?:shell|ui|drafts|table|filters|account|home|keys|members|tenants|tenant-settings|units)\.[a-z]+(?:[.-][a-z]+)*\b/;

/** Signs in, and returns the paths of all screens that the navigation offers to the user. */
async function signInToScreens(page: Page, email: string): Promise<string[]> {
  await signIn(page, app.url, { email });
  await waitForScreen(page);
  const links = await page.getByRole('navigation').first().getByRole('link').all();
  const hrefs = await Promise.all(links.map((link) => link.getAttribute('href')));
  const paths = hrefs.map((href) => (href ?? '').replace('/console/', ''));
  assert.ok(paths.length > 2, 'the navigation has links');
  return [...paths, ...ACCOUNT];
}

/** Opens a screen and waits until it has its heading and no placeholders. */
async function open(page: Page, path: string): Promise<void> {
  await page.goto(`${app.url}/console/${path}`);
  await waitForScreen(page);
}

async function waitForScreen(page: Page): Promise<void> {
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.getByRole('status', { name: 'Loading' }).waitFor({ state: 'detached' });
}

for (const colorScheme of ['light', 'dark'] as const) {
  test(`every screen is accessible in the ${colorScheme} theme, on every width, without faults`, {
    skip,
  }, async () => {
    const { page, faults } = await openWindow(browser, { colorScheme });
    for (const path of await signInToScreens(page, tenant.ownerEmail))
      for (const width of WIDTHS) {
        await page.setViewportSize({ width, height: 900 });
        await open(page, path);
        const name = `${path} at ${width} px`;
        assert.deepEqual(await findFaults(page), [], name);
        const isInside = await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth');
        assert.equal(isInside, true, `${name} scrolls sideways`);
      }
    assert.deepEqual(faults, []);
  });
}

for (const locale of ['en-US', 'de-DE']) {
  test(`no screen lacks a text in ${locale}`, { skip }, async () => {
    const { page } = await openWindow(browser, { locale });
    for (const path of await signInToScreens(page, tenant.ownerEmail)) {
      await open(page, path);
      assert.doesNotMatch(await page.locator('body').innerText(), MISSING_TEXT, path);
      assert.equal(await page.evaluate<string>('document.documentElement.lang'), locale.slice(0, 2));
    }
  });
}

test('every screen survives a reload and the way back', { skip }, async () => {
  const { page } = await openWindow(browser);
  for (const path of await signInToScreens(page, tenant.ownerEmail)) {
    await open(page, path);
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    await page.reload();
    await waitForScreen(page);
    await page.goto(`${app.url}/`);
    await page.goBack();
    await waitForScreen(page);
    assert.equal(await page.getByRole('heading', { level: 1 }).innerText(), heading, path);
  }
});

test('a viewer sees each screen, and who can help with those for owners', { skip }, async () => {
  const owner = await openWindow(browser);
  const all = await signInToScreens(owner.page, tenant.ownerEmail);
  const { page, faults } = await openWindow(browser);
  const own = await signInToScreens(page, viewer.email);
  assert.ok(all.length > own.length, 'some screens are for owners');
  for (const path of all) {
    await open(page, path);
    const heading = await page.getByRole('heading', { level: 1 }).innerText();
    assert.equal(heading !== 'Only owners can see this', own.includes(path), path);
  }
  assert.deepEqual(faults, []);
});

test('another tenant and an unknown address are told apart from a fault', { skip }, async () => {
  const stranger = await app.createTenant();
  const { page } = await openWindow(browser);
  await signIn(page, app.url, { email: tenant.ownerEmail });
  await page.goto(`${app.url}/console/t/${stranger.code}`);
  await page.getByRole('heading', { name: 'You are not a member of this organization' }).waitFor();
  await page.goto(`${app.url}/console/t/${tenant.code}/nothing/here`);
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
});
