import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { pino } from 'pino';
import { createClient } from '../../../../../test/harness/client.ts';
import { type Script, startModelProvider } from '../../../../../test/harness/model-provider.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startOwnApp } from '../../../../../test/harness/test-app.ts';
import { startApp } from '../../../../app.ts';
import { loadConfig } from '../../../../config.ts';
import { askForNewVectors } from '../jobs.ts';

const provider = await startModelProvider();
const env = { EMBEDDINGS_BASE_URL: provider.url, EMBEDDINGS_MODEL: 'vectors-1' };
const item = (id: string, input: string) => ({ id, input, metadata: {} });

async function createIndex(api: ReturnType<typeof createClient>): Promise<string> {
  const name = `index-${randomUUID()}`;
  await api.post('/api/ai/indexes', { name, contentsDescription: 'x', metadataDefinition: [] });
  return name;
}

/** A provider that refuses batches of more texts than this, and batches with a text that `isBad`. */
function picky(status: number, error: string, isBad: (text: string) => boolean, most = 100) {
  return ({ body }: { readonly body: { readonly input: readonly string[] } }): Script =>
    body.input.length > most || body.input.some(isBad) ? { status, error } : {};
}

const app = await startOwnApp(env);
const { api } = await app.createTenant();

for (const [what, input, answer, message] of [
  ['empty', '', picky(400, 'input is empty', (text) => text === ''), /must not be empty/],
  ['of blanks', ' \n\t', picky(400, 'input is empty', (text) => text.trim() === ''), /must not be empty/],
  ['of a no-break space', '\u00a0', picky(400, 'empty', (text) => text.trim() === ''), /must not be empty/],
  ['too long (OpenAI)', 'L'.repeat(9000), picky(400, 'maximum context length is 8192', long), /400: maximum/],
  ['too long (TEI)', 'L'.repeat(9000), picky(413, 'must have less than 512 tokens', long), /413: must have/],
  ['too long (FastAPI)', 'L'.repeat(9000), picky(422, 'string too long', long), /422: string/],
  ['too long (llama.cpp)', 'L'.repeat(9000), picky(500, 'input is too large to process', long), /500: input/],
  ['too long (Ollama)', 'L'.repeat(9000), picky(500, 'input length exceeds context length', long), /500: /],
  [
    'with a special token',
    '<|endoftext|>',
    picky(400, 'disallowed special token', (t) => t.includes('<|')),
    /special/,
  ],
  ['of one character only', '.', picky(400, 'no tokens', (text) => text === '.'), /no tokens/],
  [
    'refused by a filter',
    'secret',
    picky(400, 'content_filter', (text) => text === 'secret'),
    /content_filter/,
  ],
] as const)
  test(`a text that is ${what} is skipped and named, and all others are written`, async () => {
    provider.answer = answer;
    const name = await createIndex(api);
    for (const place of [0, 5, 9]) {
      const data = Array.from({ length: 10 }, (_each, at) =>
        item(`${place}-${at}`, at === place ? input : `t${at}`),
      );
      const { body } = await api.post(`/api/ai/indexes/${name}/upsert`, { data });
      assert.deepEqual(
        [body.success, body.skipped.length, body.skipped[0].id],
        [true, 1, `${place}-${place}`],
      );
      assert.match(body.skipped[0].message, message);
    }
    const { item_count, pending_count, failed_count } = (await api.get(`/api/ai/indexes/${name}`)).body;
    assert.deepEqual([item_count, pending_count, failed_count], [27, 0, 0]);
    const alone = await api.post(`/api/ai/indexes/${name}/upsert`, { data: [item('x', input)] }, 400);
    assert.deepEqual([alone.body.issues[0].field], ['data[0].input']);
    const query = await api.post(`/api/ai/indexes/${name}/query`, { input }, 400);
    assert.equal(query.body.issues[0].field, 'input');
    provider.answer = () => ({});
  });

function long(text: string): boolean {
  return text.length > 8192;
}

