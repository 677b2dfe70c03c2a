/**
 * Foreign HTML in the console: it looks as its author meant, and reaches nothing
 * (docs/specification/console.md#serving).
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import type { Frame, Page } from 'playwright-core';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { signInBrowser } from '../harness/browser-session.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp } from '../harness/test-app.ts';

const skip = withoutBrowser();
const app = await startTestApp();
const { ownerEmail } = await app.createTenant();
const { cookie } = await signInBrowser(app.anonymous, ownerEmail);
const browser = await startBrowser();

/** The page with all components, and the addresses that it and its frames request. */
async function openParts(): Promise<{ readonly page: Page; readonly requests: readonly string[] }> {
  assert.ok(browser);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const [name = '', value = ''] = cookie.split('=');
  await context.addCookies([{ name, value, url: app.url }]);
  const page = await context.newPage();
  const requests: string[] = [];
  context.on('request', (request) => requests.push(request.url()));
  await page.goto(`${app.url}/console/dev/parts`);
  return { page, requests };
}

/** Waits until a frame shows this text, and returns it. */
async function findFrame(page: Page, title: string, text: string): Promise<Frame> {
  const element = page.getByTitle(title);
  await page.frameLocator(`iframe[title="${title}"]`).getByText(text).waitFor();
  const frame = await (await element.elementHandle())?.contentFrame();
  assert.ok(frame);
  return frame;
}

const heightOf = async (page: Page, title: string) =>
  (await page.getByTitle(title).boundingBox())?.height ?? 0;

/** Returns true if the frame of the newsletter is as high as its content. */
async function fitsContent(page: Page, frame: Frame): Promise<boolean> {
  const height = await frame.evaluate<number>(
    'Math.ceil(document.documentElement.getBoundingClientRect().height)',
  );
  return (await heightOf(page, 'Newsletter')) === height;
}

test('the frame allows one script, no origin and any images', async () => {
  const { headers, text } = await app.anonymous.get('/console/frame');
  const [, nonce = ''] = /<script defer nonce="([\w-]{22})" src="[^"]+\/frame-\w+\.js">/.exec(text) ?? [];
  assert.equal(
    headers.get('content-security-policy'),
    `sandbox allow-scripts; default-src 'none'; script-src 'nonce-${nonce}'; style-src 'unsafe-inline'; img-src * data:; frame-ancestors 'self'`,
  );
  assert.equal(headers.get('referrer-policy'), 'no-referrer');
});

test('a mail keeps its styles', { skip }, async () => {
  const { page } = await openParts();
  const frame = await findFrame(page, 'Newsletter', 'Autumn at the bakery');
  const colorOf = (selector: string) =>
    frame.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).backgroundColor`);
  assert.equal(await colorOf('body'), 'rgb(253, 246, 236)');
  assert.equal(await colorOf('.button'), 'rgb(138, 59, 18)');
  assert.equal(
    await frame.evaluate<string>("getComputedStyle(document.querySelector('td')).padding"),
    '12px',
  );
  await page.context().close();
});

test('the frame is as high as its content, also when that gets shorter', { skip }, async () => {
  const { page } = await openParts();
  const frame = await findFrame(page, 'Newsletter', 'Autumn at the bakery');
  const fits = () => fitsContent(page, frame);
  await eventually('the frame to fit', fits);
  const short = await heightOf(page, 'Newsletter');
  await page.getByRole('button', { name: 'Long mail' }).press('Enter');
  await eventually('the frame to grow', async () => (await heightOf(page, 'Newsletter')) > short + 500);
  await eventually('the long frame to fit', fits);
  await page.getByRole('button', { name: 'Short mail' }).press('Enter');
  await eventually('the frame to shrink', async () => (await heightOf(page, 'Newsletter')) === short);
  await page.context().close();
});

test('links lead nowhere; the page learns which one was clicked', { skip }, async () => {
  const { page, requests } = await openParts();
  const frame = await findFrame(page, 'Newsletter', 'Autumn at the bakery');
  // A click while the frame grows would hit something else.
  await eventually('the frame to fit', () => fitsContent(page, frame));
  await frame.getByRole('link', { name: 'See the loaves' }).click();
  await page.getByText('Clicked: https://shop.example/autumn').waitFor();
  await frame.getByRole('link', { name: 'See the loaves' }).click({ modifiers: ['ControlOrMeta'] });
  await frame.getByText('New loaves').click();
  await page.getByText('Clicked: no link').waitFor();
  assert.equal(page.context().pages().length, 1);
  assert.match(frame.url(), /\/console\/frame$/);
  assert.deepEqual(
    requests.filter((url) => url.includes('shop.example')),
    [],
  );
  await page.context().close();
});

test('hostile HTML runs nothing, leads nowhere and does not reach the page around it', { skip }, async () => {
  const { page, requests } = await openParts();
  const frame = await findFrame(page, 'Hostile mail', 'You have won.');
  for (const name of ['Claim it', 'Or here']) await frame.getByText(name).click();
  await frame.getByRole('button', { name: 'Send' }).click();
  await frame.getByText('You have won.').click();
  assert.match(frame.url(), /\/console\/frame$/);
  assert.match(page.url(), /\/console\/dev\/parts$/);
  assert.notEqual(await page.title(), 'Taken over');
  assert.equal(await frame.evaluate('self.origin'), 'null');
  assert.equal(
    await frame.evaluate("document.querySelectorAll('script, iframe, meta, base, link').length"),
    0,
  );
  assert.deepEqual(
    requests.filter((url) => url.includes('evil.example')),
    [],
  );
  await page.context().close();
});

test('the policy of the frame stops scripts and access to the console by itself', { skip }, async () => {
  const { page } = await openParts();
  const frame = await findFrame(page, 'Hostile mail', 'You have won.');
  const reach = (expression: string) =>
    frame.evaluate<string>(
      `(() => { try { ${expression}; return 'reached' } catch (error) { return error.name } })()`,
    );
  assert.equal(await reach('parent.document.title'), 'SecurityError');
  assert.equal(await reach('document.cookie'), 'SecurityError');
  assert.equal(await reach('localStorage.length'), 'SecurityError');
  await frame.evaluate(`new Promise((resolve) => {
    document.addEventListener('securitypolicyviolation', resolve, { once: true });
    const script = document.createElement('script');
    script.textContent = "document.body.textContent = 'Taken over'";
    document.body.append(script);
  })`);
  await frame.getByText('You have won.').waitFor();
  assert.equal(
    await frame.evaluate("fetch('/auth/session').then(() => 'reached', () => 'stopped')"),
    'stopped',
  );
  await page.context().close();
});
