/** The console's list of deliveries with many rows: how fast keys and pages react, and the memory that pages take. */
import type { Page } from 'playwright-core';
import { createClient } from '../test/harness/client.ts';
import { createForm } from '../test/harness/sample-forms.ts';
import { createWebhook } from '../test/harness/submission-load.ts';
import { createTenant, type TestTenant } from '../test/harness/test-app.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import {
  type ConsoleBrowser,
  DESKTOP,
  HAS_ROWS,
  heapBytes,
  openConsolePage,
  openSignedIn,
  reactionTo,
  timeList,
  timeUntil,
  waitUntil,
} from './harness/console-page.ts';
import { type Figure, printFigures } from './harness/figures.ts';
import { startHttpsProxy, TRUST_ARGUMENT } from './harness/https-proxy.ts';
import type { Bench } from './harness/options.ts';
import { median, startChromium } from './harness/slow-browser.ts';

const DELIVERIES = 1_000_000;
const PAGES = 100;
const ROUNDS = 5;
/** Presses of J without a pause on each page. */
const STEPS = 10;
const MEGABYTE = 1_000_000;
/** Rows of a table in the page; the header is another. */
const MAX_ROWS = 61;

const GRID = "document.querySelector('[role=grid]')";
const FOCUSED = "document.activeElement.closest('[role=row]')";
const ROW = `Number(${FOCUSED}?.ariaRowIndex)`;
const IS_LOADED = `${FOCUSED}?.querySelector('a')`;
const ROW_COUNT = `Number(${GRID}?.ariaRowCount)`;
const IS_SETTLED = `${GRID}?.ariaBusy === 'false'`;

/** Creates a tenant with a webhook and deliveries of the last 28 days; every hundredth has failed. */
async function createSite(database: BenchDatabase, rows: number): Promise<TestTenant> {
  const tessera = await startTessera(database.env);
  const admin = createClient(tessera.url, { authorization: `Bearer ${database.env.ADMIN_TOKEN}` });
  const tenant = await createTenant(tessera.url, admin);
  const formCode = await createForm(tenant.api, { name: 'Contact' });
  const webhookId = await createWebhook(tenant.api, formCode, 'https://shop.example/');
  await tessera.stop();
  await database.asOwner(async (client) => {
    await client.query(
      `insert into webhook_deliveries (tenant_id, id, target_id, submission_id, state, due_at, attempts, last_status_code,
         last_error, created_at)
       select $1::uuid, tessera_uuidv7(at), $2::uuid, tessera_uuidv7(at),
         case when n % 100 = 0 then 'failed' else 'success' end, at, case when n % 100 = 0 then 5 else 1 end,
         case when n % 100 = 0 then 500 else 200 end, case when n % 100 = 0 then 'status 500' end, at
       from (select n, now() - n * interval '28 days' / $3::int as at from generate_series(1, $3::int) n) numbered`,
      [tenant.tenantId, webhookId, rows],
    );
    await client.query('vacuum analyze');
  });
  return tenant;
}

/** The list until its rows are there. */
async function measureList(owner: ConsoleBrowser, url: string): Promise<Figure[]> {
  const { cold, warm } = await timeList(owner, url, false);
  return [
    { name: 'list, cold', value: cold, aim: 800, unit: 'ms' },
    { name: 'list, warm', value: warm, aim: 400, unit: 'ms' },
  ];
}

/** A filter that a chip's removal ends, and a row that is opened. */
async function measureInputs(owner: ConsoleBrowser, url: string, rows: number): Promise<Figure[]> {
  const context = await openSignedIn(owner, DESKTOP);
  const page = await openConsolePage(context, false);
  await timeUntil(page, `${url}?filter=status+is+failed`, `${HAS_ROWS} && ${IS_SETTLED}`);
  await page.waitForLoadState('networkidle');
  const [filter, all, open]: [number[], number[], number[]] = [[], [], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    const removal = page.getByRole('button', { name: /^Remove the filter/ });
    const isWhole = `${IS_SETTLED} && ${ROW_COUNT} > ${rows / 2}`;
    all.push((await reactionTo(page, () => removal.click(), isWhole)).ms);
    await page.getByRole('button', { name: 'Filter', exact: true }).click();
    const form = page.getByRole('form', { name: 'Condition' });
    await form.getByRole('button', { name: /Value/ }).click();
    await page.getByRole('option', { name: 'Failed', exact: true }).click();
    const isFiltered = `${IS_SETTLED} && ${ROW_COUNT} < ${rows / 2}`;
    const apply = form.getByRole('button', { name: 'Apply' });
    filter.push((await reactionTo(page, () => apply.click(), isFiltered)).ms);
    const isOpen = `document.querySelector('h1')?.textContent.startsWith('Delivery to')`;
    const link = page.getByRole('grid').getByRole('link').first();
    open.push((await reactionTo(page, () => link.click(), isOpen)).ms);
    await page.goBack();
    await waitUntil(page, `${HAS_ROWS} && ${IS_SETTLED}`);
  }
  await context.close();
  return [
    { name: 'filter', value: median(filter), aim: 300, unit: 'ms' },
    { name: 'filter removed', value: median(all), aim: 300, unit: 'ms' },
    { name: 'open a row', value: median(open), aim: 300, unit: 'ms' },
  ];
}

