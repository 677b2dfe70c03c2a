/** Pages other than forms, in a browser: without accessibility violations, and usable by keyboard. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test, { suite } from 'node:test';
import type { Page } from 'playwright-core';
import { unsubscribeLinks } from '../../src/features/mail/email-tracking/index.ts';
import { findFaults } from '../harness/axe.ts';
import { sharePage, startBrowser, withoutBrowser } from '../harness/browser.ts';
import { createSentMessage } from '../harness/email-messages.ts';
import { createMailTenant } from '../harness/mail.ts';
import { eventually } from '../harness/poll.ts';
import { createForm, goodAnswers } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const openPage = sharePage(await startBrowser());
const tenant = await app.createTenant();
const mailTenant = createMailTenant(app);
const signUpForm = mailTenant.then(({ api }) =>
  createForm(api, { subscriber_mapping: { enabled: true, double_opt_in: true } }),
);

/** Returns the path of an unsubscribe link of a new message. */
async function unsubscribeLink(): Promise<string> {
  const { tenantId, messageId } = await createSentMessage(app, tenant);
  return new URL(unsubscribeLinks(app.app.platform, tenantId, messageId).url).pathname;
}

/** Returns the path of a link of a mail that asks to confirm a subscription. */
async function confirmationLink(): Promise<string> {
  const address = `new-${randomUUID()}@example.com`;
  const body = { form_code: await signUpForm, email_address: address, form_data: goodAnswers };
  await (await mailTenant).api.post('/api/form_submissions', body);
  const id = await eventually('the mail in the outbox', async () => {
    const { results } = (await app.admin.get(`/admin/outbox?to=${address}`)).body;
    return results[0]?.id;
  });
  const { text } = (await app.admin.get(`/admin/outbox/${id}`)).body;
  return new URL(/https?:\S+\/confirm\/\S+/.exec(text)?.[0] ?? '').pathname;
}

const PAGES: Readonly<Record<string, () => string | Promise<string>>> = {
  'the front page': () => '/',
  'the reference': () => '/docs',
  'the tour': () => '/guides/tour',
  'the specification': () => '/guides/specification/webhooks',
  'the unsubscribe page': unsubscribeLink,
  'the page of a link that was used': async () => {
    const link = await unsubscribeLink();
    await app.anonymous.send('POST', link);
    return link;
  },
  'the page of an altered link': () => '/t/c/altered',
  'the page of an altered unsubscribe link': () => '/u/altered',
  'the page that asks to confirm': confirmationLink,
  'the page of a subscription that is confirmed': async () => {
    const link = await confirmationLink();
    await app.anonymous.send('POST', link);
    return link;
  },
  'the page of an altered link to confirm': () => '/confirm/altered',
  'the page of a form that is not there': () => '/embed/nothing',
  'the page of an address that leads nowhere': () => '/nothing/here',
};

/** Opens a page, the API reference with one of its operations; returns the console messages. */
async function open(page: Page, path: string): Promise<string[]> {
  const messages: string[] = [];
  page.on('console', (message) => {
    // The "not found" page has that status on purpose.
    if (message.type() === 'error' && !message.text().includes('404')) messages.push(message.text());
  });
  page.on('requestfailed', (request) => messages.push(`not loaded: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400 && new URL(response.url()).pathname !== path) messages.push(response.url());
  });
  await page.goto(app.url + path);
  if (path !== '/docs') return messages;
  await page.locator('[data-tag=Transmissions]').click();
  await page.locator('.opblock-post .opblock-summary-control').first().click();
  await page.locator('.responses-wrapper').first().waitFor();
  return messages;
}

suite('pages other than forms, in a browser', { skip: withoutBrowser() }, () => {
  for (const [name, pathOf] of Object.entries(PAGES)) {
    test(`axe finds no violations on ${name}, in light and dark, on a phone and a desktop, and the console is empty`, async () => {
      const path = await pathOf();
      const page = await openPage('about:blank');
      const messages = await open(page, path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 1280]) {
          // For the API reference axe takes a second: each colour and each width once.
          if (path === '/docs' && (width === 390) === (colorScheme === 'dark')) continue;
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await findFaults(page), [], `${colorScheme}, ${width}`);
          const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok(Number(wide) <= 0, `${name} scrolls sideways at ${width}`);
        }
      }
      assert.deepEqual(messages, []);
    });
  }

  test('a recipient unsubscribes and resubscribes by keyboard alone', async () => {
    const page = await openPage(app.url + (await unsubscribeLink()));
    const press = async (button: string, key: string, heading: string) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), button);
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading }).waitFor();
      // The buttons are below the heading and come after it.
      await page.waitForLoadState();
    };
    await press('Unsubscribe', 'Enter', 'You are unsubscribed');
    await press('Subscribe again', 'Space', 'You are subscribed again');
    await press('Unsubscribe', 'Enter', 'Unsubscribe?');
  });

  test('a subscriber confirms a subscription by keyboard, and the page shows it later', async () => {
    const link = await confirmationLink();
    const page = await openPage(app.url + link);
    await page.getByRole('heading', { name: 'Confirm your subscription?' }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Confirm');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your subscription is confirmed' }).waitFor();
    await openPage(app.url + link);
    await page.getByRole('heading', { name: 'Your subscription is confirmed' }).waitFor();
    const { api } = await mailTenant;
    const filters = { active: { operation: 'eq', value: true } };
    const { body } = await api.post('/api/subscribers/list', { page: 1, limit: 100, filters });
    assert.ok(body.results.length > 0);
  });

  test('an unknown URL leads browsers to the front page, and gives API clients the usual error', async () => {
    const page = await openPage('about:blank');
    for (const path of ['/nothing/here', '/docs/nothing']) {
      await page.goto(app.url + path);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      assert.equal((await app.anonymous.get(path, 404)).body.code, 'NOT_FOUND');
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tessera' }).waitFor();
  });

  test('the front page is usable by keyboard: skip the links to the content, or follow them', async () => {
    const page = await openPage(`${app.url}/`);
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to the content');
    const walked: unknown[] = [];
    for (let n = 0; n < 6; n += 1) {
      await page.keyboard.press('Tab');
      walked.push(await focused());
    }
    assert.deepEqual(walked, [
      'Tessera',
      'Guides',
      'API reference',
      'Specification',
      'The console',
      'The tour',
    ]);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/tour#five-minutes$/);
  });
});
