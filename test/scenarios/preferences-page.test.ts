/** The page on which subscribers choose what they receive: its form as browsers send it, and in a browser. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { after, suite } from 'node:test';
import { findFaults } from '../harness/axe.ts';
import { sharePage, startBrowser, withoutBrowser } from '../harness/browser.ts';
import {
  createBrandedTenant,
  createRecipient,
  defineTypes,
  preferencesToken,
  subscriptionType,
} from '../harness/preferences.ts';
import { getSubscriber } from '../harness/subscribers.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const openPage = sharePage(await startBrowser());
const TYPES = [
  subscriptionType('news', { name: 'Newsletter', description: 'Once a month, what is new.' }),
  subscriptionType('offers', { name: 'Offers', description: '' }),
  subscriptionType('old', { name: 'Retired', active: false }),
];

/** Starts a site with one picture; returns its URL. */
async function startLogoSite(): Promise<string> {
  const server = createServer((_request, response) => {
    response.setHeader('content-type', 'image/svg+xml');
    response.end(
      '<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40"><rect width="120" height="40"/></svg>',
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/logo.svg`;
}

/** Creates a tenant with types, and a subscriber with a link to the page. */
async function createVisit(brand: object = {}, { name = 'Shop', types = TYPES } = {}) {
  const tenant = await createBrandedTenant(app, name, brand);
  await defineTypes(tenant, types);
  const recipient = await createRecipient(app, tenant);
  return { ...recipient, tenant, path: `/preferences/${recipient.token}` };
}

type Visit = Awaited<ReturnType<typeof createVisit>>;

/** Sends the form like a browser. */
const submit = ({ path }: Pick<Visit, 'path'>, rawBody: string, headers: Record<string, string> = {}) =>
  app.anonymous.send('POST', path, {
    rawBody,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
  });

/** Returns the subscriber's status, version, and chosen and declined types. */
async function stateOf({ tenant, id }: Visit) {
  const read = await getSubscriber(tenant, id);
  const all: { subscription_type_id: string; subscribed: boolean }[] = read.subscription_preferences;
  const ids = (subscribed: boolean) =>
    all.filter((each) => each.subscribed === subscribed).map((each) => each.subscription_type_id);
  return { active: read.active, version: read.version, off: ids(false), on: ids(true) };
}

test('opening the page changes nothing, and reveals its URL to no other site', async () => {
  const visit = await createVisit();
  const answer = await app.anonymous.get(visit.path);
  const header = (name: string) => answer.headers.get(name) ?? '';
  assert.match(header('content-type'), /^text\/html/);
  assert.match(
    header('content-security-policy'),
    /default-src 'none'; .*form-action 'self'.*frame-ancestors 'none'/,
  );
  assert.equal(header('referrer-policy'), 'no-referrer');
  assert.match(header('cache-control'), /no-store/);
  assert.equal(answer.headers.get('set-cookie'), null);
  assert.doesNotMatch(answer.text, /<script|Retired/);
  assert.equal(answer.text.includes(visit.body.email), false);
  await app.anonymous.send('HEAD', visit.path);
  assert.equal((await stateOf(visit)).version, 1);
});

test('names, descriptions and ids of a tenant are shown as text, whatever they contain', async () => {
  const evil = `"><img src=x onerror=alert(1)><script>alert('x')</script>`;
  const types = [{ id: evil, name: evil, description: evil, active: true }];
  const { path } = await createVisit(
    { logo_url: '', primary_color: evil.slice(0, 90) },
    { name: evil, types },
  );
  for (const { text } of [await app.anonymous.get(path), await submit({ path }, 'type=x')]) {
    assert.doesNotMatch(text, /<script|<img|onerror=alert\(1\)>/);
    assert.match(text, /&lt;script&gt;/);
  }
});

test('saving removes the unticked types that the form showed, keeps others, and adds a version only for changes', async () => {
  const visit = await createVisit();
  await submit(visit, 'shown=news&type=news');
  assert.equal((await stateOf(visit)).version, 1);
  assert.match((await submit(visit, 'shown=news')).text, /You receive: Offers\./);
  assert.deepEqual(await stateOf(visit), { active: true, version: 2, off: ['news'], on: [] });
  await submit(visit, 'shown=gone&type=gone&shown=offers&type=offers&shown=news&type=news');
  assert.deepEqual(await stateOf(visit), { active: true, version: 3, off: [], on: ['news'] });
  assert.match((await submit(visit, 'shown=offers&shown=news')).text, /You receive none of these\./);
});

test('a save needs only the token, and no cookies, from any site', async () => {
  const visit = await createVisit();
  assert.equal(
    (await submit(visit, 'shown=news', { origin: 'https://other.test', cookie: 'a=b' })).status,
    200,
  );
  assert.deepEqual((await stateOf(visit)).off, ['news']);
  assert.equal((await submit({ path: '/preferences/altered' }, 'shown=offers')).status, 404);
  assert.equal((await app.anonymous.send('POST', visit.path, { body: { nothing: 'yes' } })).status, 415);
  assert.equal((await submit(visit, 'x'.repeat(3 * 1024 * 1024))).status, 413);
  assert.deepEqual((await stateOf(visit)).off, ['news']);
});

test('a subscriber who unsubscribed on the page can resubscribe there; one whom the tenant inactivated cannot', async () => {
  const visit = await createVisit();
  assert.match(
    (await submit(visit, 'shown=news&type=news&nothing=yes')).text,
    /You receive nothing from Shop/,
  );
  assert.deepEqual(await stateOf(visit), {
    active: false,
    version: 2,
    off: ['news', 'offers', 'old'],
    on: [],
  });
  await submit(visit, 'shown=news&shown=offers');
  assert.equal((await stateOf(visit)).version, 2);
  assert.match((await submit(visit, 'shown=news&type=news&shown=offers')).text, /You receive: Newsletter\./);
  assert.deepEqual(await stateOf(visit), { active: true, version: 3, off: ['offers', 'old'], on: ['news'] });
  const inactive = { ...visit.body, active: false, inactive_reason: 'asked by phone' };
  await visit.tenant.api.put(`/api/subscribers/${visit.id}`, inactive);
  for (const form of ['shown=offers&type=offers', 'nothing=yes', 'type=news'])
    assert.match((await submit(visit, form)).text, /At present Shop sends nothing to this address/);
  const { active, inactive_reason } = await getSubscriber(visit.tenant, visit.id);
  assert.deepEqual([active, inactive_reason], [false, 'asked by phone']);
});

test('subscribing again on the page lifts the suppression of an unsubscribe, never that of a bounce', async () => {
  for (const [type, status] of [
    ['unsubscribe', 404],
    ['bounce', 200],
  ] as const) {
    const visit = await createVisit();
    const { api } = visit.tenant;
    await submit(visit, 'shown=news');
    await api.post('/api/email_settings/suppressions', { recipient: visit.body.email, type });
    await submit(visit, 'shown=news&type=news');
    await api.get(`/api/email_settings/suppressions/list/${visit.body.email}`, status);
  }
});

suite('the preferences page in a browser', { skip: withoutBrowser() }, () => {
  for (const primary_color of ['#facc15', '#ffffff', '#1e1b4b', 'teal', '']) {
    test(`axe finds no violations in the colour "${primary_color}", light and dark, on a phone and a desktop`, async () => {
      const visit = await createVisit({ logo_url: await startLogoSite(), primary_color });
      const page = await openPage(app.url + visit.path);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        for (const width of [360, 1280]) {
          await page.setViewportSize({ width, height: 900 });
          assert.deepEqual(await findFaults(page), [], `${colorScheme}, ${width}`);
          const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
          assert.ok(Number(wide) <= 0, `it scrolls sideways at ${width}`);
        }
      }
      assert.equal(await page.evaluate('document.querySelector(".brand img").naturalWidth'), 120);
      await page.emulateMedia({ colorScheme: null });
    });
  }

  for (const width of [360, 1280]) {
    test(`a subscriber leaves a type, unsubscribes, and resubscribes, at ${width}`, async () => {
      const visit = await createVisit();
      const page = await openPage(app.url + visit.path, { width });
      const news = () => page.getByRole('checkbox', { name: 'Newsletter' });
      const save = async (says: string) => {
        await page.getByRole('button', { name: 'Save' }).click();
        await page.getByRole('status').filter({ hasText: says }).waitFor();
        assert.deepEqual(await findFaults(page), []);
      };
      assert.equal(await news().isChecked(), true);
      // A click anywhere on the row works, because the label covers all of it.
      await page.getByText('Once a month, what is new.').click({ force: true });
      await save('You receive: Offers.');
      assert.equal(await news().isChecked(), false);
      assert.deepEqual((await stateOf(visit)).off, ['news']);
      await page.getByRole('checkbox', { name: 'Nothing any more' }).check();
      await save('You receive nothing from Shop any more. Tick what you want to receive again.');
      assert.equal((await stateOf(visit)).active, false);
      await news().check();
      await save('You receive: Newsletter.');
      assert.deepEqual(await stateOf(visit), {
        active: true,
        version: 4,
        off: ['offers', 'old'],
        on: ['news'],
      });
      await page.goto(app.url + visit.path);
      assert.equal(await news().isChecked(), true);
    });
  }

  test('the form can be filled in by keyboard alone', async () => {
    const visit = await createVisit();
    const page = await openPage(app.url + visit.path);
    for (const key of ['Tab', 'Tab', 'Space', 'Tab', 'Tab', 'Enter']) await page.keyboard.press(key);
    await page.getByRole('status').filter({ hasText: 'You receive: Newsletter.' }).waitFor();
    assert.deepEqual((await stateOf(visit)).off, ['offers']);
  });

  test('an expired link says so, and axe finds no violations on that page', async () => {
    const { tenant, id, body } = await createVisit();
    const self = { id, email: body.email };
    const createdAt = new Date(Date.now() - 91 * 24 * 60 * 60 * 1000);
    const page = await openPage(
      `${app.url}/preferences/${preferencesToken(app, tenant, self, { createdAt })}`,
    );
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
    assert.deepEqual(await findFaults(page), []);
  });
});
