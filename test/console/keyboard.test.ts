/** Every screen of the console by keyboard alone. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { shareWindow } from '../harness/console.ts';
import { focusedName, tabbableNames, walkByTab } from '../harness/console-keyboard.ts';
import { openScreen, type Screen, screensOf, waitForScreen } from '../harness/console-screens.ts';
import { createConsoleSite } from '../harness/console-site.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();
const site = await createConsoleSite(app);
const screens = await screensOf(site);
const owner = await shareWindow(browser, app, site.emails.owner);
const isOfTenant = ({ path, drawer }: Screen) => path.startsWith('t/') && drawer === null;

test('Tab reaches everything on every screen, in the order of the page, with a visible focus', {
  skip,
}, async () => {
  const { page, faults } = owner();
  for (const screen of screens) {
    await openScreen(page, app.url, screen);
    const names = await tabbableNames(page);
    assert.ok(names.length > 0, screen.path);
    const stops = await walkByTab(page, names.length);
    if (isOfTenant(screen)) assert.equal(stops[0]?.name, 'Skip to content', screen.path);
    const unseen = stops.filter(({ isVisible }) => !isVisible).map(({ name }) => name);
    assert.deepEqual(unseen, [], `${screen.path}: the focus is not visible`);
    const first = stops[0]?.index ?? 0;
    const reached = stops.map(({ index }) => names[index]);
    const inOrder = names.map((_, position) => names[(first + position) % names.length]);
    assert.deepEqual(reached, inOrder, screen.path);
  }
  assert.deepEqual(faults, []);
});

test('the first link of a screen of a tenant skips to its content', { skip }, async () => {
  const { page } = owner();
  const [screen] = screens.filter(isOfTenant);
  assert.ok(screen);
  await openScreen(page, app.url, screen);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate<string>('document.activeElement.id'), 'content');
});

test('every drawer opens by Enter, closes by Escape and returns the focus', { skip }, async () => {
  const { page } = owner();
  for (const { path, opener, drawer, ...screen } of screens.filter((each) => each.opener !== null)) {
    assert.ok(opener !== null && drawer !== null);
    const below = { ...screen, opener, drawer: null, path: path.replace(/\?.*$/, '') };
    await openScreen(page, app.url, below);
    const button = page.getByRole('button', { name: opener }).or(page.getByRole('link', { name: opener }));
    await button.last().focus();
    const name = await focusedName(page);
    await page.keyboard.press('Enter');
    await waitForScreen(page, { ...below, drawer });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await eventually(`the focus on ${path}`, async () => (await focusedName(page)) === name);
  }
});

test('every drawer that its URL has opened closes by Escape and shows its list', { skip }, async () => {
  const { page } = owner();
  for (const screen of screens.filter(({ drawer }) => drawer !== null)) {
    await openScreen(page, app.url, screen);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    assert.equal(page.url().includes(screen.path), false, screen.path);
    await page.getByRole('heading', { level: 1 }).waitFor();
  }
});
