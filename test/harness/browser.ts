import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { eventually } from './poll.ts';

const CHROMIUM = '/usr/bin/chromium';
/** The same browser without windows, which needs a quarter less processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell';
/** Path of the browser for tests and measurements. */
export const EXECUTABLE =
  process.env.CHROMIUM_PATH ?? (existsSync(HEADLESS_SHELL) ? HEADLESS_SHELL : CHROMIUM);

/** Only the tested pages may use the network, and Chromium's sandbox does not work in a container. */
const ARGUMENTS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/**
 * Returns the reason to skip tests that need a browser, or false if there is one.
 * @throws without a browser if CI=true, because CI must not skip tests.
 */
export function withoutBrowser(): string | false {
  if (existsSync(EXECUTABLE)) return false;
  const reason = `no Chromium at ${EXECUTABLE}; set CHROMIUM_PATH`;
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

/**
 * Matches the form when its script responds: SurveyJS renders it again then, and earlier input may be applied twice.
 */
export const LIVE_FORM = '#tessera-survey[data-live]';

/** Resolves after two frames: the effects of a change begin with the next one. */
const TWO_FRAMES = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  .then(() => document.getAnimations().every(({ playState }) => playState !== 'running'))`;

/** Waits until the page has rendered and all animations have ended. */
export async function waitUntilStill(page: Page): Promise<void> {
  await eventually('the page to stand still', () => page.evaluate<boolean>(TWO_FRAMES));
}

/** Browser options of the shared page. */
export interface View {
  readonly width?: number;
  readonly language?: string;
}

/** Opens a URL in the shared page. */
export type OpenPage = (url: string, view?: View) => Promise<Page>;

/**
 * A shared page that navigates from URL to URL and is closed with its browser. A new page for each test would load and
 * compile everything again, which costs five times as much.
 */
export function sharePage(browser: Browser | null): OpenPage {
  let shared: Page | undefined;
  return async (url, { width = 1280, language = 'en-US' } = {}) => {
    assert.ok(browser);
    shared ??= await browser.newPage();
    // Otherwise an element of the next page could be under the mouse and have hover colours.
    await shared.mouse.move(0, 0);
    await shared.setViewportSize({ width, height: 900 });
    await shared.setExtraHTTPHeaders({ 'accept-language': language });
    await shared.goto(url);
    return shared;
  };
}

/** Starts Chromium, which is closed after the file's tests. Returns null if it is not installed. */
export async function startBrowser(): Promise<Browser | null> {
  if (withoutBrowser() !== false) return null;
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });
  after(() => browser.close());
  return browser;
}

/** Delays a script of the service until the returned function is called. */
export async function holdScript(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/${name}`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Sums up layout shifts from the next navigation on. */
export function watchShifts(page: Page): Promise<unknown> {
  return page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.hadRecentInput ? 0 : entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`);
}

/** Returns the sum of `watchShifts`. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>('window.shift');
}
