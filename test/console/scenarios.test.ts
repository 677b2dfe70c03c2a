/** Tasks of people in the console, step by step, in a browser. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { openWindow, openWindowAs, signIn } from '../harness/console.ts';
import { startForeignPage } from '../harness/foreign-page.ts';
import { mailsTo } from '../harness/mail.ts';
import { createMember, createUnit } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startRelay } from '../harness/relay.ts';
import { PASSWORD, startOwnApp, type TestTenant } from '../harness/test-app.ts';

const relay = await startRelay();
const app = await startOwnApp({ SMTP_URL: relay.url });
const browser = await startBrowser();
const skip = withoutBrowser();
const NEW_PASSWORD = 'a long sentence for the editor';

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

const urlOf = ({ code }: TestTenant, path: string) => `${app.url}/console/t/${code}/${path}`;

/** Opens an empty window in which the owner of a new tenant has signed in. */
async function signInOwner(options: Parameters<typeof openWindow>[1] = {}) {
  const tenant = await app.createTenant();
  const window = await openWindowAs(browser, app.anonymous, tenant.ownerEmail, options);
  return { tenant, ...window };
}

/** Opens the first screen of a new tenant as its owner. */
async function openAsOwner(options: Parameters<typeof openWindow>[1] = {}) {
  const opened = await signInOwner(options);
  await opened.page.goto(urlOf(opened.tenant, ''));
  return opened;
}

/** Waits for a mail; returns the path of the link in it. */
async function linkIn(email: string, pattern: RegExp): Promise<string> {
  const mail = await eventually('the mail', async () => (await mailsTo(relay, email)).at(-1) ?? null);
  const [path = ''] = pattern.exec(mail.text ?? '') ?? [];
  assert.notEqual(path, '');
  return path;
}

test('the owner signs in and sees the tenant and three first steps', { skip }, async () => {
  const tenant = await app.createTenant();
  const { page, faults } = await openWindow(browser);
  await signIn(page, app.url, { email: tenant.ownerEmail });
  await page.waitForURL(`**/console/t/${tenant.code}`);
  await page.getByRole('heading', { level: 1, name: 'Welcome, Owner' }).waitFor();
  assert.equal(await page.getByText(`Tenant ${tenant.code}`).first().isVisible(), true);
  for (const step of ['Invite your team', 'Divide into business units', 'Create an API key'])
    await page.getByRole('heading', { name: step }).waitFor();
  assert.deepEqual(faults, []);
});

test('a wrong password and an unknown address get the same answer, also without JavaScript', {
  skip,
}, async () => {
  const tenant = await app.createTenant();
  const { page } = await openWindow(browser, { javaScriptEnabled: false });
  const answers: string[] = [];
  for (const email of [tenant.ownerEmail, `nobody-${randomUUID()}@example.com`]) {
    await page.goto(`${app.url}/console`);
    await page.locator('input[name=email]').fill(email);
    await page.locator('input[name=password]').fill('not the password');
    await page.locator('form button').click();
    answers.push(await page.locator('main').innerText());
  }
  assert.match(answers[0] ?? '', /Incorrect email address or password\./);
  assert.equal(answers[0], answers[1]);
  await page.locator('input[name=email]').fill(tenant.ownerEmail);
  await page.locator('input[name=password]').fill(PASSWORD);
  await page.locator('form button').click();
  await page.waitForURL('**/console');
  await page.goto(`${app.url}/console/sign-in`);
  await page.waitForURL('**/console');
});

test('a link to a new password works once and signs out other browsers', { skip }, async () => {
  const { page: other, tenant } = await openAsOwner();
  const { page } = await openWindow(browser);
  await page.goto(`${app.url}/console`);
  await page.getByRole('link', { name: 'Forgot password?' }).click();
  await page.locator('input[name=email]').fill(tenant.ownerEmail);
  await page.locator('form button').click();
  const path = await linkIn(tenant.ownerEmail, /\/console\/reset\/[\w.-]+/);
  await page.goto(app.url + path);
  await page.locator('input[name=password]').fill(NEW_PASSWORD);
  await page.locator('form button').click();
  await signIn(page, app.url, { email: tenant.ownerEmail, password: NEW_PASSWORD });
  assert.equal((await page.request.get(app.url + path)).status(), 404);
  await other.goto(urlOf(tenant, 'settings/units'));
  await other.waitForURL('**/console/sign-in?next=*');
});

