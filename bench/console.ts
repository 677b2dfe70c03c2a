/** The console in a browser: how fast it appears and reacts, what it requests, and the memory of a long list. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { createClient } from '../test/harness/client.ts';
import { openScreen, screensOf } from '../test/harness/console-screens.ts';
import { type ConsoleSite, createConsoleSite } from '../test/harness/console-site.ts';
import { createTenant, type TestTenant } from '../test/harness/test-app.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import {
  type ConsoleBrowser,
  countRequests,
  DESKTOP,
  HAS_ROWS,
  heapBytes,
  openConsolePage,
  openSignedIn,
  PHONE,
  reactionTo,
  timeList,
  timeUntil,
  waitUntil,
} from './harness/console-page.ts';
import { type Figure, printFigures } from './harness/figures.ts';
import { startHttpsProxy, TRUST_ARGUMENT } from './harness/https-proxy.ts';
import type { Bench } from './harness/options.ts';
import { median, openMeasuredPage, startChromium } from './harness/slow-browser.ts';

const ROUNDS = 5;
/** Members of the tenant whose screens are measured: three pages. */
const MEMBERS = 250;
const LONG_LIST = 1_000_000;
const LONG_LIST_PAGES = 100;
const IDLE_SECONDS = 60;
const MIB = 2 ** 20;

/** The data of all measurements. */
interface Site {
  readonly console: ConsoleSite;
  readonly longList: TestTenant;
}

async function createSite(database: BenchDatabase, rows: number): Promise<Site> {
  const tessera = await startTessera(database.env);
  const admin = createClient(tessera.url, { authorization: `Bearer ${database.env.ADMIN_TOKEN}` });
  const site = {
    console: await createConsoleSite({ url: tessera.url, admin, anonymous: createClient(tessera.url) }),
    longList: await createTenant(tessera.url, admin),
  };
  await tessera.stop();
  await insertMembers(database, site.console.tenant, MEMBERS, 'short.test');
  await insertMembers(database, site.longList, rows, 'long.test');
  return site;
}

/** The domain has no digits: a search for one must not find all members. */
async function insertMembers(
  database: BenchDatabase,
  { tenantId }: TestTenant,
  count: number,
  domain: string,
): Promise<void> {
  await database.asOwner(async (client) => {
    await client.query(
      `with added as (
         insert into users (user_id, email, name, password_hash, created_at)
         select tessera_uuidv7(now()), 'member' || n || '@${domain}', 'Member ' || n, '', now()
         from generate_series(1, $2::int) n returning user_id)
       insert into memberships (tenant_id, membership_id, user_id, is_tenant_admin, status, version, created_at)
       select $1, tessera_uuidv7(now()), user_id, false, 'active', 1, now() from added`,
      [tenantId, count],
    );
    await client.query('vacuum analyze');
  });
}

/** The sign-in page on a slow phone with an empty cache. */
async function measureSignIn({ browser, url }: ConsoleBrowser): Promise<Figure[]> {
  const loads: { bytes: number; paintMs: number }[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const context = await browser.newContext(PHONE);
    const { page, receivedBytes } = await openMeasuredPage(context, true);
    await page.goto(`${url}/console`, { waitUntil: 'networkidle' });
    const painted = await page.waitForFunction<number>(
      "performance.getEntriesByName('first-contentful-paint')[0]?.startTime",
    );
    const paintMs = await painted.jsonValue();
    loads.push({ bytes: receivedBytes(), paintMs });
    await context.close();
  }
  return [
    { name: 'sign-in page', value: median(loads.map(({ bytes }) => bytes)) / 1_000, aim: 25, unit: 'kB' },
    {
      name: 'sign-in page painted, slow phone',
      value: median(loads.map(({ paintMs }) => paintMs)),
      aim: 1_200,
      unit: 'ms',
    },
  ];
}

