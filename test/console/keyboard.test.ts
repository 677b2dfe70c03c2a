/** Every screen of the console without a mouse: the routes of all manifests, in all forms of their URLs. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { startBrowser, waitUntilStill, withoutBrowser } from '../harness/browser.ts';
import { shareWindow } from '../harness/console.ts';
import { visitStops } from '../harness/console-keyboard.ts';
import { openScreen, type Screen, screensOf } from '../harness/console-screens.ts';
import { createConsoleSite } from '../harness/console-site.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();
const site = await createConsoleSite(app);
// On the page of all components, long lists above each other move while they are measured.
const screens = (await screensOf(site)).filter(({ isOfPlaceholders }) => !isOfPlaceholders);
const owner = await shareWindow(browser, app, site.emails.owner);

for (const width of [390, 1440])
  test(`the Tab key reaches every control of every screen, at ${width} px, and shows where it is`, {
    skip,
  }, async () => {
    const { page } = owner();
    await page.setViewportSize({ width, height: 900 });
    for (const screen of screens) {
      await openScreen(page, app.url, screen);
      await waitUntilStill(page);
      if (screen.drawer !== null) await eventually('the focus to be in the drawer', () => isFocused(page));
      const { stops, missed } = await visitStops(page);
      assert.deepEqual(missed, [], `${screen.path}: not reached`);
      const hidden = stops.filter(({ hasOutline, isUncovered }) => !hasOutline || !isUncovered);
      assert.deepEqual(hidden, [], `${screen.path}: without visible focus`);
    }
  });

test('the first stop of every screen skips to its content', { skip }, async () => {
  const { page } = owner();
  for (const screen of screens.filter(({ drawer }) => drawer === null)) {
    await openScreen(page, app.url, screen);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await page.evaluate<string>('document.activeElement.localName'), 'main', screen.path);
  }
});

for (const screen of screens.filter(({ opener }) => opener !== null))
  test(`Enter on "${screen.opener}" opens ${screen.path}, and Escape returns to it`, { skip }, async () => {
    const { page } = owner();
    await openOpener(page, screen);
    await page.keyboard.press('Enter');
    const drawer = page.getByRole('dialog', { name: screen.drawer ?? /./ });
    await drawer.waitFor();
    const hasFocus = () => drawer.evaluate((element) => element.matches(':focus-within'));
    await eventually('the focus to be in the drawer', hasFocus);
    await waitUntilStill(page);
    await page.keyboard.press('Escape');
    await drawer.waitFor({ state: 'detached' });
    const opener = page.locator(':focus');
    await eventually('the focus to return', async () => matches(await opener.textContent(), screen));
  });

/** True if the focus is in a dialog: React Aria moves it there after the dialog has appeared. */
function isFocused(page: Page): Promise<boolean> {
  return page.evaluate<boolean>("document.querySelector('[role=dialog]:focus-within') !== null");
}

/** Opens a drawer's screen without the drawer, and moves the focus to the control that opens it. */
async function openOpener(page: Page, screen: Screen): Promise<void> {
  const [path = ''] = screen.path.split('?');
  await openScreen(page, app.url, { ...screen, path, drawer: null });
  const focused = page.locator(':focus');
  await eventually('the Tab key to reach the opener', async () => {
    await page.keyboard.press('Tab');
    const isEnabled = (await focused.getAttribute('aria-disabled')) !== 'true';
    return isEnabled && matches(await focused.textContent(), screen);
  });
}

function matches(text: string | null, { opener }: Screen): boolean {
  return typeof opener === 'string' ? text === opener : (opener?.test(text ?? '') ?? false);
}
