import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium, type Page } from 'playwright-core';
import { eventually } from './poll.ts';

const EXECUTABLE = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';

/** Nothing but the tested pages may use the network, and a container gives Chromium no sandbox of its own. */
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
 * Why the tests of a file that needs a browser are skipped, or false when there is one.
 * @throws when there is none and CI=true: a pipeline must not pass by leaving them out.
 */
export function withoutBrowser(): string | false {
  if (existsSync(EXECUTABLE)) return false;
  const reason = `no Chromium at ${EXECUTABLE}; set CHROMIUM_PATH`;
  if (process.env.CI === 'true') throw new Error(reason);
  return reason;
}

/** The form once its script answers: SurveyJS draws it again then, and what is done before may be done twice. */
export const LIVE_FORM = '#tessera-survey[data-live]';

/** Two frames later: what a change sets off begins with the next one. */
const STANDS_STILL = `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))
  .then(() => document.getAnimations().every(({ playState }) => playState !== 'running'))`;

/** Waits until what was done to a page is drawn and nothing on it moves: colours on their way are nobody's choice. */
export async function waitUntilStill(page: Page): Promise<void> {
  await eventually('the page to stand still', () => page.evaluate<boolean>(STANDS_STILL));
}

/** What a page that is led on may ask of its browser. */
export interface View {
  readonly width?: number;
  readonly language?: string;
}

/** Leads the one page of a file to an address. */
export type Lead = (url: string, view?: View) => Promise<Page>;

/**
 * One page that is led from address to address and ends with its browser: each page of its own loads and compiles
 * everything again, which costs five times as much.
 */
export function sharePage(browser: Browser | null): Lead {
  let shared: Page | undefined;
  return async (url, { width = 1280, language = 'en-US' } = {}) => {
    assert.ok(browser);
    shared ??= await browser.newPage();
    // Where a press left the mouse, the next page would show its colours for it.
    await shared.mouse.move(0, 0);
    await shared.setViewportSize({ width, height: 900 });
    await shared.setExtraHTTPHeaders({ 'accept-language': language });
    await shared.goto(url);
    return shared;
  };
}

/** Starts Chromium, or returns null where there is none; it is closed after the file's tests. */
export async function startBrowser(): Promise<Browser | null> {
  if (withoutBrowser() !== false) return null;
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ARGUMENTS });
  after(() => browser.close());
  return browser;
}

/** Keeps a script of the service from a page until what this resolves with is called. */
export async function holdScript(page: Page, name: string): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(`**/${name}`, async (route) => {
    await promise;
    await route.continue();
  });
  return resolve;
}

/** Adds up, from the next address on, by how much the page moves by itself. */
export function watchShifts(page: Page): Promise<unknown> {
  return page.addInitScript(`window.shift = 0; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) window.shift += entry.hadRecentInput ? 0 : entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`);
}

/** What `watchShifts` has added up. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>('window.shift');
}