/** The first list until its rows are there: with an empty cache, and opened again. */
async function measureFirstList(owner: ConsoleBrowser, site: Site): Promise<Figure[]> {
  const url = `${owner.url}/console/t/${site.console.tenant.code}/settings/members`;
  const figures: Figure[] = [];
  for (const [isSlow, coldAim, warmAim] of [
    [true, 3_000, 1_200],
    [false, 800, 400],
  ] as const) {
    const { cold, warm } = await timeList(owner, url, isSlow);
    const speed = isSlow ? 'slow phone' : 'full speed';
    figures.push(
      { name: `first list, cold, ${speed}`, value: cold, aim: coldAim, unit: 'ms' },
      { name: `first list, warm, ${speed}`, value: warm, aim: warmAim, unit: 'ms' },
    );
  }
  return figures;
}

/** Requests for data of the screens with the most, and of that in which most of them wait for each other. */
async function measureRequests(owner: ConsoleBrowser, site: Site): Promise<Figure[]> {
  const context = await openSignedIn(owner, DESKTOP);
  const page = await openConsolePage(context, false);
  const counts: { path: string; total: number; inRow: number }[] = [];
  for (const screen of await screensOf(site.console)) {
    if (screen.isOfPlaceholders) continue;
    await openScreen(page, owner.url, screen);
    await page.waitForLoadState('networkidle');
    counts.push({ path: screen.path, ...(await countRequests(page)) });
  }
  await context.close();
  const [most] = counts.toSorted((one, other) => other.total - one.total);
  const [longest] = counts.toSorted((one, other) => other.inRow - one.inRow);
  return [
    { name: `requests of ${most?.path}`, value: most?.total ?? Number.NaN, aim: 2, unit: '' },
    { name: `requests in a row of ${longest?.path}`, value: longest?.inRow ?? Number.NaN, aim: 1, unit: '' },
  ];
}

/** An input, and what shows its effect. */
interface Input {
  readonly name: string;
  readonly aim: number;
  /** Makes the page ready for the input. */
  readonly prepare?: (page: Page) => Promise<unknown>;
  readonly act: (page: Page) => Promise<unknown>;
  /** Expression of the page that is true when the effect is there. */
  readonly isDone: string;
  readonly undo: (page: Page) => Promise<unknown>;
  readonly isUndone: string;
}

const DIALOG = "document.querySelector('[role=dialog]')";
const heading = (text: string) => `document.querySelector('h1')?.textContent === '${text}'`;
const GRID = "document.querySelector('[role=grid]')";
const IS_SETTLED = `${GRID}.ariaBusy === 'false'`;
const ROW_COUNT = `Number(${GRID}.ariaRowCount)`;
const focusedRow = "Number(document.activeElement.closest('[role=row]')?.ariaRowIndex)";

const press = (key: string) => (page: Page) => page.keyboard.press(key);
const follow = (name: string) => (page: Page) =>
  page.getByRole('navigation').getByRole('link', { name, exact: true }).first().click();

/** Inputs on the list of members. Each begins and ends there. */
const INPUTS: readonly Input[] = [
  {
    name: 'palette',
    aim: 100,
    act: press('Control+k'),
    isDone: DIALOG,
    undo: press('Escape'),
    isUndone: `!${DIALOG}`,
  },
  {
    name: 'other screen',
    aim: 300,
    act: follow('Business units'),
    isDone: `${heading('Business units')} && document.querySelector('main tbody td, main [role=rowheader], main [role=cell]')`,
    undo: follow('Members'),
    isUndone: `${heading('Members')} && ${HAS_ROWS}`,
  },
  {
    name: 'open a row',
    aim: 300,
    act: (page) => page.getByRole('grid').getByRole('link').first().click(),
    isDone: `${DIALOG}?.querySelector('input')`,
    undo: press('Escape'),
    isUndone: `!${DIALOG}`,
  },
  {
    name: 'search',
    aim: 300,
    act: (page) => page.getByRole('searchbox').press('9'),
    isDone: `${IS_SETTLED} && ${ROW_COUNT} < ${MEMBERS}`,
    undo: (page) => page.getByRole('searchbox').fill(''),
    isUndone: `${IS_SETTLED} && ${ROW_COUNT} > ${MEMBERS}`,
  },
  {
    name: 'next page',
    aim: 300,
    prepare: (page) => page.getByRole('grid').focus(),
    act: press('Control+End'),
    isDone: `${focusedRow} > 100 && document.activeElement.closest('[role=row]').querySelector('a')`,
    undo: press('Control+Home'),
    isUndone: `${focusedRow} === 2`,
  },
];

