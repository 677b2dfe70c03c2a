import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { ParsedMail } from 'mailparser';
import { findFaults } from '../../../../test/harness/axe.ts';
import { sharePage, startBrowser, withoutBrowser } from '../../../../test/harness/browser.ts';
import { mailsTo } from '../../../../test/harness/mail.ts';
import { createMember, signIn } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startRelay } from '../../../../test/harness/relay.ts';
import { PASSWORD, startOwnApp } from '../../../../test/harness/test-app.ts';

const HOUR_MS = 60 * 60 * 1000;
const NEW = 'another sentence, just as long';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** How far the app's clock is ahead, in ms. */
let ahead = 0;
const relay = await startRelay();
const env = {
  SMTP_URL: relay.url,
  RATE_LIMITS: 'on',
  SYSTEM_MAIL_FROM: 'Acme Console <console@acme.example>',
  PUBLIC_URL: 'https://acme.example/x',
};
const app = await startOwnApp(env, { clock: () => new Date(Date.now() + ahead) });
const tenant = await app.createTenant();
const browser = await startBrowser();
const openPage = sharePage(browser);

const ask = (email: string) => app.anonymous.post('/auth/password-resets', { email });
const login = (email: string, password: string) =>
  app.anonymous.send('POST', '/auth/login', { body: { email, password, tenant_code: tenant.code } });
const submit = (path: string, password: string) =>
  app.anonymous.send('POST', path, { rawBody: new URLSearchParams({ password }).toString(), headers: FORM });

/** Waits for `count` mails to an address; returns them. */
const mailsAt = (address: string, count: number): Promise<ParsedMail[]> =>
  eventually('the mail', async () => {
    const mails = await mailsTo(relay, address);
    return mails.length >= count ? mails : null;
  });

/** Waits for `count` mails to an address; returns the token in the newest. */
async function tokenAt(address: string, count = 1): Promise<string> {
  const mail = (await mailsAt(address, count)).at(-1);
  const [, token = ''] = /https:\/\/acme\.example\/x\/console\/reset\/([\w.-]+)/.exec(mail?.text ?? '') ?? [];
  assert.notEqual(token, '');
  return token;
}

/** Creates a member who has requested a link; returns its token. */
async function createAsker() {
  const member = await createMember(tenant, []);
  await ask(member.email);
  return { ...member, token: await tokenAt(member.email) };
}

test('a user sets a new password through the link of a mail, and their sessions end', async () => {
  const { email } = await createMember(tenant, []);
  const { refreshToken } = await signIn(tenant.api, email);
  assert.deepEqual((await ask(email.toUpperCase())).body, { success: true });
  const token = await tokenAt(email);
  const path = `/auth/password-resets/${token}`;
  assert.deepEqual((await app.anonymous.get(path)).body, { email_hint: 'm•••@example.com' });
  assert.equal((await login(email, PASSWORD)).status, 200);
  assert.equal((await app.anonymous.post(path, { password: 'short' }, 400)).body.code, 'INVALID_REQUEST');
  assert.deepEqual((await app.anonymous.post(path, { password: NEW })).body, { success: true });
  assert.equal((await login(email, PASSWORD)).status, 401);
  assert.equal((await login(email, NEW)).status, 200);
  await app.anonymous.post('/auth/refresh', { refresh_token: refreshToken }, 401);
});

test("the mail is from the installation, only to the user, and is not counted as a tenant's", async () => {
  const { email, token } = await createAsker();
  const [mail] = await mailsTo(relay, email);
  assert.equal(mail?.from?.text, '"Acme Console" <console@acme.example>');
  assert.equal(mail?.subject, 'Set a new password');
  assert.equal(mail?.headers.get('auto-submitted'), 'auto-generated');
  assert.ok(String(mail?.html).includes(`href="https://acme.example/x/console/reset/${token}"`));
  const { body } = await tenant.api.get('/api/transmissions');
  assert.deepEqual(body.results, []);
});