/** Returns the time until a key has its effect. */
async function timeOf(page: Page, key: string, isDone: string): Promise<number> {
  return (await reactionTo(page, () => page.keyboard.press(key), isDone)).ms;
}

/** Pages one after the other, each with J, K and X on its rows. */
async function measurePages(owner: ConsoleBrowser, url: string): Promise<Figure[]> {
  const context = await openSignedIn(owner, DESKTOP);
  const page = await openConsolePage(context, false);
  await timeUntil(page, url, HAS_ROWS);
  await page.waitForLoadState('networkidle');
  const before = await heapBytes(page);
  await page.getByRole('grid').focus();
  const times: Record<'next' | 'j' | 'k' | 'x', number[]> = { next: [], j: [], k: [], x: [] };
  let most = 0;
  for (let index = 1; index < PAGES; index += 1) {
    const start = await page.evaluate<number>(ROW);
    times.next.push(await timeOf(page, 'Control+End', `${ROW} > ${start} && ${IS_LOADED}`));
    const last = await page.evaluate<number>(ROW);
    times.k.push(await timeOf(page, 'k', `${ROW} === ${last - 1} && ${IS_LOADED}`));
    times.x.push(await timeOf(page, 'x', `${FOCUSED}.ariaSelected === 'true'`));
    times.j.push(await timeOf(page, 'j', `${ROW} === ${last} && ${IS_LOADED}`));
    for (let step = 1; step <= STEPS; step += 1)
      times.j.push(await timeOf(page, 'j', `${ROW} === ${last + step} && ${IS_LOADED}`));
    most = Math.max(most, await page.evaluate<number>(`${GRID}.querySelectorAll('[role=row]').length`));
  }
  const after = await heapBytes(page);
  const selected = await page.getByText(`${PAGES - 1} selected`).count();
  await context.close();
  return [
    { name: 'next page', value: median(times.next), aim: 300, unit: 'ms' },
    { name: 'next page, slowest', value: Math.max(...times.next), aim: 300, unit: 'ms' },
    ...(['j', 'k', 'x'] as const).flatMap((key) => [
      { name: key.toUpperCase(), value: median(times[key]), aim: 100, unit: 'ms' },
    ]),
    { name: `${PAGES} pages, heap`, value: (after - before) / MEGABYTE, aim: 20, unit: 'MB' },
    { name: 'rows in the page', value: most, aim: MAX_ROWS, unit: '' },
    { name: 'selected rows that were lost', value: selected === 1 ? 0 : PAGES - 1, aim: 0, unit: '' },
  ];
}

/** Prints a line per figure. Returns true if all reach their aims. */
export const deliveriesInConsole: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const rows = options.rows ?? DELIVERIES;
  const { code, ownerEmail } = await createSite(database, rows);
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const proxy = await startHttpsProxy(tessera.url);
  onEnd(proxy.stop);
  const browser = await startChromium(TRUST_ARGUMENT);
  onEnd(() => browser.close());
  const owner = { browser, url: proxy.url, apiUrl: tessera.url, email: ownerEmail };
  const url = `${proxy.url}/console/t/${code}/connections/deliveries`;
  const measurements = [
    () => measureList(owner, url),
    () => measureInputs(owner, url, rows),
    () => measurePages(owner, url),
  ];
  let isReached = true;
  for (const measure of measurements)
    isReached = printFigures('console-deliveries', kind, await measure()) && isReached;
  return isReached;
};
