import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import test, { after, suite } from 'node:test';
import { findFaults } from '../harness/axe.ts';
import { sharePage, startBrowser, withoutBrowser } from '../harness/browser.ts';
import { startModelProvider } from '../harness/model-provider.ts';
import { eventually } from '../harness/poll.ts';
import { startTestApp } from '../harness/test-app.ts';

const provider = await startModelProvider();
const app = await startTestApp({ LLM_BASE_URL: provider.url, LLM_TIMEOUT_SECONDS: '20' });
const { api } = await app.createTenant();
const openPage = sharePage(await startBrowser());

/** Starts a site of another origin whose policy forbids inline styles; its page shows the conversation of a token. */
const server = createServer((request, response) => {
  const { searchParams } = new URL(request.url ?? '/', 'http://localhost');
  const options = JSON.stringify({ token: searchParams.get('token'), greeting: 'How can I help?' });
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.setHeader('content-security-policy', "style-src 'none'");
  response.end(`<!doctype html>
<html lang="en"><head><title>A site</title><meta name="viewport" content="width=device-width, initial-scale=1">
<script src="${app.url}/assistant.js"></script></head>
<body><main><h1>Help</h1><div id="chat"></div></main><script>
window.answers = [];
const options = { ...${options}, onAnswer: (text) => window.answers.push(text) };
window.mounted = ${searchParams.has('bubble')}
  ? TesseraAssistant.bubble({ ...options, accent: '#facc15' }) : TesseraAssistant.mount('#chat', options);
</script></body></html>`);
});
await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
after(() => {
  server.closeAllConnections();
  server.close();
});
const address = server.address();
const site = `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;

suite('the assistant on a page', { skip: withoutBrowser() }, async () => {
  const llmConfiguration = { system: '', temperature: 0, model: 'm', max_tokens: 10 };
  const assistant = (await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration }))
    .body.id;
  const open = async (query = '') => {
    const body = { key: 'visitor', payload: { assistant_id: assistant } };
    const { token } = (await api.post('/api/ai/engage-conversation', body)).body;
    const page = await openPage(`${site}/?token=${encodeURIComponent(token)}${query}`);
    const input = page.getByLabel('Your message');
    const log = page.getByRole('log');
    return { page, input, log };
  };

  test('a visitor chats with the keyboard alone and reads the answer while it arrives', async () => {
    const half = Promise.withResolvers<void>();
    provider.answer = () => ({
      blocks: ['In <b>an</b> hour.'],
      before: (event) => (event === 5 ? half.promise : undefined),
    });
    const { page, input, log } = await open();
    assert.match(await log.innerText(), /Assistant\s+How can I help\?/);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.type('When does it leave?');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('And from where?');
    await page.keyboard.press('Enter');
    await eventually('a part of the answer to be shown', async () => /In <b>an/.test(await log.innerText()));
    assert.equal(await log.getAttribute('aria-busy'), 'true');
    assert.equal(await page.getByRole('status').innerText(), 'The answer is being written.');
    half.resolve();
    await eventually('the whole answer', async () => /In <b>an<\/b> hour\./.test(await log.innerText()));
    await eventually(
      'the answer to be announced',
      async () => (await log.getAttribute('aria-busy')) === null,
    );
    assert.deepEqual(await page.evaluate('answers'), ['In <b>an</b> hour.']);
    assert.match(await log.innerText(), /You\s+When does it leave\?\nAnd from where\?/);
    await eventually('the button to reappear', () => page.getByRole('button', { name: 'Send' }).isVisible());
    assert.equal(await input.evaluate((element) => element.matches(':focus')), true);
    assert.equal(await input.inputValue(), '');
  });

  test('a failed answer is reported, and the message can be sent again', async () => {
    provider.answer = () => ({ status: 500 });
    const { page, input, log } = await open();
    await input.fill('Hello?');
    await page.getByRole('button', { name: 'Send' }).click();
    await eventually('the error to be shown', async () =>
      /no answer/.test(await page.getByRole('alert').innerText()),
    );
    assert.equal(await input.inputValue(), 'Hello?');
    assert.doesNotMatch(await log.innerText(), /Hello/);
    provider.answer = () => ({ blocks: ['Here I am'] });
    await page.getByRole('button', { name: 'Send' }).click();
    await eventually('the answer', async () => /Here I am/.test(await log.innerText()));
    assert.equal(await page.getByRole('alert').innerText(), '');
  });

  test('text on an accent colour of any colour space is readable', async () => {
    const { page } = await open();
    const textColours = await page.evaluate(`[
      '#facc15', 'navy', 'oklch(0.95 0.05 90)', 'oklch(0.3 0.1 260)', 'color(display-p3 1 1 0)', 'lab(20 0 0)',
    ].map((accent) => {
      const bubble = TesseraAssistant.bubble({ token: 't', accent });
      const colour = document.body.lastElementChild.style.getPropertyValue('--tessera-on-accent');
      bubble.unmount();
      return colour;
    })`);
    assert.deepEqual(textColours, ['#000', '#fff', '#000', '#fff', '#000', '#fff']);
  });

  test('Escape ends a running answer', async () => {
    provider.requests.length = 0;
    provider.answer = () => ({ blocks: ['word '.repeat(500)], pauseMs: 50 });
    const { page, input, log } = await open();
    await input.fill('Tell me everything');
    await page.keyboard.press('Enter');
    await eventually('the answer to begin', async () => /word/.test(await log.innerText()));
    await page.keyboard.press('Escape');
    await eventually(
      'the request to the provider to be aborted',
      async () => provider.requests[0]?.isGone() === true,
    );
    await eventually(
      'the message to be back in the input',
      async () => (await input.inputValue()) === 'Tell me everything',
    );
    assert.equal(await page.getByRole('alert').innerText(), '');
  });

  test('axe finds no violations, and removing the conversation leaves nothing', async () => {
    provider.answer = () => ({ blocks: ['Yes.'] });
    const { page, input, log } = await open();
    await input.fill('Is it accessible?');
    await page.keyboard.press('Enter');
    await eventually('the answer', async () => /Yes\./.test(await log.innerText()));
    assert.deepEqual(await findFaults(page), []);
    await page.evaluate('mounted.unmount()');
    assert.equal(await page.locator('#chat > *').count(), 0);
  });

  test('a bubble opens and closes with the keyboard, moving the focus to its input and back', async () => {
    provider.answer = () => ({ blocks: ['At three.'] });
    const { page, log } = await open('&bubble');
    const dialog = page.getByRole('dialog', { name: 'Conversation' });
    assert.equal(await dialog.isVisible(), false);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    assert.equal(await dialog.isVisible(), true);
    await page.keyboard.type('When?');
    await page.keyboard.press('Enter');
    await eventually('the answer', async () => /At three\./.test(await log.innerText()));
    assert.deepEqual(await findFaults(page), []);
    await page.keyboard.press('Escape');
    assert.equal(await dialog.isVisible(), false);
    await page.keyboard.press('Enter');
    assert.match(await log.innerText(), /At three\./);
  });

  test('text on a light accent colour is black', async () => {
    const { page } = await open('&bubble');
    const color =
      "getComputedStyle(document.body.lastElementChild.shadowRoot.querySelector('.launcher')).color";
    assert.equal(await page.evaluate(color), 'rgb(0, 0, 0)');
  });

  test('the window of a bubble fills the screen of a phone', async () => {
    const { page } = await open('&bubble');
    const before = page.viewportSize();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'Open the conversation' }).click();
    const { width, height } = (await page.getByRole('dialog').boundingBox()) ?? { width: 0, height: 0 };
    if (before !== null) await page.setViewportSize(before);
    assert.deepEqual([width, Math.round(height)], [390, 844]);
  });
});
