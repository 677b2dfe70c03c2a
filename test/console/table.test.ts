/** The console's table and filter bar: with a list of 10,000 rows in the page of all components, and with members. */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { signInBrowser } from '../harness/browser-session.ts';
import { openWindow } from '../harness/console.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const skip = withoutBrowser();
const tenant = await app.createTenant();
const { cookie } = await signInBrowser(app.anonymous, tenant.ownerEmail);
const FIRST_ROW = /^Newsletter sign-up 1 /;
const LONG_LIST = 'DataTable, FilterBar: 10,000 rows';
/** Rows in the page: those that can be seen, and some above and below. */
const MAX_ROWS = 60;

async function openSignedIn(options: Parameters<typeof openWindow>[1] = {}) {
  const window = await openWindow(browser, { reducedMotion: 'reduce', ...options });
  const [name = '', value = ''] = cookie.split('=');
  await window.page.context().addCookies([{ name, value, url: app.url }]);
  return window;
}

/** Opens the page of components. Returns the part of it with one table. */
async function openPart(name: string, options: Parameters<typeof openWindow>[1] = {}) {
  const { page, faults } = await openSignedIn(options);
  await page.goto(`${app.url}/console/dev/parts`);
  const part = page.locator('div', { has: page.getByRole('heading', { name, level: 3 }) }).last();
  const grid = part.getByRole('grid');
  await part.getByRole('status').first().waitFor({ state: 'attached' });
  return { page, faults, part, grid };
}

/** Returns the focused element: the row of the grid, counted from 1 without the header, and its text. */
const focusOf = (page: Page) =>
  page.evaluate<{ row: number; text: string }>(`(() => {
    const { activeElement } = document;
    const row = activeElement.closest('[role="row"]')?.getAttribute('aria-rowindex');
    return { row: Number(row) - 1, text: activeElement.textContent };
  })()`);

const countRows = (grid: Locator) => grid.getByRole('row').count();

test('a list of 10,000 rows has its total, and few rows in the page', { skip }, async () => {
  const { page, part, grid, faults } = await openPart(LONG_LIST);
  await part.getByText('10,000 forms').waitFor();
  assert.equal(await grid.getAttribute('aria-rowcount'), '10001');
  await grid.getByRole('row', { name: FIRST_ROW }).waitFor();
  assert.ok((await countRows(grid)) <= MAX_ROWS);
  await grid.focus();
  await jumpToEnd(page);
  assert.ok((await countRows(grid)) <= MAX_ROWS);
  assert.deepEqual(faults, []);
});

test('Control and End reach the last row of a list of several pages, and Home the first', {
  skip,
}, async () => {
  const { page, part, grid, faults } = await openPart(LONG_LIST);
  await part.getByRole('searchbox').fill('feedback 1');
  await part.getByText('543 forms').waitFor();
  const last = grid.getByRole('row', { name: 'Webinar feedback 10000' });
  await grid.focus();
  while ((await last.count()) === 0) await jumpToEnd(page);
  assert.ok((await countRows(grid)) <= MAX_ROWS);
  await page.keyboard.press('Control+Home');
  await grid.getByRole('row', { name: /^Webinar feedback 10 / }).waitFor();
  assert.deepEqual(faults, []);
});

/** Goes to the last row that can be scrolled to, and waits until its page is loaded. */
async function jumpToEnd(page: Page): Promise<void> {
  const { row } = await focusOf(page);
  await page.keyboard.press('Control+End');
  // `waitForFunction` would evaluate text in the page, which its policy forbids.
  await eventually('the last row', () =>
    page.evaluate<boolean>(`(() => {
      const focused = document.activeElement.closest('[role="row"]');
      return Boolean(focused?.querySelector('a')) && Number(focused.getAttribute('aria-rowindex')) - 1 > ${row};
    })()`),
  );
}

test('arrow keys, J and K move the focus, and the table is one stop of Tab', { skip }, async () => {
  const { page, part, grid } = await openPart(LONG_LIST);
  await grid.getByRole('row', { name: FIRST_ROW }).waitFor();
  await part.getByRole('button', { name: 'View' }).focus();
  await page.keyboard.press('Tab');
  assert.equal((await focusOf(page)).row, 1);
  await page.keyboard.press('j');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await focusOf(page), { row: 3, text: 'Contact 3' });
  await page.keyboard.press('k');
  assert.deepEqual(await focusOf(page), { row: 2, text: 'Customer survey 2' });
  await page.keyboard.press('ArrowRight');
  assert.deepEqual(await focusOf(page), { row: 2, text: 'Draft' });
  await page.keyboard.press('Tab');
  assert.equal(await grid.evaluate((element) => element.matches(':focus-within')), false);
  await page.keyboard.press('Shift+Tab');
  assert.deepEqual(await focusOf(page), { row: 2, text: 'Draft' });
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate<string>('document.activeElement.ariaLabel'), 'View');
});

