/** The pages that are no forms, in a browser: nothing for axe to find, and everything within reach of the keyboard. */
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
const lead = sharePage(await startBrowser());
const tenant = await app.createTenant();
const mailTenant = createMailTenant(app);
const signUpForm = mailTenant.then(({ api }) =>
  createForm(api, { subscriber_mapping: { enabled: true, double_opt_in: true } }),
);

/** The path of an unsubscribe link of a message of its own. */
async function unsubscribeLink(): Promise<string> {
  const { tenantId, messageId } = await createSentMessage(app, tenant);
  return new URL(unsubscribeLinks(app.app.platform, tenantId, messageId).url).pathname;
}

/** The path of a link of a mail that asks somebody to confirm a subscription. */
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

/** Opens a page, the reference with one of its operations; gives what the console said of it. */
async function open(page: Page, path: string): Promise<string[]> {
  const said: string[] = [];
  page.on('console', (message) => {
    // That the page itself is "not found" is what it says.
    if (message.type() === 'error' && !message.text().includes('404')) said.push(message.text());
  });
  page.on('requestfailed', (request) => said.push(`not loaded: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400 && new URL(response.url()).pathname !== path) said.push(response.url());
  });
  await page.goto(app.url + path);
  if (path !== '/docs') return said;
  await page.locator('[data-tag=Transmissions]').click();
  await page.locator('.opblock-post .opblock-summary-control').first().click();
  await page.locator('.responses-wrapper').first().waitFor();
  return said;
}

suite('pages that are no forms, in a browser', { skip: withoutBrowser() }, () => {
  for (const [name, pathOf] of Object.entries(PAGES)) {
    test(`axe finds nothing on ${name}, in light and dark, on a phone and a desk, and the console is quiet`, async () => {
      const path = await pathOf();
      const page = await lead('about:blank');
      const said = await open(page, path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [390, 1280]) {
          // For the reference axe takes a second: each colour and each width once.
          if (path === '/docs' && (width === 390) === (colorScheme === 'dark')) continue;
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await findFaults(page), [], `${colorScheme}, ${width}`);
          const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok(Number(wide) <= 0, `${name} scrolls sideways at ${width}`);
        }
      }
      assert.deepEqual(said, []);
    });
  }

  test('a recipient unsubscribes and comes back by keyboard alone', async () => {
    const page = await lead(app.url + (await unsubscribeLink()));
    const press = async (button: string, key: string, heading: string) => {
      await page.keyboard.press('Tab');
      assert.equal(await page.evaluate('document.activeElement.textContent'), button);
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading }).waitFor();
      // The buttons stand below the heading, and come after it.
      await page.waitForLoadState();
    };
    await press('Unsubscribe', 'Enter', 'You are unsubscribed');
    await press('Subscribe again', 'Space', 'You are subscribed again');
    await press('Unsubscribe', 'Enter', 'Unsubscribe?');
  });

  test('somebody confirms a subscription by keyboard, and finds it confirmed later', async () => {
    const link = await confirmationLink();
    const page = await lead(app.url + link);
    await page.getByRole('heading', { name: 'Confirm your subscription?' }).waitFor();
    await page.keyboard.press('Tab');
    assert.equal(await page.evaluate('document.activeElement.textContent'), 'Confirm');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Your subscription is confirmed' }).waitFor();
    await lead(app.url + link);
    await page.getByRole('heading', { name: 'Your subscription is confirmed' }).waitFor();
    const { api } = await mailTenant;
    const filters = { active: { operation: 'eq', value: true } };
    const { body } = await api.post('/api/subscribers/list', { page: 1, limit: 100, filters });
    assert.ok(body.results.length > 0);
  });

  test('an address that leads nowhere leads people to the front page, and tells programs as ever', async () => {
    const page = await lead('about:blank');
    for (const path of ['/nothing/here', '/docs/nothing']) {
      await page.goto(app.url + path);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      assert.equal((await app.anonymous.get(path, 404)).body.code, 'NOT_FOUND');
    }
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Tessera' }).waitFor();
  });

  test('the front page is walked by keyboard: past the links to the content, or along them', async () => {
    const page = await lead(`${app.url}/`);
    const focused = () => page.evaluate('document.activeElement.textContent.trim()');
    await page.keyboard.press('Tab');
    assert.equal(await focused(), 'Skip to the content');
    const walked: unknown[] = [];
    for (let n = 0; n < 5; n += 1) {
      await page.keyboard.press('Tab');
      walked.push(await focused());
    }
    assert.deepEqual(walked, ['Tessera', 'Guides', 'API reference', 'Specification', 'The tour']);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/guides\/tour#five-minutes$/);
  });
});
