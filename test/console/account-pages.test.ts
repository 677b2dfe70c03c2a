/** The pages about accounts: accessible, without overflow and readable from right to left, in all their states. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindow, signIn } from '../harness/console.ts';
import { mailsTo } from '../harness/mail.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { PASSWORD, startOwnApp, type TestTenant } from '../harness/test-app.ts';

const skip = withoutBrowser();
const relay = await startRelay();
const app = await startOwnApp({ SMTP_URL: relay.url, RATE_LIMITS: 'on' });
const tenant = await app.createTenant();
const other = await app.createTenant();
const browser = await startBrowser();
const EXCESS_WIDTH = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
const NEW_PASSWORD = 'a long sentence for a password';

/** Opens a page in a window of its own. */
async function open(path: string): Promise<Page> {
  const { page } = await openWindow(browser);
  await page.goto(app.url + path);
  return page;
}

/** Checks a state of a page in both themes, on a phone and a desktop, and in the other direction. */
async function check(page: Page, heading: string): Promise<void> {
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [390, 1440]) {
      await page.emulateMedia({ colorScheme });
      await page.setViewportSize({ width, height: 900 });
      assert.deepEqual(await findFaults(page), [], `${heading}, ${colorScheme}, ${width} px`);
      assert.equal(await page.evaluate<number>(EXCESS_WIDTH), 0, `${heading}, ${width} px`);
    }
  await page.setViewportSize({ width: 390, height: 900 });
  await page.evaluate("document.documentElement.dir = 'rtl'");
  assert.equal(await page.evaluate<number>(EXCESS_WIDTH), 0, `${heading}, right to left`);
  const start = await page.evaluate<number>(
    "innerWidth - Math.max(...[...document.querySelectorAll('h1, label, input')].map((each) => each.getBoundingClientRect().right))",
  );
  assert.ok(start <= 24, `${heading} begins ${start} px from the right`);
  await page.evaluate("document.documentElement.dir = 'ltr'");
}

/** Fills in the form and sends it, also if the browser would refuse its content. */
async function send(page: Page, fields: Readonly<Record<string, string>> = {}): Promise<void> {
  await page.evaluate("document.querySelector('form').noValidate = true");
  for (const [name, value] of Object.entries(fields)) await page.locator(`input[name=${name}]`).fill(value);
  await page.locator('form button').click();
}

const alert = (page: Page, text: RegExp) => page.getByRole('alert').getByText(text).waitFor();

/** Waits for a mail; returns the path of the link in it. */
async function linkIn(email: string, pattern: RegExp): Promise<string> {
  const mail = await eventually('the mail', async () => (await mailsTo(relay, email)).at(-1) ?? null);
  const [path = ''] = pattern.exec(mail.text ?? '') ?? [];
  assert.notEqual(path, '');
  return path;
}

/** Invites a user; returns the path of the link in the mail. */
async function invite(email: string, { api }: TestTenant = tenant): Promise<string> {
  await api.post('/api/client/v1/memberships', { email, name: 'Invited', invite: true });
  return linkIn(email, /\/console\/invitation\/[\w-]+/);
}

test('setting a new password is accessible in all its states', { skip }, async () => {
  const { email } = await createMember(tenant, []);
  const asking = await open('/console/forgot-password');
  await check(asking, 'Forgot password?');
  await send(asking, { email });
  await check(asking, 'Check your mail');
  const page = await open(await linkIn(email, /\/console\/reset\/[\w.-]+/));
  await check(page, 'Set a new password');
  await send(page, { password: 'short' });
  await alert(page, /Too short/);
  await check(page, 'Set a new password');
  await send(page, { password: NEW_PASSWORD });
  await check(page, 'Your new password is saved');
  await check(await open('/console/reset/none'), 'This link is no longer valid');
});

test('the invitation of a new user is accessible in all its states', { skip }, async () => {
  const path = await invite(`i${randomUUID()}@example.com`);
  const page = await open(path);
  await check(page, 'Join Tenant');
  await send(page, { name: '', password: 'short' });
  await alert(page, /Too short/);
  await check(page, 'Join Tenant');
  await check(await open('/console/invitation/none'), 'This invitation is no longer valid');
});

test('the invitation of a user with an account is accessible in all its states', { skip }, async () => {
  const { email } = await createMember(other, []);
  const path = await invite(email);
  const page = await open(path);
  await check(page, 'Join Tenant');
  await send(page, { password: 'not the password' });
  await alert(page, /Incorrect password/);
  await check(page, 'Join Tenant');
  await signIn(page, app.url, { email });
  await page.goto(app.url + path);
  await page.getByText('You are signed in with this address.').waitFor();
  await check(page, 'Join Tenant');
});

test('after too many requests for a link the page says how long to wait', { skip }, async () => {
  const page = await open('/console/forgot-password');
  for (let count = 0; count < 30; count += 1)
    await app.anonymous.send('POST', '/console/forgot-password', {
      rawBody: 'email=nobody%40example.com',
      headers: { 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    });
  await send(page, { email: 'ada@example.com' });
  await alert(page, /Too many attempts\. Try again in \d+ minutes\./);
  assert.equal(await page.locator('input[name=email]').inputValue(), 'ada@example.com');
  await check(page, 'Forgot password?');
});

test('Tab leads from the address to the password and the button, and only then to the forgotten password', {
  skip,
}, async () => {
  const page = await open('/console/sign-in');
  const order: string[] = [];
  for (let count = 0; count < 5; count += 1) {
    order.push(
      await page.evaluate<string>('document.activeElement.name || document.activeElement.textContent'),
    );
    await page.keyboard.press('Tab');
  }
  assert.deepEqual(order, ['email', 'password', 'remember', 'Sign in', 'Forgot password?']);
  const positions = await page.evaluate<number[]>(
    "[...document.querySelectorAll('input:not([type=hidden]), button, a')].map((each) => each.getBoundingClientRect().top)",
  );
  assert.deepEqual(
    positions,
    positions.toSorted((a, b) => a - b),
  );
});

// The last test: afterwards nobody can sign in from this network.
test('signing in is accessible in all its states', { skip }, async () => {
  const { email } = await createMember(other, []);
  const invitation = await invite(email);
  const page = await open('/console/sign-in');
  await check(page, 'Sign in');
  await send(page, { email: tenant.ownerEmail, password: 'not the password' });
  await alert(page, /Incorrect email address or password\./);
  await check(page, 'Sign in');
  await eventually('the limit', async () => {
    const { status } = await app.anonymous.send('POST', '/auth/session', {
      body: { email: tenant.ownerEmail, password: 'not the password' },
      headers: { 'sec-fetch-site': 'same-origin' },
    });
    return status === 429;
  });
  await send(page, { email: tenant.ownerEmail, password: PASSWORD });
  await alert(page, /Too many attempts\. Try again in \d+ minutes\./);
  await check(page, 'Sign in');
  const joining = await open(invitation);
  await send(joining, { password: PASSWORD });
  await alert(joining, /Too many attempts\. Try again in \d+ minutes\./);
  await check(joining, 'Join Tenant');
});
