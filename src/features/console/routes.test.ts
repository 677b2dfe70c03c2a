import assert from 'node:assert/strict';
import test from 'node:test';
import { signInBrowser } from '../../../test/harness/browser-session.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

const app = await startTestApp({ CONSOLE_URL: 'https://console.example.test/x', ENVIRONMENT: 'Local' });
const tenant = await app.createTenant();
const browser = await signInBrowser(app.anonymous, tenant.ownerEmail);
const pages = app.anonymous.with({ cookie: browser.cookie });

/** Returns the address of the first built file of a kind that the page loads, below the base path. */
async function findAsset(ending: string): Promise<string> {
  const { text } = await pages.get('/console');
  const [, path = ''] = new RegExp(`"/x(/console/assets/[\\w.-]+\\.${ending})"`).exec(text) ?? [];
  assert.notEqual(path, '', 'run npm run build:console');
  return path;
}

test('every address below /console answers with the page, which loads the built files', async () => {
  for (const path of ['/console', '/console/', '/console/t/acme/members?page=2', '/console/nothing/here']) {
    const { text, headers } = await pages.get(path);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    assert.match(text, /<script type="module" src="\/x\/console\/assets\/main-\w+\.js">/);
    assert.match(text, /<link rel="stylesheet" href="\/x\/console\/assets\/console-\w+\.css">/);
    assert.match(text, /<div id="root"><\/div>/);
  }
});

test('the page of a screen loads its files in advance, with texts in the language of the user', async () => {
  const filesAt = async (path: string, language = 'en') => {
    const { text } = await pages.with({ 'accept-language': language }).get(`/console/${path}`);
    return [
      ...text.matchAll(/<link rel="modulepreload" href="\/x\/console\/assets\/([\w.]+)-\w+\.js">/g),
    ].map(([, name]) => name);
  };
  const members = await filesAt('t/acme/settings/members');
  assert.ok(members.includes('members') && members.includes('texts.en'));
  assert.ok((await filesAt('t/acme/settings/members', 'de-CH, en;q=0.5')).includes('texts.de'));
  assert.ok(!(await filesAt('t/acme/settings')).includes('members'));
  assert.ok(!(await filesAt('nothing/here')).includes('texts.en'));
});

test('the page contains the session as GET /auth/session returns it', async () => {
  const { text } = await pages.get('/console');
  const [, session = ''] = /<script type="application\/json" id="session">(.*?)<\/script>/.exec(text) ?? [];
  const { expires_at: _, ...embedded } = JSON.parse(session);
  const { expires_at: __, ...read } = (await pages.get('/auth/session')).body;
  assert.deepEqual(embedded, read);
});

test('without a session the page leads to the sign-in, which knows the address', async () => {
  const { headers } = await app.anonymous.get('/console/t/acme/members?page=2', 303);
  const location = '/x/console/sign-in?next=%2Fconsole%2Ft%2Facme%2Fmembers%3Fpage%3D2';
  assert.equal(headers.get('location'), location);
});

test('the page is not cached, has a strict policy with a new nonce, and cannot be framed', async () => {
  const nonces = new Set<string>();
  for (const { headers, text } of [await pages.get('/console'), await pages.get('/console')]) {
    const [, nonce = ''] = /<meta property="csp-nonce" nonce="([\w-]{22})">/.exec(text) ?? [];
    nonces.add(nonce);
    assert.equal(
      headers.get('content-security-policy'),
      `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; connect-src 'self'; img-src 'self' data: blob:; font-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
    );
    assert.equal(headers.get('referrer-policy'), 'same-origin');
    assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin');
    assert.equal(headers.get('cache-control'), 'no-store');
  }
  assert.equal(nonces.size, 2);
});

test('built files are immutable and sent in the encoding that the client accepts', async () => {
  for (const [ending, type] of [
    ['js', 'text/javascript; charset=utf-8'],
    ['css', 'text/css; charset=utf-8'],
  ] as const) {
    const path = await findAsset(ending);
    const load = async (encoding: string) => {
      const response = await fetch(app.url + path, { headers: { 'accept-encoding': encoding } });
      assert.equal(response.headers.get('content-type'), type);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=31536000, immutable');
      return { encoding: response.headers.get('content-encoding'), text: await response.text() };
    };
    const plain = await load('identity');
    assert.equal(plain.encoding, null);
    assert.deepEqual(await load('br'), { encoding: 'br', text: plain.text });
    assert.deepEqual(await load('gzip'), { encoding: 'gzip', text: plain.text });
  }
  const font = await fetch(app.url + (await findAsset('woff2')));
  assert.equal(font.headers.get('content-type'), 'font/woff2');
});

test('other files of the folder and outside of it are not served', async () => {
  for (const file of ['none.js', 'manifest.json', '..%2Fmanifest.json', '%2E%2E%2Fmanifest.json'])
    await app.anonymous.get(`/console/assets/${file}`, 404);
  await app.anonymous.get(`${await findAsset('js')}.br`, 404);
});

test('the front page links to the console', async () => {
  const { text } = await app.anonymous.get('/');
  assert.match(text, /<a href="https:\/\/console\.example\.test\/x\/console">/);
  const plain = await startTestApp();
  assert.match((await plain.anonymous.get('/')).text, /<a href="console">/);
});

test('CONSOLE=off removes the console and the link, but not the pages of account mail', async () => {
  const off = await startTestApp({ CONSOLE: 'off' });
  const path = await findAsset('js');
  for (const address of ['/console', '/console/t/acme', path]) await off.anonymous.get(address, 404);
  assert.doesNotMatch((await off.anonymous.get('/')).text, /href="[^"]*console/);
  assert.match((await off.anonymous.get('/console/reset/none', 404)).text, /This link is no longer valid/);
});

test('only a local installation offers screens for developers', async () => {
  assert.match(
    (await pages.get('/console')).text,
    /<html lang="en" data-api="http:\/\/localhost:\d+" data-development>/,
  );
  const shared = await startTestApp({ ENVIRONMENT: 'UAT' });
  const { ownerEmail } = await shared.createTenant();
  const { cookie } = await signInBrowser(shared.anonymous, ownerEmail);
  assert.match(
    (await shared.anonymous.with({ cookie }).get('/console')).text,
    /<html lang="en" data-api="[^"]+">/,
  );
});
