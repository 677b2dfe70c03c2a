/** Rules that hold for every screen of the console: the routes of all manifests, in all forms of their URLs. */
import assert from 'node:assert/strict';
import { posix } from 'node:path';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults, findLowContrast } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindowAs } from '../harness/console.ts';
import { fitsWidth, openScreen, type Screen, screensOf, waitForScreen } from '../harness/console-screens.ts';
import { createConsoleSite, ROLES } from '../harness/console-site.ts';
import { listFiles } from '../harness/repository.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();
const site = await createConsoleSite(app);
const screens = await screensOf(site);

const WIDTHS = [390, 768, 1440];
/** Cards and drawers of a phone, and tables: between them only the size changes. */
const LAYOUTS = [390, 1440];
const DESKTOP = 1440;
const folders = (await listFiles('console', 'texts.en.json')).map((path) =>
  posix.basename(posix.dirname(path)),
);
/** A key that has no text is shown as it is: folder and key. */
const MISSING_TEXT = new RegExp(`\\b(?:${folders.join('|')})\\.[a-z]+(?:[.-][a-z]+)*\\b`);

/** Returns one screen of each route. Its others have the same content with another order, filter or drawer. */
function firstForms(all: readonly Screen[]): Screen[] {
  return all.filter(({ route }, index) => all.findIndex((each) => each.route.path === route.path) === index);
}

async function setWidth(page: Page, width: number): Promise<void> {
  await page.setViewportSize({ width, height: 900 });
}

async function headingOf(page: Page): Promise<string> {
  return page.locator('h1').first().innerText();
}

async function assertComplete(page: Page, { path }: Screen): Promise<void> {
  assert.doesNotMatch(await page.locator('body').innerText(), MISSING_TEXT, path);
}

test('every screen is accessible in both themes, fits every width, and has no faults', { skip }, async () => {
  const { page, faults } = await openWindowAs(browser, app, site.emails.owner);
  const first = firstForms(screens);
  for (const screen of screens) {
    await page.emulateMedia({ colorScheme: 'light' });
    await openScreen(page, app.url, screen);
    await assertComplete(page, screen);
    for (const width of WIDTHS) {
      await setWidth(page, width);
      assert.equal(await fitsWidth(page), true, `${screen.path} scrolls sideways at ${width} px`);
    }
    // Drawers have a layout of their own on phones, the other forms of a route that of its first one.
    const isLaidOut = first.includes(screen) || screen.drawer !== null;
    for (const width of isLaidOut ? LAYOUTS : [DESKTOP]) {
      await setWidth(page, width);
      assert.deepEqual(await findFaults(page), [], `${screen.path} at ${width} px`);
    }
    await page.emulateMedia({ colorScheme: 'dark' });
    assert.deepEqual(await findLowContrast(page), [], `${screen.path} in the dark`);
  }
  assert.deepEqual(faults, []);
});

test('every route survives the way back, on which the browser loads it again', { skip }, async () => {
  const { page } = await openWindowAs(browser, app, site.emails.owner);
  for (const screen of firstForms(screens)) {
    await openScreen(page, app.url, screen);
    const heading = await headingOf(page);
    await page.goto('about:blank');
    await page.goBack();
    await waitForScreen(page, screen);
    assert.equal(await headingOf(page), heading, screen.path);
  }
});

for (const role of ROLES.filter((each) => each !== 'owner'))
  test(`a member with the role ${role} sees each screen, and who can help with those for owners`, {
    skip,
  }, async () => {
    const { page, faults } = await openWindowAs(browser, app, site.emails[role]);
    const others = firstForms(screens).filter(({ route }) => route.path.startsWith('t/'));
    assert.ok(others.some(({ route }) => route.isForOwners));
    for (const screen of others) {
      const { path, route } = screen;
      await openScreen(page, app.url, { ...screen, drawer: null });
      assert.equal((await headingOf(page)) === 'Only owners can see this', route.isForOwners, path);
    }
    assert.deepEqual(faults, []);
  });

test('every screen without data is complete in German, in the dark, on a phone', { skip }, async () => {
  const { page, faults } = await openWindowAs(browser, app, site.emails.owner, {
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  const empty = await screensOf(site, site.empty);
  const first = firstForms(empty);
  for (const screen of empty) {
    await openScreen(page, app.url, { ...screen, drawer: null });
    await assertComplete(page, screen);
    assert.equal(await page.evaluate<string>('document.documentElement.lang'), 'de');
    assert.equal(await fitsWidth(page), true, `${screen.path} scrolls sideways`);
    if (first.includes(screen)) assert.deepEqual(await findLowContrast(page), [], screen.path);
  }
  assert.deepEqual(faults, []);
});

test('long, foreign and malicious names neither break a screen nor run, also from right to left', {
  skip,
}, async () => {
  const hostile = await createConsoleSite(app, hostileName);
  const { page, faults } = await openWindowAs(browser, app, hostile.emails.owner);
  for (const screen of await screensOf(hostile)) {
    await openScreen(page, app.url, { ...screen, drawer: screen.drawer === null ? null : /./ });
    for (const width of WIDTHS) {
      await setWidth(page, width);
      assert.equal(await fitsWidth(page), true, `${screen.path} scrolls sideways at ${width} px`);
      await page.evaluate("document.documentElement.dir = 'rtl'");
      assert.equal(
        await fitsWidth(page),
        true,
        `${screen.path} scrolls sideways at ${width} px from right to left`,
      );
      await page.evaluate("document.documentElement.dir = 'ltr'");
    }
    assert.equal(await page.evaluate("'ran' in window"), false, `${screen.path} ran a name`);
  }
  assert.deepEqual(faults, []);
});

/** Returns a name of the greatest length that the API accepts. */
function hostileName(name: string): string {
  return `${name} <script>ran=1</script><img src=x onerror=ran=1> {{1}} אבג العربية `.padEnd(200, 'W');
}

test('another tenant and an unknown address are distinguished from a fault', { skip }, async () => {
  const stranger = await app.createTenant();
  const { page } = await openWindowAs(browser, app, site.emails.owner);
  await page.goto(`${app.url}/console/t/${stranger.code}`);
  await page.getByRole('heading', { name: 'You are not a member of this organization' }).waitFor();
  for (const path of [`t/${site.tenant.code}/nothing/here`, 'nothing']) {
    await page.goto(`${app.url}/console/${path}`);
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
  }
});

test('the page of parts is for development', { skip }, async () => {
  const { page } = await openWindowAs(browser, app, site.emails.owner);
  await page.route('**/console/dev/parts', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: (await response.text()).replace(' data-development', '') });
  });
  await page.goto(`${app.url}/console/dev/parts`);
  await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
});
