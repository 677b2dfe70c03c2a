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
import { enqueueOutdated } from '../jobs.ts';

const provider = await startModelProvider();
const env = { EMBEDDINGS_BASE_URL: provider.url, EMBEDDINGS_MODEL: 'vectors-1' };
const item = (id: string, input: string) => ({ id, input, metadata: {} });

async function createIndex(api: ReturnType<typeof createClient>): Promise<string> {
  const name = `index-${randomUUID()}`;
  await api.post('/api/ai/indexes', { name, contentsDescription: 'x', metadataDefinition: [] });
  return name;
}

/** A provider that refuses larger batches, and batches with a text for which `isBad` is true. */
function picky(status: number, error: string, isBad: (text: string) => boolean, most = 100) {
  return ({ body }: { readonly body: { readonly input: readonly string[] } }): Script =>
    body.input.length > most || body.input.some(isBad) ? { status, error } : {};
}

/** The same, with a body of its own. */
function rawly(status: number, body: string, isBad: (text: string) => boolean) {
  return ({ body: { input } }: { readonly body: { readonly input: readonly string[] } }): Script =>
    input.some(isBad) ? { status, raw: { body } } : {};
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
  ['too long (text)', 'L'.repeat(9000), rawly(413, 'input is too long', long), /413: input is too long/],
  ['too long (detail)', 'L'.repeat(9000), rawly(422, '{"detail":"too long"}', long), /422: too long/],
  [
    'too long (error)',
    'L'.repeat(9000),
    rawly(500, '{"error":"input length exceeds the context length"}', long),
    /500: /,
  ],
  [
    'not a number (Ollama)',
    'n',
    rawly(500, '{"error":"failed to encode response: json: unsupported value: NaN"}', (text) => text === 'n'),
    /NaN/,
  ],
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
  test(`a text that is ${what} is skipped and named, and all others are stored`, async () => {
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

/** Bodies in which the vectors of some texts are missing or unusable, as gateways write them. */
const bodyOf = (vectors: readonly string[]) =>
  `{"object":"list","data":[${vectors.map((vector, index) => `{"index":${index},"embedding":${vector}}`).join()}]}`;

for (const [what, vector, message] of [
  ['is null', 'null', /did not return a vector/],
  ['is empty', '[]', /did not return a vector/],
  ['has a null', '[1,null,0,1]', /did not return a vector/],
  ['is NaN', '[NaN, NaN, NaN, NaN]', /did not return a vector/],
  ['is infinite', '[1e999,0,0,1]', /did not return a vector/],
  ['is minus infinity', '[-Infinity,0,0,1]', /did not return a vector/],
  ['has texts', '["1","2","3","4"]', /did not return a vector/],
  ['is a text', '"AACAPw=="', /did not return a vector/],
  ['is left out', '', /0 vectors for 1 texts/],
] as const)
  test(`a text whose vector ${what} is skipped, and all others are stored`, async () => {
    provider.answer = ({ body: { input } }) => {
      const vectors = input.map((text: string) => (text === 'bad' ? vector : '[1,2,3,4]'));
      return { raw: { body: bodyOf(vectors.filter((each: string) => each !== '')) } };
    };
    const name = await createIndex(api);
    const data = Array.from({ length: 9 }, (_each, at) => item(`i${at}`, at === 4 ? 'bad' : `t${at}`));
    const { body } = await api.post(`/api/ai/indexes/${name}/upsert`, { data });
    assert.deepEqual([body.skipped.length, body.skipped[0].id], [1, 'i4']);
    assert.match(body.skipped[0].message, message);
    assert.equal((await api.get(`/api/ai/indexes/${name}`)).body.item_count, 8);
    await api.post(`/api/ai/indexes/${name}/query`, { input: 'bad' }, 400);
    provider.answer = () => ({});
  });

test('vectors are assigned by their index, or in order if the indexes are invalid', async () => {
  const vectors = ['[1,0]', '[0,1]', '[1,1]'];
  const data = ['a', 'b', 'c'].map((id) => item(id, id));
  const vectorOf = ['"index":0,', '"index":1,', '"index":2,'];
  for (const [numbers, order] of [
    [vectorOf, [2, 0, 1]],
    [
      ['', '', ''],
      [0, 1, 2],
    ],
    [
      ['"index":0,', '"index":0,', '"index":0,'],
      [0, 1, 2],
    ],
    [
      ['"index":null,', '"index":null,', '"index":null,'],
      [0, 1, 2],
    ],
  ] as const) {
    const own = await createIndex(api);
    const parts = order.map((at) => `{${numbers[at]}"embedding":${vectors[at]}}`);
    provider.answer = ({ body: { input } }) => ({
      raw: { body: input.length === 3 ? `{"data":[${parts}]}` : '{"data":[{"embedding":[0,7]}]}' },
    });
    await api.post(`/api/ai/indexes/${own}/upsert`, { data });
    const { results } = (await api.post(`/api/ai/indexes/${own}/query`, { input: 'b', top_k: 1 })).body;
    assert.deepEqual([results[0].id, results[0].score], ['b', 1]);
  }
  provider.answer = () => ({});
});

test('very large and very small numbers of a vector are stored as precisely as the database can', async () => {
  for (const vector of [
    '[1e308,1e308]',
    '[3.4e38,3.4e38]',
    '[1e-300,1e-300]',
    '[1,1,1e-44]',
    '[7,7,5e-324]',
  ]) {
    const own = await createIndex(api);
    provider.answer = ({ body: { input } }) => ({ raw: { body: bodyOf(input.map(() => vector)) } });
    await api.post(`/api/ai/indexes/${own}/upsert`, { data: [item('a', 'x')] });
    const { results } = (await api.post(`/api/ai/indexes/${own}/query`, { input: 'x' })).body;
    assert.equal(results[0].score, 1, vector);
  }
  provider.answer = () => ({});
});

test('a request to an overloaded provider is repeated once with the same texts', async () => {
  const name = await createIndex(api);
  const overloads: [number, Record<string, string>][] = [
    [429, { 'retry-after': '0' }],
    [429, { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }],
    [503, {}],
    [529, { 'retry-after': '-1' }],
  ];
  for (const [status, headers] of overloads) {
    let count = 0;
    provider.requests.length = 0;
    provider.answer = () => {
      count += 1;
      return count === 1 ? { status, headers, error: 'slow down' } : {};
    };
    const data = [item('a', 'one'), item('b', 'two')];
    assert.deepEqual((await api.post(`/api/ai/indexes/${name}/upsert`, { data })).body, { success: true });
    assert.deepEqual(
      provider.requests.map(({ body }) => body.input),
      [
        ['one', 'two'],
        ['one', 'two'],
      ],
    );
  }
  provider.answer = () => ({});
});

test('a response without a list of vectors is an error of the provider, after one call', async () => {
  const name = await createIndex(api);
  for (const body of ['<html>', '{}', '{"data":null}', '{"data":{}}', '[]', '', '{"embeddings":[[1]]}']) {
    provider.requests.length = 0;
    provider.answer = () => ({ raw: { body } });
    await api.post(`/api/ai/indexes/${name}/upsert`, { data: [item('a', 'x'), item('b', 'y')] }, 502);
    assert.equal(provider.requests.length, 1);
  }
  provider.answer = () => ({});
});

test('the maximum batch of a provider is learned from its errors', async () => {
  for (const [most, status, error] of [
    [64, 400, 'batch size 100 > maximum allowed batch size 64'],
    [32, 422, 'batch size 100 > maximum allowed batch size 32'],
    [10, 413, 'payload too large'],
    [1, 400, 'only one input is supported'],
    [96, 400, 'invalid request: total number of texts must be at most 96, got 100'],
    [16, 400, 'Too many inputs. The max number of inputs is 16.'],
    [2, 500, 'too large a batch'],
  ] as const) {
    const own = await startOwnApp(env);
    const tenant = await own.createTenant();
    const name = await createIndex(tenant.api);
    provider.answer = picky(status, error, () => false, most);
    const fill = async () => {
      provider.requests.length = 0;
      const data = Array.from({ length: 200 }, (_each, at) => item(`i${at}`, `t${at}`));
      assert.deepEqual((await tenant.api.post(`/api/ai/indexes/${name}/upsert`, { data })).body, {
        success: true,
      });
      return provider.requests.map(({ body }) => body.input.length);
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

test('a provider that rejects every text causes a provider error, not errors of the texts', async () => {
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
    provider.requests.length = 0;
    const { body } = await api.post(`/api/ai/indexes/${name}/upsert`, { data }, 502);
    assert.equal(body.message, `The embeddings provider answered ${status}: ${error}`);
    assert.ok(provider.requests.length <= 10, String(provider.requests.length));
  }
  provider.answer = () => ({});
});

test('vectors of another length than those of the index are rejected', async () => {
  const name = await createIndex(api);
  await api.post(`/api/ai/indexes/${name}/upsert`, { data: [item('a', 'one')] });
  for (const embed of [() => [1, 2], () => [1, 2, 3, 4, 5]]) {
    provider.answer = () => ({ embed });
    const upsert = await api.post(`/api/ai/indexes/${name}/upsert`, { data: [item('b', 'two')] }, 502);
    assert.match(upsert.body.message, /vectors of \d dimensions; the index has 4/);
    await api.post(`/api/ai/indexes/${name}/query`, { input: 'one' }, 502);
  }
  provider.answer = () => ({});
  assert.equal((await api.post(`/api/ai/indexes/${name}/query`, { input: 'one' })).body.results[0].id, 'a');
});

test('a job for a new model skips rejected texts, marks them, and never sends them again', async () => {
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
    await eventually('the vectors to be computed', async () => {
      const { pending_count, embedding_error } = await index();
      return pending_count === 0 && embedding_error === null;
    });
    assert.deepEqual([(await index()).item_count, (await index()).failed_count], [124, 4]);
    for (const [at, text] of bad.entries()) {
      const { body } = await client.get(`/api/ai/indexes/${name}/items/i${120 + at}`);
      assert.match(body.embedding_error, text.trim() === '' ? /must not be empty/ : /400: refused/);
    }
    provider.requests.length = 0;
    await enqueueOutdated(next.platform);
    assert.equal(await client.get(`/api/ai/indexes/${name}`).then(({ body }) => body.pending_count), 0);
    assert.equal(provider.requests.length, 0);
    await client.post(`/api/ai/indexes/${name}/upsert`, { data: [item('i120', 'repaired')] });
    assert.equal((await index()).failed_count, 3);
  } finally {
    provider.answer = () => ({});
    await next.stop();
  }
});