test('an invited editor sets name and password, opens the unit, and the link works once', {
  skip,
}, async () => {
  const { page, tenant } = await signInOwner();
  await createUnit(tenant, 'North');
  await page.goto(urlOf(tenant, 'settings/members'));
  await page.getByRole('link', { name: 'Invite member' }).click();
  const email = `editor-${randomUUID()}@example.com`;
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Name', { exact: false }).last().fill('Edda Editor');
  await chooseRole(page, 'Default', 'No access');
  await chooseRole(page, 'North', 'Editor');
  await button(page, 'Send invitation').click();
  await page.getByText(`Invitation sent to ${email}`).waitFor();
  await page.getByText('Invited', { exact: true }).waitFor();

  const path = await linkIn(email, /\/console\/invitation\/[\w-]+/);
  const { page: hers } = await openWindow(browser);
  await hers.goto(app.url + path);
  await hers.locator('input[name=name]').fill('Edda Editor');
  await hers.locator('input[name=password]').fill(NEW_PASSWORD);
  await hers.locator('form button').click();
  await hers.getByRole('heading', { level: 1, name: 'Welcome, Edda Editor' }).waitFor();
  await hers.getByText('You have a role in one business unit: North.').waitFor();
  assert.equal((await hers.request.get(app.url + path)).status(), 404);

  await page.reload();
  const row = page.getByRole('row', { name: email });
  await row.getByText('Active').waitFor();
  await row.getByText('North: Editor').waitFor();
});

async function chooseRole(page: Page, unit: string, role: string): Promise<void> {
  await page.getByRole('button', { name: `Role in ${unit}` }).click();
  // The name is followed by what the role may do.
  await page.getByRole('option', { name: new RegExp(`^${role}`) }).click();
}

test('a user with an account in another tenant accepts with one click and chooses between two tenants afterwards', {
  skip,
}, async () => {
  const { page, tenant } = await signInOwner();
  const inviting = await app.createTenant();
  const body = { email: tenant.ownerEmail, name: 'Ignored', invite: true };
  await inviting.api.post('/api/client/v1/memberships', body);
  await page.goto(app.url + (await linkIn(tenant.ownerEmail, /\/console\/invitation\/[\w-]+/)));
  assert.equal(await page.locator('input').count(), 0);
  await button(page, 'Accept the invitation').click();
  await page.waitForURL(`**/console/t/${inviting.code}`);
  await page.goto(`${app.url}/console`);
  await page.getByRole('heading', { name: 'Your organizations' }).waitFor();
  await page.getByRole('link', { name: `Tenant ${tenant.code}` }).click();
  await page.waitForURL(`**/console/t/${tenant.code}`);
});

test('a user with an account who is not signed in accepts with its password', { skip }, async () => {
  const [first, second] = [await app.createTenant(), await app.createTenant()];
  await second.api.post('/api/client/v1/memberships', {
    email: first.ownerEmail,
    name: 'Ignored',
    invite: true,
  });
  const { page } = await openWindow(browser, { javaScriptEnabled: false });
  await page.goto(app.url + (await linkIn(first.ownerEmail, /\/console\/invitation\/[\w-]+/)));
  assert.equal(await page.locator('input[name=name]').count(), 0);
  await page.locator('input[name=password]').fill(PASSWORD);
  await button(page, 'Accept the invitation').click();
  await page.waitForURL(`**/console/t/${second.code}`);
});

test('a page of another origin can neither frame the console nor write with the cookie of its user', {
  skip,
}, async () => {
  const tenant = await app.createTenant();
  const { page } = await openWindow(browser);
  // On the page, so that the browser has the attributes of the cookie.
  await signIn(page, app.url, { email: tenant.ownerEmail });
  const foreign = await startForeignPage(
    app.url,
    `<iframe src="${app.url}/console"></iframe>
    <form method="post" action="${app.url}/console/sign-in"><input name="email" value="${tenant.ownerEmail}">
    <input name="password" value="${PASSWORD}"><button>Win</button></form>`,
  );
  await page.goto(foreign);
  const [frame] = page.frames().filter((each) => each !== page.mainFrame());
  await eventually('the frame to be blocked', () => frame?.url().startsWith('chrome-error:'));
  const write = page.waitForResponse(`${app.url}/api/client/v1/business-units`);
  await page.evaluate(`void fetch('${app.url}/api/client/v1/business-units', {
    method: 'POST', mode: 'no-cors', credentials: 'include', body: '{"name":"Foreign"}' })`);
  // Without the cookie it would be 401.
  assert.equal((await write).status(), 403);
  const signedIn = page.waitForResponse(`${app.url}/console/sign-in`);
  await page.getByRole('button', { name: 'Win' }).click();
  assert.equal((await signedIn).status(), 403);
});