test('X and Shift select rows, Escape ends the selection, and all matches can be selected', {
  skip,
}, async () => {
  const { page, part, grid } = await openPart(LONG_LIST);
  await grid.getByRole('row', { name: FIRST_ROW }).waitFor();
  await grid.focus();
  await page.keyboard.press('x');
  await page.keyboard.press('Shift+ArrowDown');
  await part.getByText('2 selected').waitFor();
  await grid.getByRole('checkbox', { name: 'Webinar feedback 5' }).click({ modifiers: ['Shift'] });
  await part.getByText('5 selected').waitFor();
  await part.getByRole('button', { name: 'Select all 10,000' }).click();
  await part.getByRole('button', { name: 'Archive 10,000' }).waitFor();
  await grid.focus();
  await page.keyboard.press('Escape');
  await part.getByText('10,000 selected').waitFor({ state: 'detached' });
});

test('J, K and X move and select across pages, the selection stays, and few rows are in the page', {
  skip,
}, async () => {
  const { page, part, grid, faults } = await openPart(LONG_LIST);
  await grid.getByRole('row', { name: FIRST_ROW }).waitFor();
  await grid.focus();
  for (let number = 1; number <= 12; number += 1) {
    await page.keyboard.press('x');
    await jumpToEnd(page);
    const { row } = await focusOf(page);
    await page.keyboard.press('k');
    await waitForRow(page, row - 1);
    await page.keyboard.press('x');
    await page.keyboard.press('j');
    await waitForRow(page, row);
    await page.keyboard.press('j');
    await waitForRow(page, row + 1);
    await part.getByText(`${2 * number} selected`).waitFor();
    assert.ok((await countRows(grid)) <= MAX_ROWS);
  }
  await page.keyboard.press('Control+Home');
  await waitForRow(page, 1);
  assert.equal(
    await grid.getByRole('checkbox', { name: 'Newsletter sign-up 1', exact: true }).isChecked(),
    true,
  );
  await part.getByText('24 selected').waitFor();
  await page.keyboard.press('x');
  await part.getByText('23 selected').waitFor();
  assert.deepEqual(faults, []);
});

/** Waits until a row, counted from 1 without the header, is loaded and has the focus. */
async function waitForRow(page: Page, row: number): Promise<void> {
  await eventually(`row ${row}`, () =>
    page.evaluate<boolean>(`(() => {
      const focused = document.activeElement.closest('[role="row"]');
      return Boolean(focused?.querySelector('a')) && Number(focused.getAttribute('aria-rowindex')) - 1 === ${row};
    })()`),
  );
}

