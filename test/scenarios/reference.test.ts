import assert from 'node:assert/strict';
import test, { afterEach, suite } from 'node:test';
import type { Page } from 'playwright-core';
import { findFaults } from '../harness/axe.ts';
import { startBrowser, withoutBrowser } from '../harness/browser.ts';
import { createClient } from '../harness/client.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { createRecordsTenant } from '../harness/records.ts';
import { PASSWORD, startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const browser = await startBrowser();
const tenant = await createRecordsTenant(app, [
  { name: 'gadget', fields: [{ name: 'title', type: 'string' }] },
]);
const OWN = '#operations-tag-gadget';
const SERVICE = '#operations-tag-Forms';

/** The reference in a new page, and the requests of that page. */
async function openReference() {
  assert.ok(browser);
  const page = await browser.newPage();
  const requests: { readonly url: string; readonly authorization: string | undefined }[] = [];
  page.on('request', (request) => {
    requests.push({ url: request.url(), authorization: request.headers().authorization });
  });
  await page.clock.install();
  await page.goto(`${app.url}/docs`);
  await page.locator(SERVICE).waitFor();
  return { page, asked: requests };
}

async function fillIn(page: Page, email: string, password = PASSWORD): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

async function openSignedIn(email = tenant.ownerEmail) {
  const opened = await openReference();
  await opened.page.getByText('Sign in to see').click();
  await fillIn(opened.page, email);
  await opened.page.locator(OWN).waitFor();
  return opened;
}

/** Tries out the list of gadgets; returns the status of the response. */
async function listGadgets(page: Page): Promise<number> {
  const operation = page.locator('.opblock-get', { hasText: 'Lists records' });
  if (!(await operation.isVisible())) await page.locator(OWN).click();
  if ((await operation.getByRole('button', { name: 'Execute' }).count()) === 0) {
    await operation.locator('.opblock-summary-control').click();
    await operation.getByRole('button', { name: 'Try it out' }).click();
  }
  const answer = page.waitForResponse(/\/api\/gadget\?/);
  await operation.getByRole('button', { name: 'Execute' }).click();
  return (await answer).status();
}

suite('the API reference in a browser', { skip: withoutBrowser() }, () => {
  afterEach(() => Promise.all(browser?.contexts().map((context) => context.close()) ?? []));

  test('the reference shows every operation and loads only from the server', async () => {
    const { page, asked: requests } = await openReference();
    await page.locator(SERVICE).click();
    await page.getByText('/api/forms/list').waitFor();
    const away = requests.filter(({ url }) => !url.startsWith(`${app.url}/`) && !url.startsWith('data:'));
    assert.deepEqual(away, []);
  });

  test('operations are listed before the viewer has loaded, and open groups stay open', async () => {
    assert.ok(browser);
    const page = await browser.newPage();
    const viewer = Promise.withResolvers<void>();
    await page.route('**/swagger-ui-bundle.js', async (route) => {
      await viewer.promise;
      await route.continue();
    });
    await page.goto(`${app.url}/docs`, { waitUntil: 'commit' });
    const outline = page.getByRole('navigation', { name: 'Operations' });
    await outline.getByText('Forms', { exact: true }).click();
    await outline.getByRole('link', { name: '/api/forms/list' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
    viewer.resolve();
    await page.locator('.opblock-post', { hasText: '/api/forms/list' }).waitFor();
    assert.equal(await outline.count(), 0);
  });

  test('a link to an operation opens it and scrolls to it', async () => {
    assert.ok(browser);
    const page = await browser.newPage();
    await page.goto(`${app.url}/docs#/Forms/forms.list`);
    await page.locator('.opblock.is-open', { hasText: '/api/forms/list' }).waitFor();
    await eventually('the operation to be in view', async () => {
      const box = await page.locator('.opblock.is-open').boundingBox();
      return box !== null && box.y >= 0 && box.y < 400;
    });
  });

  test('an operation shows its call with the SDK and with curl, side by side', async () => {
    const { page } = await openReference();
    await page.locator(SERVICE).click();
    const operation = page.locator('.opblock-put', { hasText: '/api/forms/{code}' });
    await operation.locator('.opblock-summary-control').click();
    const [sdk, curl] = [operation.locator('.calls pre').nth(0), operation.locator('.calls pre').nth(1)];
    assert.match(await sdk.innerText(), /^await tessera\.forms\.replace\(code, \{\n {2}name: "/);
    assert.match(
      await curl.innerText(),
      /^curl -X PUT "\$TESSERA_URL\/api\/forms\/\$CODE" \\\n {2}-H "X-API-Key: /,
    );
    const [left, right] = [await sdk.boundingBox(), await curl.boundingBox()];
    assert.ok(left && right && left.x + left.width <= right.x && Math.abs(left.y - right.y) < 1);
    assert.deepEqual(await findFaults(page), []);
  });

  test('a signed-in user sees and tries the calls of their own entities, and the others again', async () => {
    const { page } = await openSignedIn();
    assert.match(await page.locator('#account-who').innerText(), new RegExp(tenant.ownerEmail));
    assert.equal(await page.locator(SERVICE).count(), 0);
    assert.equal(await listGadgets(page), 200);
    await page.getByLabel('All calls').check();
    await page.locator(SERVICE).waitFor();
    assert.equal(await page.locator(OWN).count(), 0);
    await page.getByLabel('Your entities').check();
    await page.locator(OWN).waitFor();
    assert.equal(await listGadgets(page), 200);
  });

  test('axe finds no violations before and after sign-in', async () => {
    const { page } = await openReference();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByText('Sign in to see').click();
    assert.deepEqual(await findFaults(page), []);
    await fillIn(page, tenant.ownerEmail);
    await page.locator(OWN).waitFor();
    assert.deepEqual(await findFaults(page), []);
    assert.ok(Number(await page.evaluate('document.documentElement.scrollWidth - innerWidth')) <= 0);
  });

  test('signing out ends the session in the page and in the service', async () => {
    const { page, asked: requests } = await openSignedIn();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.locator(SERVICE).waitFor();
    assert.equal(await page.locator('#account-status').innerText(), 'You have signed out.');
    await assertEnded(requests);
  });

  test('leaving the page ends the session and stores nothing of it', async () => {
    const { page, asked: requests } = await openSignedIn();
    assert.deepEqual(await page.evaluate('[localStorage.length, sessionStorage.length, document.cookie]'), [
      0,
      0,
      '',
    ]);
    await page.goto(`${app.url}/guides/errors`);
    await assertEnded(requests);
    await page.goBack();
    await page.getByText('Sign in to see').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Sign out' }).isVisible(), false);
  });

  test('a user whose session has ended signs in again', async () => {
    const member = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
    const { page } = await openSignedIn(member.email);
    const path = `/api/client/v1/memberships/${member.membershipId}`;
    await tenant.api.put(path, { status: 'inactive' });
    await tenant.api.put(path, { status: 'active' });
    assert.equal(await listGadgets(page), 200);
    await tenant.api.put(path, { status: 'inactive' });
    assert.equal(await listGadgets(page), 401);
    await page.getByRole('alert').filter({ hasText: 'Your session has ended' }).waitFor();
    await page.locator(SERVICE).waitFor();
    await tenant.api.put(path, { status: 'active' });
    await fillIn(page, member.email);
    await page.locator(OWN).waitFor();
    assert.equal(await page.getByRole('alert').innerText(), '');
  });

  test('an access token that is about to expire is exchanged before the next call', async () => {
    const { page, asked: requests } = await openSignedIn();
    assert.equal(await listGadgets(page), 200);
    await page.clock.fastForward('57:00');
    assert.equal(await listGadgets(page), 200);
    const used = new Set(requests.flatMap(({ authorization = '' }) => authorization || []));
    assert.equal(used.size, 2);
    assert.equal(requests.filter(({ url }) => url.endsWith('/auth/refresh')).length, 1);
  });

  test('a wrong password is reported, and a user of several tenants names one', async () => {
    const { page } = await openReference();
    const { email } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
    const other = await app.createTenant();
    await other.api.post('/api/client/v1/memberships', { email, name: 'Ignored' });
    await page.getByText('Sign in to see').click();
    await fillIn(page, email, 'wrong password');
    const alert = page.getByRole('alert');
    await alert.filter({ hasText: 'Incorrect email address or password.' }).waitFor();
    assert.equal(await page.getByLabel('Code of the tenant').isVisible(), false);
    await fillIn(page, email);
    await alert.filter({ hasText: 'You belong to several tenants.' }).waitFor();
    await page.keyboard.type('nowhere');
    await page.keyboard.press('Enter');
    await alert.filter({ hasText: 'password or tenant code' }).waitFor();
    await page.getByLabel('Code of the tenant').fill(tenant.code);
    await page.keyboard.press('Enter');
    await page.locator(OWN).waitFor();
  });

  test('a user without entities gets a message', async () => {
    const { page } = await openReference();
    await page.getByText('Sign in to see').click();
    await fillIn(page, (await app.createTenant()).ownerEmail);
    await page.getByRole('status').filter({ hasText: 'There are no entities' }).waitFor();
  });
});

/** Asserts that the service accepts none of the page's tokens any more. */
async function assertEnded(
  requests: readonly { readonly authorization: string | undefined }[],
): Promise<void> {
  const [authorization = ''] = requests.flatMap((request) => request.authorization ?? []);
  const client = createClient(app.url, { authorization });
  await eventually(
    'the session to end',
    async () => (await client.send('GET', '/api/openapi.json')).status === 401,
  );
}