test('a member of two tenants chooses between them', { skip }, async () => {
  const [first, second] = [await app.createTenant(), await app.createTenant()];
  await createMember(second, [], { email: first.ownerEmail, is_tenant_admin: true });
  const { page } = await openWindow(browser);
  await signIn(page, app.url, { email: first.ownerEmail });
  await page.getByRole('heading', { name: 'Your organizations' }).waitFor();
  await page.getByRole('link', { name: `Tenant ${second.code}` }).click();
  await page.waitForURL(`**/console/t/${second.code}`);
  await page.getByRole('button', { name: /^Switch organization/ }).click();
  await page.getByRole('menuitem', { name: `Tenant ${first.code}` }).click();
  await page.waitForURL(`**/console/t/${first.code}`);
});

test('two windows in two tenants each create a unit in their own tenant', { skip }, async () => {
  const [first, second] = [await app.createTenant(), await app.createTenant()];
  await createMember(second, [], { email: first.ownerEmail, is_tenant_admin: true });
  const { page } = await openWindowAs(browser, app.anonymous, first.ownerEmail);
  const other = await page.context().newPage();
  await page.goto(urlOf(first, 'settings/units?new=true'));
  await other.goto(urlOf(second, 'settings/units?new=true'));
  for (const [each, name] of [
    [page, 'Of the first'],
    [other, 'Of the second'],
  ] as const) {
    await each.getByLabel('Name').fill(name);
    await button(each, 'Create unit').last().click();
    await each.getByText(`Unit “${name}” created`).waitFor();
  }
  const namesIn = async ({ api }: TestTenant) => {
    const { body } = await api.get('/api/client/v1/business-units');
    return body.business_units.map((unit: { name: string }) => unit.name);
  };
  assert.deepEqual(await namesIn(first), ['Default', 'Of the first']);
  assert.deepEqual(await namesIn(second), ['Default', 'Of the second']);
});

test('the selected unit is in the URL and survives a reload and other screens', { skip }, async () => {
  const { page, tenant } = await signInOwner();
  await createUnit(tenant, 'North');
  await page.goto(urlOf(tenant, ''));
  await page.getByRole('button', { name: /^Business unit/ }).click();
  await page.getByRole('menuitem', { name: 'North' }).click();
  await page.waitForURL('**?unit=north');
  await page.reload();
  await page.getByRole('button', { name: 'Business unit, now North' }).waitFor();
  await page.getByRole('link', { name: 'Business units' }).click();
  await page.waitForURL('**/settings/units?unit=north');
});

test('a viewer who opens the members sees who can help, and no data is loaded', { skip }, async () => {
  const tenant = await app.createTenant();
  const unit = await createUnit(tenant, 'North');
  const { email } = await createMember(tenant, [{ bu_id: unit, role: 'viewer' }]);
  const { page } = await openWindowAs(browser, app.anonymous, email);
  const calls: string[] = [];
  page.on('request', (request) => calls.push(new URL(request.url()).pathname));
  await page.goto(urlOf(tenant, 'settings/members'));
  await page.getByRole('heading', { name: 'Only owners can see this' }).waitFor();
  // The top bar reads what needs attention, whatever the screen.
  assert.deepEqual(
    calls.filter((path) => path.startsWith('/api/') && path !== '/api/overview'),
    [],
  );
  await page.goto(urlOf(tenant, 'settings/units'));
  const create = button(page, 'Create unit');
  await create.focus();
  await page.getByText('Only an owner can change this.').waitFor();
});

