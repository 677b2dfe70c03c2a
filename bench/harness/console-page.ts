/** A page of the console under measurement. */
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { signInBrowser } from '../../test/harness/browser-session.ts';
import { median, openMeasuredPage } from './slow-browser.ts';

/** A signed-in browser, and the console's base URL in it. */
export interface ConsoleBrowser {
  readonly browser: Browser;
  /** Base URL of its pages, of the proxy. */
  readonly url: string;
  /** Base URL of the process itself. */
  readonly apiUrl: string;
  readonly email: string;
}

/** A request of a page for data, in ms since its navigation. */
interface DataRequest {
  readonly startTime: number;
  readonly responseEnd: number;
}

/** The effect of an input. */
export interface Reaction {
  /** Time from the input until its effect is in the page, in ms. */
  readonly ms: number;
  /** Sum of the layout shifts until then. */
  readonly shift: number;
}

/** The windows in which the console is measured. */
export const DESKTOP = { viewport: { width: 1440, height: 900 } };
/** A phone; `isSlow` makes its network and processor slow. */
export const PHONE = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
/** Expression of the page: the list shows rows. */
export const HAS_ROWS = "document.querySelector('[role=grid] a')";

/** Measurements of a list, of which the median counts. */
const LIST_ROUNDS = 5;

/** Longest wait for anything, in ms. */
const MAX_WAIT_MS = 30_000;

/** Functions of the page that measure it. They run before its own scripts. */
const SCRIPT = `
window.shift = 0;
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) window.shift += entry.value;
}).observe({ type: 'layout-shift', buffered: true });
window.timeOf = (isDone) => new Promise((resolve, reject) => {
  const end = performance.now() + ${MAX_WAIT_MS};
  const check = () => {
    if (isDone()) resolve(performance.now());
    else if (performance.now() > end) reject(new Error('Timed out while waiting for ' + isDone));
    else requestAnimationFrame(check);
  };
  check();
});
window.reactionTo = (isDone) => new Promise((resolve, reject) => {
  window.shift = 0;
  const start = ({ timeStamp }) => {
    for (const type of ['keydown', 'pointerdown']) removeEventListener(type, start, true);
    timeOf(isDone).then((end) => resolve({ ms: end - timeStamp, shift: window.shift }), reject);
  };
  for (const type of ['keydown', 'pointerdown']) addEventListener(type, start, true);
});`;

/** Opens a window without an animation in which the user has signed in. */
export async function openSignedIn(
  { browser, url, apiUrl, email }: ConsoleBrowser,
  options: BrowserContextOptions = {},
): Promise<BrowserContext> {
  const { cookie } = await signInBrowser({ url: apiUrl }, email);
  const [name = '', value = ''] = cookie.split('=');
  const context = await browser.newContext({ locale: 'en-US', reducedMotion: 'reduce', ...options });
  await context.addCookies([{ name, value, url }]);
  return context;
}

/** Opens a page with the functions that measure it, slow like a phone if `isSlow`. */
export async function openConsolePage(context: BrowserContext, isSlow: boolean): Promise<Page> {
  const { page } = await openMeasuredPage(context, isSlow);
  page.setDefaultTimeout(MAX_WAIT_MS);
  await page.addInitScript(SCRIPT);
  return page;
}

/** Opens a URL and returns the time until `isDone`, an expression of the page, is true, in ms. */
export async function timeUntil(page: Page, url: string, isDone: string): Promise<number> {
  await page.goto(url, { waitUntil: 'commit' });
  return waitUntil(page, isDone);
}

/** Returns the time until the rows of a list are there, with an empty cache and opened again, in ms. */
export async function timeList(
  owner: ConsoleBrowser,
  url: string,
  isSlow: boolean,
): Promise<{ cold: number; warm: number }> {
  const [cold, warm]: [number[], number[]] = [[], []];
  for (let round = 0; round < LIST_ROUNDS; round += 1) {
    const context = await openSignedIn(owner, isSlow ? PHONE : DESKTOP);
    const page = await openConsolePage(context, isSlow);
    cold.push(await timeUntil(page, url, HAS_ROWS));
    await page.waitForLoadState('networkidle');
    warm.push(await timeUntil(page, url, HAS_ROWS));
    await context.close();
  }
  return { cold: median(cold), warm: median(warm) };
}

/** Waits until `isDone`, an expression of the page, is true; returns the time since the navigation, in ms. */
export function waitUntil(page: Page, isDone: string): Promise<number> {
  return page.evaluate<number>(`timeOf(() => ${isDone})`);
}

/** Returns what `input` does until `isDone`, an expression of the page, is true. */
export async function reactionTo(
  page: Page,
  input: () => Promise<unknown>,
  isDone: string,
): Promise<Reaction> {
  await page.evaluate(`void (window.reaction = reactionTo(() => ${isDone}))`);
  await input();
  return page.evaluate<Reaction>('reaction');
}

/** Paths that a page requests when it has been shown and is idle: the top bar's overview, and kept drafts. */
const WHEN_IDLE = ['/api/overview', '/api/client/v1/drafts'];

/** Returns the number of requests for the data of a screen, and how many of them waited for another one. */
export async function countRequests(page: Page): Promise<{ total: number; inRow: number }> {
  const requests = await page.evaluate<DataRequest[]>(
    `performance.getEntriesByType('resource')
      .filter(({ initiatorType, name }) =>
        initiatorType === 'fetch' && !${JSON.stringify(WHEN_IDLE)}.includes(new URL(name).pathname))
      .map(({ startTime, responseEnd }) => ({ startTime, responseEnd }))`,
  );
  return { total: requests.length, inRow: longestRow(requests) };
}

/** Returns the length of the longest row of requests of which each began after the end of the one before. */
function longestRow(requests: readonly DataRequest[]): number {
  let [length, end] = [0, Number.NEGATIVE_INFINITY];
  for (const request of requests.toSorted((one, other) => one.responseEnd - other.responseEnd)) {
    if (request.startTime < end) continue;
    length += 1;
    end = request.responseEnd;
  }
  return length;
}

/** Returns the memory of a page's scripts after garbage collection, in bytes. */
export async function heapBytes(page: Page): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('HeapProfiler.enable');
  await devtools.send('HeapProfiler.collectGarbage');
  const { usedSize } = await devtools.send('Runtime.getHeapUsage');
  await devtools.detach();
  return usedSize;
}
