/** The guides in a browser: reading, searching, on a phone, in both themes. */
import assert from 'node:assert/strict';
import test, { afterEach, suite } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
/** Console messages of all pages, such as violations of the content security policy. */
const reports: string[] = [];
const PHONE = { width: 390, height: 844 };

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  assert.ok(browser);
  const page = await browser.newPage(options);
  page.on('console', (message) => {
    if (message.type() === 'error') reports.push(`${path}: ${message.text()}`);
  });
  page.on('pageerror', (error) => reports.push(`${path}: ${error}`));
  page.on('request', (request) => {
    if (!/^data:/.test(request.url()) && !request.url().startsWith(`${app.url}/`))
      reports.push(`${path} asks ${request.url()}`);
  });
  await page.goto(app.url + path);
  return page;
}

suite('the guides in a browser', { skip: withoutBrowser() }, () => {
  afterEach(async () => {
    await Promise.all(browser?.contexts().map((context) => context.close()) ?? []);
    assert.deepEqual(reports.splice(0), []);
  });

  test('the keyboard opens the search, and a result leads to its section', async () => {
    const page = await open('/guides');
    await page.keyboard.press('/');
    const field = page.getByRole('searchbox', { name: 'Search the guides' });
    await field.waitFor();
    await page.keyboard.type('recieving submissions webhook');
    await page.getByText(/\d+ sections? found/).waitFor();
    await field.fill('rotate SECRET_KEY');
    await page.getByRole('link', { name: /^Operating › Rotate the key/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.equal(await field.evaluate('document.activeElement.type'), 'search');
    await page.getByRole('link', { name: /^Operating › Rotate the key/ }).press('Enter');
    await page.waitForURL(`${app.url}/guides/operating#rotate-the-key`);
    await page.getByRole('heading', { level: 3, name: 'Rotate the key' }).waitFor();
    assert.equal(await page.locator('dialog').isVisible(), false);
  });

  test('a search without results says so', async () => {
    const page = await open(`/guides?q=${encodeURIComponent('<script>zzzqqq')}`);
    await page.getByText('Nothing found for “<script>zzzqqq”').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('dialog').isVisible(), false);
  });

  test('the search of the front page opens the guides with its query', async () => {
    const page = await open('/');
    await page.getByLabel('Search the guides').fill('suppression');
    await page.keyboard.press('Enter');
    await page.getByText(/\d+ sections found/).waitFor();
    assert.equal(await page.getByRole('searchbox').inputValue(), 'suppression');
  });

  test('axe finds no violations on the overview, in a guide and in the search, light and dark', async () => {
    const views = [
      { colorScheme: 'light', viewport: PHONE },
      { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
    ] as const;
    for (const view of views) {
      const page = await open('/guides', view);
      assert.deepEqual(await findFaults(page), [], `overview, ${view.colorScheme}`);
      await page.goto(`${app.url}/guides/webhooks`);
      assert.deepEqual(await findFaults(page), [], `guide, ${view.colorScheme}`);
      await page.keyboard.press('Control+k');
      await page.getByRole('searchbox').fill('webhook');
      await page.getByText(/\d+ sections found/).waitFor();
      assert.deepEqual(await findFaults(page), [], `search, ${view.colorScheme}`);
    }
  });

  test('the reader chooses the theme, and other pages remember it', async () => {
    const page = await open('/guides', { colorScheme: 'light' });
    const background = () => page.evaluate('getComputedStyle(document.documentElement).backgroundColor');
    const light = await background();
    await page.getByRole('button', { name: 'Dark theme' }).click();
    const dark = await background();
    assert.notEqual(dark, light);
    await page.goto(`${app.url}/guides/forms`);
    assert.equal(await background(), dark);
    const button = page.getByRole('button', { name: 'Dark theme' });
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await button.click();
    assert.equal(await background(), light);
  });

  test('on a phone a button opens the navigation, and no page is wider than the screen', async () => {
    const page = await open('/guides', { viewport: PHONE });
    for (const path of [
      'guides',
      'guides/tour',
      'guides/errors',
      'guides/operating',
      'guides/specification/email-events',
    ]) {
      await page.goto(`${app.url}/${path}`);
      assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0, path);
    }
    const link = page
      .getByRole('navigation', { name: 'Guides' })
      .getByRole('link', { name: 'Journeys' })
      .first();
    assert.equal(await link.isVisible(), false);
    await page.getByRole('button', { name: 'All guides' }).click();
    await link.click();
    await page.waitForURL(`${app.url}/guides/journeys`);
  });

  test('a code block is copied exactly', async () => {
    const page = await open('/guides/forms', { permissions: ['clipboard-read', 'clipboard-write'] });
    const block = page.locator('.code', { hasText: '"reply_to_respondent"' });
    await block.hover();
    await block.getByRole('button', { name: 'Copy' }).click();
    await block.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    assert.deepEqual(JSON.parse(copied), {
      notify: { emails: ['team@example.org'], reply_to_respondent: true },
    });
  });

  test('the table of contents marks the visible section', async () => {
    const page = await open('/guides/operating#backups', { viewport: { width: 1440, height: 900 } });
    const contents = page.getByRole('navigation', { name: 'On this page' });
    await contents.locator('[aria-current]', { hasText: 'Backups' }).waitFor();
  });

  test('without scripts the pages are readable and offer nothing that does not work', async () => {
    const page = await open('/guides/forms', { javaScriptEnabled: false });
    await page.getByRole('heading', { level: 1, name: 'Forms' }).waitFor();
    assert.equal(await page.locator('.search-button').isVisible(), false);
    assert.equal(await page.locator('.theme').isVisible(), false);
  });
});