test('a new API key needs the password, is shown once, and ends when it is revoked', { skip }, async () => {
  const { page, tenant } = await signInOwner();
  // The password was just entered: the first call is refused as the server does ten minutes later.
  const refusal = { error: 'CONFIRMATION_REQUIRED', message: 'Confirm your password.' };
  await page.route('**/api/client/v1/api-keys', (route) => route.fulfill({ status: 403, json: refusal }), {
    times: 1,
  });
  await page.goto(urlOf(tenant, 'connections/keys?new=true'));
  await page.getByLabel('Name').fill('Shop');
  await button(page, 'Create key').last().click();
  await page.getByRole('dialog', { name: 'Confirm it is you' }).waitFor();
  await page.getByLabel(/^Password of/).fill(PASSWORD);
  await button(page, 'Confirm').click();
  const key = await page.getByRole('textbox', { name: 'API key' }).inputValue();
  assert.match(key, /^tsk_/);
  const call = () => fetch(`${app.url}/api/tenant/info`, { headers: { 'x-api-key': key } });
  assert.equal((await call()).status, 200);
  await button(page, 'Done').click();
  const row = page.getByRole('row', { name: /^Shop/ });
  await row.hover();
  await row.getByRole('button', { name: 'Revoke' }).click();
  await button(page, 'Revoke key').click();
  await page.getByText('Key “Shop” revoked').waitFor();
  assert.equal((await call()).status, 401);
});

test('a session that ends while somebody types asks for the password, and nothing is lost', {
  skip,
}, async () => {
  const { page, tenant } = await signInOwner();
  await page.goto(urlOf(tenant, 'settings/units?new=true'));
  await page.getByLabel('Name').fill('Written before');
  await endAllSessions(page);
  await button(page, 'Create unit').last().click();
  await page.getByRole('dialog', { name: 'Sign in to continue' }).waitFor();
  await page.getByLabel(/^Password of/).fill('a wrong password');
  await button(page, 'Sign in').click();
  await page.getByText('Incorrect password.').waitFor();
  await page.getByLabel(/^Password of/).fill(PASSWORD);
  await button(page, 'Sign in').click();
  await page.getByText('Unit “Written before” created').waitFor();
});

/** Ends the session of a page behind its back, as another browser would. */
async function endAllSessions(page: Page): Promise<void> {
  const session = await page.request.get(`${app.url}/auth/session`);
  const { csrf_token } = await session.json();
  const headers = { 'x-csrf-token': csrf_token, 'sec-fetch-site': 'same-origin' };
  assert.equal((await page.request.delete(`${app.url}/auth/session`, { headers })).status(), 200);
}

test('the palette opens the invitation by keyboard, and Escape returns the focus', { skip }, async () => {
  const { page } = await openAsOwner();
  await page.getByRole('heading', { level: 1 }).waitFor();
  const opener = page.getByRole('button', { name: 'Search or run a command' });
  await opener.focus();
  const palette = page.getByRole('dialog', { name: 'Where to, or what to do?' });
  await eventually('the palette', async () => {
    await page.keyboard.press('Control+k');
    return palette.isVisible();
  });
  await page.keyboard.press('Escape');
  await eventually('the focus to return', () => opener.evaluate((element) => element.matches(':focus')));
  await page.keyboard.press('Control+k');
  await page.keyboard.type('inv');
  await page.getByRole('menuitem', { name: 'Invite member' }).waitFor();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Invite a member' }).waitFor();
  await page.keyboard.type('by-keyboard@example.com');
  assert.equal(await page.getByLabel('Email address').inputValue(), 'by-keyboard@example.com');
});

test('the console is German in a German browser, dark, and fits a phone', { skip }, async () => {
  const { page, tenant, faults } = await openAsOwner({
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    colorScheme: 'dark',
    viewport: { width: 390, height: 844 },
  });
  for (const [path, title] of [
    ['', 'Willkommen, Owner'],
    ['settings/members', 'Mitglieder'],
    ['settings/units', 'Geschäftseinheiten'],
    ['connections/keys', 'API-Schlüssel'],
  ] as const) {
    await page.goto(urlOf(tenant, path));
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    assert.equal(
      await page.evaluate<boolean>('document.documentElement.scrollWidth <= innerWidth'),
      true,
      `${path} is wider than the phone`,
    );
  }
  assert.deepEqual(faults, []);
});

test('a light brand colour is shown as it will be, with readable text, before it is saved', {
  skip,
}, async () => {
  const { page, tenant } = await signInOwner();
  await page.goto(urlOf(tenant, 'settings'));
  await page.getByRole('textbox', { name: /^Colour/ }).fill('#ffee00');
  await page.keyboard.press('Tab');
  await page.getByText('Adjusted, so that text is readable').waitFor();
  assert.deepEqual(await findFaults(page), []);
  await button(page, 'Save changes').click();
  await page.getByText('Settings saved').waitFor();
  const accent = () => page.evaluate<string>("document.documentElement.style.getPropertyValue('--accent')");
  await eventually('the accent', async () => (await accent()).includes('#ffee00'));
});