test('a link works once, also when it is used twice concurrently', async () => {
  const { email, token } = await createAsker();
  const path = `/auth/password-resets/${token}`;
  const passwords = [NEW, `${NEW} 2`];
  const answers = await Promise.all(
    passwords.map((password) => app.anonymous.send('POST', path, { body: { password } })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 404]);
  assert.equal((await app.anonymous.get(path, 404)).body.code, 'TOKEN_INVALID');
  const signedIn = await Promise.all(passwords.map((password) => login(email, password)));
  assert.deepEqual(
    signedIn.map(({ status }) => status === 200),
    answers.map(({ status }) => status === 200),
  );
});

test('a link ends after an hour, and with any other change of the password', async () => {
  const { token } = await createAsker();
  const changed = await createAsker();
  await app.admin.post('/admin/users/password', { email: changed.email, password: NEW });
  await app.anonymous.get(`/auth/password-resets/${changed.token}`, 404);
  ahead += HOUR_MS - 60_000;
  await app.anonymous.get(`/auth/password-resets/${token}`);
  ahead += 60_000;
  for (const bad of [token, `${token}x`, 'nothing'])
    for (const answer of [
      await app.anonymous.get(`/auth/password-resets/${bad}`, 404),
      await app.anonymous.post(`/auth/password-resets/${bad}`, { password: NEW }, 404),
    ])
      assert.equal(answer.body.code, 'TOKEN_INVALID');
});

test('no mail is sent to unknown users, users without an active membership, and after too many requests', async () => {
  const inactive = await createMember(tenant, []);
  await tenant.api.put(`/api/client/v1/memberships/${inactive.membershipId}`, { status: 'inactive' });
  const unknown = `nobody-${randomUUID()}@example.com`;
  const { email } = await createMember(tenant, []);
  for (const address of [unknown, inactive.email, email, email, email, email])
    assert.deepEqual((await ask(address)).body, { success: true });
  await mailsAt(email, 3);
  const last = await createMember(tenant, []);
  await ask(last.email);
  await mailsAt(last.email, 1);
  assert.equal((await mailsTo(relay, email)).length, 3);
  assert.equal((await mailsTo(relay, unknown)).length + (await mailsTo(relay, inactive.email)).length, 0);
});

test('a mail that the relay rejects temporarily is sent later', async () => {
  const { email } = await createMember(tenant, []);
  let refusals = 0;
  relay.onRecipient = (address) => {
    if (address !== email || refusals > 0) return null;
    refusals += 1;
    return { code: 451, text: '4.3.0 Later' };
  };
  await ask(email);
  await eventually('the refusal', async () => refusals || null);
  ahead += 60_000;
  await tokenAt(email);
});

test('the page sets a password without JavaScript', async () => {
  const { email, token } = await createAsker();
  const path = `/console/reset/${token}`;
  const form = await app.anonymous.get(path);
  assert.equal(form.headers.get('referrer-policy'), 'same-origin');
  assert.equal(form.headers.get('cache-control'), 'no-store');
  assert.match(form.text, /<strong>m•••@example\.com<\/strong>/);
  const short = await submit(path, 'short');
  assert.equal(short.status, 400);
  assert.match(short.text, /Too short: use at least 8 characters/);
  const done = await submit(path, NEW);
  assert.equal(done.status, 200);
  assert.match(done.text, /Your new password is saved/);
  assert.equal((await login(email, NEW)).status, 200);
  for (const answer of [await submit(path, NEW), await app.anonymous.send('GET', path)]) {
    assert.equal(answer.status, 404);
    assert.match(answer.text, /This link is no longer valid/);
  }
});

test('the page is accessible in all its states', { skip: withoutBrowser() }, async () => {
  const { token } = await createAsker();
  const page = await openPage(`${app.url}/console/reset/${token}`, { width: 390 });
  assert.deepEqual(await findFaults(page), []);
  await page.evaluate("document.querySelector('form').noValidate = true");
  await page.getByLabel('New password').fill('short');
  await page.getByRole('button').click();
  await page.getByRole('alert').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.getByLabel('New password').fill(NEW);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your new password is saved' }).waitFor();
  assert.deepEqual(await findFaults(page), []);
  await page.reload();
  assert.deepEqual(await findFaults(page), []);
});