test('how many texts a provider takes at once is learned from its refusals', async () => {
  for (const [most, status, error] of [
    [64, 400, 'batch size 100 > maximum allowed batch size 64'],
    [32, 422, 'batch size 100 > maximum allowed batch size 32'],
    [10, 413, 'payload too large'],
    [1, 400, 'only one input is supported'],
  ] as const) {
    const own = await startOwnApp(env);
    const tenant = await own.createTenant();
    const name = await createIndex(tenant.api);
    provider.answer = picky(status, error, () => false, most);
    const fill = async () => {
      provider.asked.length = 0;
      const data = Array.from({ length: 200 }, (_each, at) => item(`i${at}`, `t${at}`));
      assert.deepEqual((await tenant.api.post(`/api/ai/indexes/${name}/upsert`, { data })).body, {
        success: true,
      });
      return provider.asked.map(({ body }) => body.input.length);
    };
    await fill();
    const learned = await fill();
    assert.ok(
      learned.every((count) => count <= most),
      `at most ${most}: ${learned}`,
    );
    provider.answer = () => ({});
  }
});

test('a provider that refuses every text is an error of the provider, not of the texts', async () => {
  const name = await createIndex(api);
  const data = Array.from({ length: 40 }, (_each, at) => item(`i${at}`, `t${at}`));
  for (const [status, error] of [
    [400, 'unknown model vectors-1'],
    [422, 'encoding_format is required'],
    [413, 'nothing is accepted'],
    [401, 'no key'],
    [429, 'slow down'],
    [503, 'away'],
  ] as const) {
    provider.answer = () => ({ status, error });
    provider.asked.length = 0;
    const { body } = await api.post(`/api/ai/indexes/${name}/upsert`, { data }, 502);
    assert.equal(body.message, `The embeddings provider answered ${status}: ${error}`);
    assert.ok(provider.asked.length <= 10, String(provider.asked.length));
  }
  provider.answer = () => ({});
});

test('vectors of another length than those of the index are refused', async () => {
  const name = await createIndex(api);
  await api.post(`/api/ai/indexes/${name}/upsert`, { data: [item('a', 'one')] });
  for (const embed of [() => [1, 2], () => [1, 2, 3, 4, 5]]) {
    provider.answer = () => ({ embed });
    const upsert = await api.post(`/api/ai/indexes/${name}/upsert`, { data: [item('b', 'two')] }, 502);
    assert.match(upsert.body.message, /vectors of \d numbers; those of the index have 4/);
    await api.post(`/api/ai/indexes/${name}/query`, { input: 'one' }, 502);
  }
  provider.answer = () => ({});
  assert.equal((await api.post(`/api/ai/indexes/${name}/query`, { input: 'one' })).body.results[0].id, 'a');
});

test('a job for a new model passes over refused texts, marks them, and never sends them again', async () => {
  const old = await startOwnApp({});
  const tenant = await old.createTenant();
  const name = await createIndex(tenant.api);
  const bad = ['', ' ', 'L'.repeat(9000), '<|endoftext|>'];
  const texts = [...Array.from({ length: 120 }, (_each, at) => `t${at}`), ...bad];
  const data = texts.map((input, at) => item(`i${at}`, input));
  await tenant.api.post(`/api/ai/indexes/${name}/upsert`, { data });
  await old.app.stop();
  provider.answer = () => ({ status: 503, error: 'away' });
  const next = await startApp(loadConfig({ ...old.env, ...env }), { log: pino({ level: 'fatal' }) });
  try {
    const address = next.server.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const client = createClient(`http://127.0.0.1:${port}`, { 'x-api-key': tenant.apiKey });
    const index = async () => (await client.get(`/api/ai/indexes/${name}`)).body;
    await eventually('the error to be shown', async () =>
      /503: away/.test((await index()).embedding_error ?? ''),
    );
    assert.equal((await index()).pending_count, 124);
    provider.answer = picky(
      400,
      'refused',
      (text) => long(text) || text.trim() === '' || text.includes('<|'),
    );
    await eventually('the vectors to be made', async () => {
      const { pending_count, embedding_error } = await index();
      return pending_count === 0 && embedding_error === null;
    });
    assert.deepEqual([(await index()).item_count, (await index()).failed_count], [124, 4]);
    for (const [at, text] of bad.entries()) {
      const { body } = await client.get(`/api/ai/indexes/${name}/items/i${120 + at}`);
      assert.match(body.embedding_error, text.trim() === '' ? /must not be empty/ : /400: refused/);
    }
    provider.asked.length = 0;
    await askForNewVectors(next.platform);
    assert.equal(await client.get(`/api/ai/indexes/${name}`).then(({ body }) => body.pending_count), 0);
    assert.equal(provider.asked.length, 0);
    await client.post(`/api/ai/indexes/${name}/upsert`, { data: [item('i120', 'repaired')] });
    assert.equal((await index()).failed_count, 3);
  } finally {
    provider.answer = () => ({});
    await next.stop();
  }
});