/** The slowest reaction to each input. */
async function measureReactions(owner: ConsoleBrowser, site: Site): Promise<Figure[]> {
  const context = await openSignedIn(owner, DESKTOP);
  const page = await openConsolePage(context, false);
  await timeUntil(page, `${owner.url}/console/t/${site.console.tenant.code}/settings/members`, HAS_ROWS);
  await page.waitForLoadState('networkidle');
  const figures: Figure[] = [];
  let shift = 0;
  for (const { name, aim, prepare, act, isDone, undo, isUndone } of INPUTS) {
    const times: number[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      await prepare?.(page);
      const reaction = await reactionTo(page, () => act(page), isDone);
      times.push(reaction.ms);
      shift = Math.max(shift, reaction.shift);
      await undo(page);
      await waitUntil(page, isUndone);
    }
    figures.push({ name, value: median(times), aim, unit: 'ms' });
  }
  await context.close();
  return [...figures, { name: 'layout shift of an input', value: shift, aim: 0, unit: '' }];
}

/** Requests of a page that nobody uses, visible and hidden. */
async function measureIdle(owner: ConsoleBrowser, site: Site, seconds: number): Promise<Figure[]> {
  const context = await openSignedIn(owner, DESKTOP);
  const page = await openConsolePage(context, false);
  await timeUntil(page, `${owner.url}/console/t/${site.console.tenant.code}/settings/members`, HAS_ROWS);
  await page.waitForLoadState('networkidle');
  let requests = 0;
  page.on('request', () => {
    requests += 1;
  });
  const countPerMinute = async () => {
    requests = 0;
    await pause(seconds * 1_000);
    return (requests * 60) / seconds;
  };
  const visible = await countPerMinute();
  // Chromium without a screen never hides a page.
  await page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: 'hidden' });
    Object.defineProperty(document, 'hidden', { value: true });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))`);
  const hidden = await countPerMinute();
  await context.close();
  return [
    { name: 'requests of an idle page', value: visible, aim: 12, unit: '/min' },
    { name: 'requests of a hidden page', value: hidden, aim: 0, unit: '/min' },
  ];
}

/** Growth of the memory while pages of a long list are read, one after the other. */
async function measureLongList(owner: ConsoleBrowser, { code }: TestTenant): Promise<Figure[]> {
  const context = await openSignedIn(owner, DESKTOP);
  const page = await openConsolePage(context, false);
  await timeUntil(page, `${owner.url}/console/t/${code}/settings/members`, HAS_ROWS);
  await page.waitForLoadState('networkidle');
  const before = await heapBytes(page);
  await page.getByRole('grid').focus();
  const times: number[] = [];
  for (let index = 1; index < LONG_LIST_PAGES; index += 1) {
    const isDone = `${focusedRow} > ${index * 100} && document.activeElement.closest('[role=row]').querySelector('a')`;
    times.push((await reactionTo(page, () => page.keyboard.press('Control+End'), isDone)).ms);
  }
  const after = await heapBytes(page);
  await context.close();
  return [
    {
      name: `${LONG_LIST_PAGES} pages of a long list, heap`,
      value: (after - before) / MIB,
      aim: 19,
      unit: 'MiB',
    },
    { name: 'next page of a long list', value: median(times), aim: 300, unit: 'ms' },
  ];
}

/** Prints a line per figure. Returns true if all reach their aims. */
export const consoleInBrowser: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const site = await createSite(database, options.rows ?? LONG_LIST);
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const proxy = await startHttpsProxy(tessera.url);
  onEnd(proxy.stop);
  const browser = await startChromium(TRUST_ARGUMENT);
  onEnd(() => browser.close());
  const owner = { browser, url: proxy.url, apiUrl: tessera.url, email: site.console.emails.owner };
  const measurements = [
    () => measureSignIn(owner),
    () => measureFirstList(owner, site),
    () => measureRequests(owner, site),
    () => measureReactions(owner, site),
    () => measureIdle(owner, site, options.seconds ?? IDLE_SECONDS),
    () => measureLongList({ ...owner, email: site.longList.ownerEmail }, site.longList),
  ];
  let isReached = true;
  for (const measure of measurements) isReached = printFigures('console', kind, await measure()) && isReached;
  return isReached;
};