test('a condition is added, changed and removed by keyboard, and has a text form', { skip }, async () => {
  const { page, part } = await openPart(LONG_LIST);
  await part.getByRole('button', { name: 'Filter', exact: true }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Value').fill('survey 2');
  await page.keyboard.press('Enter');
  await part.getByText('223 forms').waitFor();
  await part.getByRole('button', { name: 'Change the filter: Name contains survey 2' }).focus();
  await page.keyboard.press('Enter');
  await dialog.getByLabel('Value').fill('Survey 20');
  await page.keyboard.press('Enter');
  const chip = part.getByRole('button', { name: 'Change the filter: Name contains Survey 20' });
  await chip.waitFor();
  await part.getByRole('button', { name: 'Filter', exact: true }).click();
  await dialog.getByRole('button', { name: 'Write as text' }).click();
  const text = part.getByLabel('Filter as text');
  assert.equal(await text.inputValue(), 'name contains "Survey 20"');
  await text.fill('stauts is draft');
  await page.keyboard.press('Enter');
  await part.getByText('The list has no field “stauts”.').waitFor();
  await text.fill('status is any of draft and answers between 7919 and 7919');
  await page.keyboard.press('Enter');
  await part.getByText('1 forms').waitFor();
  await part.getByRole('button', { name: 'Remove the filter: Answers is between 7,919 and 7,919' }).click();
  await part.getByText('3,333 forms').waitFor();
});

test('a column is sorted, hidden, moved and made wider', { skip }, async () => {
  const { page, part, grid } = await openPart(LONG_LIST);
  await grid.getByRole('button', { name: 'Answers' }).click();
  await grid
    .getByRole('columnheader', { name: 'Answers' })
    .and(page.locator('[aria-sort="ascending"]'))
    .waitFor();
  await grid.getByRole('button', { name: 'Answers' }).click();
  await grid.getByRole('row', { name: '49,992' }).first().waitFor();
  await part.getByRole('button', { name: 'View' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Status', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Move Created up' }).click();
  await dialog.getByRole('textbox', { name: 'Width of Answers' }).fill('300');
  await page.keyboard.press('Enter');
  await dialog.getByText('Compact').click();
  await page.keyboard.press('Escape');
  const titles = await grid.getByRole('columnheader').allInnerTexts();
  assert.deepEqual(
    titles.filter((title) => title.trim() !== ''),
    ['Name', 'Created', 'Answers', 'Actions'],
  );
  const width = await grid
    .getByRole('columnheader', { name: 'Answers' })
    .evaluate((each) => each.clientWidth);
  assert.equal(width, 300);
  assert.equal(
    await grid
      .getByRole('row')
      .nth(2)
      .evaluate((each) => each.clientHeight),
    27,
  );
});

test('unknown columns, orders and fields of a URL are reported and can be removed', { skip }, async () => {
  const { part, grid } = await openPart('DataTable: unknown parts of a URL');
  await part.getByText('There is no column “gone”. The list cannot be sorted by “gone”.').waitFor();
  await part.getByText('The list has no field “gone”.').waitFor();
  await grid.getByRole('row', { name: 'Contact 3' }).waitFor();
  await part.getByRole('button', { name: 'Remove from view' }).click();
  await part.getByRole('button', { name: 'Remove it' }).click();
  await part.getByText(/gone/).waitFor({ state: 'detached' });
});

test('a list without matches names what limits it, and each limit can be removed', { skip }, async () => {
  const { part, grid } = await openPart('DataTable: no match');
  await part.getByText('Nothing matches').waitFor();
  await part.getByRole('button', { name: 'Remove the search “nothing”' }).click();
  await part.getByRole('button', { name: 'Remove “Status is Failed”' }).click();
  await grid.getByRole('row', { name: FIRST_ROW }).waitFor();
});

test('a list that cannot be read shows why, with the id of the request', { skip }, async () => {
  const { part } = await openPart('DataTable: failed');
  await part.getByText('The server could not read the list.').waitFor();
  await part.getByText('01JDZ8Q5W6F4').waitFor();
  await part.getByRole('button', { name: 'Try again' }).waitFor();
});

test('on a phone rows are cards that scroll with the page, and the view sorts them', { skip }, async () => {
  const { page, part, grid } = await openPart(LONG_LIST, { viewport: { width: 390, height: 844 } });
  await grid.getByRole('row', { name: FIRST_ROW }).waitFor();
  assert.equal(await grid.evaluate((each) => each.scrollHeight > each.clientHeight + 1), false);
  await part.getByRole('button', { name: 'View' }).click();
  await page.getByRole('button', { name: /Sort by/ }).click();
  await page.getByRole('option', { name: 'Answers, descending' }).click();
  await page.keyboard.press('Escape');
  await grid.getByRole('row', { name: '49,992' }).first().waitFor();
  assert.ok((await countRows(grid)) <= MAX_ROWS);
});

test('members are found, sorted and opened, and the URL keeps it all', { skip }, async () => {
  const names = ['Ada Lovelace', 'Grace Hopper'];
  for (const name of names) await createMember(tenant, [], { name });
  const { page, faults } = await openSignedIn();
  const list = `${app.url}/console/t/${tenant.code}/settings/members`;
  await page.goto(`${list}?columns=name,gone&sort=created_at`);
  const grid = page.getByRole('grid', { name: 'Members' });
  await page.getByText('3 members').waitFor();
  await page.getByText('There is no column “gone”.').waitFor();
  assert.match((await grid.getByRole('row').nth(1).textContent()) ?? '', /Owner/);
  await page.getByRole('button', { name: 'Remove from view' }).click();
  await page.waitForURL((url) => url.searchParams.get('columns') === 'name');
  await page.getByRole('searchbox').fill('hopper');
  await page.getByText('1 member', { exact: true }).waitFor();
  await page.reload();
  await page.getByText('1 member', { exact: true }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await grid.focus();
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Grace Hopper' }).waitFor();
  assert.deepEqual(faults, []);
});
