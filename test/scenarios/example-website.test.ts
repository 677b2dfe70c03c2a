/** The website of the guide (docs/pages.md) in a browser. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { after, suite } from 'node:test';
import { createSite } from '../../examples/website/site.ts';
import { sharePage, startBrowser, withoutBrowser } from '../harness/browser.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const { api, apiKey } = await app.createTenant();
const DOMAIN = 'www.acme.example';
const PROJECT = 'acme';
const below = `/api/pages/${PROJECT}`;

await api.put(`/api/pages/project_metadata/${PROJECT}`, {
  name: 'Acme',
  description: 'The website of Acme',
  redirect_config: { source_domains: [DOMAIN] },
  preview_config: { domain: 'http://localhost:8080' },
});
await api.put(`${below}/document-model`, {
  id: 'page',
  label: 'Page',
  format: 'page',
  repeatable: true,
  status: true,
  json: { Main: { title: { type: 'Text', config: { label: 'Title' } } } },
});
await api.put(`${below}/site-settings`, { website_name: 'Acme & Co', default_meta_description: 'Lamps' });

/** Writes a document of the site. */
async function write(uid: string, content: object, status = 'live'): Promise<void> {
  const document = { document_model_id: 'page', uid, name: uid, status, data: JSON.stringify(content) };
  await api.put(`${below}/document/${uid}`, document);
}
await write('home', {
  title: 'Welcome',
  paragraphs: ['We make lamps.'],
  links: [{ text: 'About', url: '/about' }],
});
await write('about', { title: 'About <us>', links: [{ text: 'No', url: 'javascript:alert(1)' }] });
await write('secret', { title: 'Not yet' }, 'draft');

const rule = { source_domain: DOMAIN, redirect_type: '301' };
for (const more of [
  { source_url_path: '/old-about', target_url: '/about' },
  { rule_type: 'prefix', source_pattern: '/en', target_pattern: '/', redirect_type: '302' },
  { rule_type: 'regex', source_pattern: '^/p/([a-z]+)\\.html$', target_pattern: '/$1' },
])
  await api.post(`${below}/redirects`, { ...rule, ...more });

/** Starts the website in front of a Tessera server; returns the URL of its pages. */
async function startSite(url: string): Promise<string> {
  const site = createSite({ url, apiKey, project: PROJECT, domain: DOMAIN });
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  after(() => site.close());
  after(() => site.closeAllConnections());
  return addressOf(site.address());
}

function addressOf(address: AddressInfo | string | null): string {
  assert.ok(address !== null && typeof address === 'object');
  return `http://127.0.0.1:${address.port}`;
}

const site = await startSite(app.url);
const browser = await startBrowser();
const openPage = sharePage(browser);

suite('the example website', { skip: withoutBrowser() }, () => {
  test('shows documents in its design, with the settings of the site', async () => {
    const page = await openPage(site);
    assert.equal(await page.title(), 'Welcome · Acme & Co');
    assert.equal(await page.textContent('main p'), 'We make lamps.');
    assert.equal(await page.getAttribute('meta[name=description]', 'content'), 'Lamps');
    const color = await page.evaluate<string>(
      "getComputedStyle(document.querySelector('header')).backgroundColor",
    );
    assert.equal(color, 'rgb(11, 57, 84)');
    await page.click('text=About');
    assert.equal(await page.textContent('h1'), 'About <us>');
    assert.equal(await page.getAttribute('main a', 'href'), '#');
  });

  for (const [what, from, to] of [
    ['a static rule', '/old-about/?ref=mail', '/about?ref=mail'],
    ['a prefix', '/en/about', '/about'],
    ['an expression', '/p/about.html', '/about'],
  ] as const) {
    test(`leads a visitor by ${what}`, async () => {
      const page = await openPage(`${site}${from}`);
      assert.equal(page.url(), `${site}${to}`);
      assert.equal(await page.textContent('h1'), 'About <us>');
    });
  }

  test('shows a change immediately', async () => {
    const page = await openPage(`${site}/news`);
    assert.equal(await page.textContent('h1'), 'Page not found');
    await write('news', { title: 'First' });
    await page.reload();
    assert.equal(await page.textContent('h1'), 'First');
    await write('news', { title: 'Second' });
    await page.reload();
    assert.equal(await page.textContent('h1'), 'Second');
    await api.delete(`${below}/document/news`);
    await page.reload();
    assert.equal(await page.textContent('h1'), 'Page not found');
  });

  test('shows no draft, but a preview to anybody with the link', async () => {
    const page = await openPage(`${site}/secret`);
    assert.equal(await page.textContent('h1'), 'Page not found');
    const body = { snapshot: JSON.stringify({ title: 'Soon', paragraphs: ['Unsaved.'] }) };
    const { token } = (await api.post(`${below}/document/secret/preview-snapshot`, body)).body;
    await openPage(`${site}/preview/${token}`);
    assert.equal(await page.textContent('h1'), 'Soon');
    assert.equal(await page.textContent('.notice'), 'Preview: this is not published.');
    await openPage(`${site}/preview/unknown`);
    assert.equal(await page.textContent('h1'), 'This preview has expired');
  });
});

test('revalidates an unchanged document by its ETag, and shows it while Tessera is unavailable', async () => {
  const statuses: number[] = [];
  let isAway = false;
  const between = createServer(async (request, response) => {
    if (isAway) return response.destroy();
    const chunks: Buffer[] = await Array.fromAsync(request);
    const answer = await fetch(`${app.url}${request.url}`, {
      method: request.method ?? 'GET',
      headers: Object.entries(request.headers).flatMap(([name, value]): [string, string][] =>
        ['x-api-key', 'content-type', 'if-none-match'].includes(name) ? [[name, String(value)]] : [],
      ),
      ...(chunks.length === 0 ? {} : { body: Buffer.concat(chunks) }),
    });
    if (request.url?.includes('/document?')) statuses.push(answer.status);
    response.writeHead(answer.status, { etag: answer.headers.get('etag') ?? '' }).end(await answer.text());
  });
  between.listen(0, '127.0.0.1');
  await once(between, 'listening');
  after(() => between.close());
  const own = await startSite(addressOf(between.address()));
  const titleOf = async (path: string) =>
    /<h1>([^<]*)/.exec(await (await fetch(`${own}${path}`)).text())?.[1];
  assert.equal(await titleOf('/'), 'Welcome');
  assert.equal(await titleOf('/'), 'Welcome');
  assert.deepEqual(statuses, [200, 304]);
  isAway = true;
  assert.equal(await titleOf('/'), 'Welcome');
  assert.equal(await titleOf('/about'), 'Please try again in a moment');
});
