import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { pino } from 'pino';
import { createClient } from '../../../../../test/harness/client.ts';
import { startModelProvider } from '../../../../../test/harness/model-provider.ts';
import { eventually } from '../../../../../test/harness/poll.ts';
import { startOwnApp } from '../../../../../test/harness/test-app.ts';
import { startApp } from '../../../../app.ts';
import { loadConfig } from '../../../../config.ts';

const provider = await startModelProvider();
const env = {
  EMBEDDINGS_BASE_URL: provider.url,
  EMBEDDINGS_API_KEY: 'vector-key',
  EMBEDDINGS_MODEL: 'vectors-1',
  LLM_API_KEY: 'model-key',
};
const app = await startOwnApp(env);
const tenant = await app.createTenant();
const { api } = tenant;

const createIndex = async (client = api): Promise<string> =>
  (
    await client.post('/api/ai/indexes', {
      name: `index-${randomUUID()}`,
      contentsDescription: 'x',
      metadataDefinition: [],
    })
  ).body.name;
const item = (id: string, input: string) => ({ id, input, metadata: {} });

test('the provider converts texts to vectors, a hundred at a time and in order', async () => {
  const name = await createIndex();
  provider.requests.length = 0;
  const data = Array.from({ length: 150 }, (_each, number) => item(`i${number}`, 'o'.repeat(number + 1)));
  await api.post(`/api/ai/indexes/${name}/upsert`, { data });
  assert.deepEqual(
    provider.requests.map(({ path, headers, body }) => [
      path,
      headers.authorization,
      body.model,
      body.input.length,
    ]),
    [
      ['/v1/embeddings', 'Bearer vector-key', 'vectors-1', 100],
      ['/v1/embeddings', 'Bearer vector-key', 'vectors-1', 50],
    ],
  );
  const { results } = (await api.post(`/api/ai/indexes/${name}/query`, { input: 'ooo', top_k: 1 })).body;
  assert.deepEqual([results[0].id, Math.round(results[0].score * 1e4)], ['i2', 1e4]);
});

test('an error of the provider is reported as such, and nothing is written', async () => {
  const name = await createIndex();
  const data = [item('one', 'none')];
  provider.answer = () => ({ status: 500, error: 'broken' });
  const failed = await api.post(`/api/ai/indexes/${name}/upsert`, { data }, 502);
  assert.deepEqual(
    [failed.body.code, failed.body.message],
    ['LLM_PROVIDER_ERROR', 'The embeddings provider answered 500: broken'],
  );
  await api.post(`/api/ai/indexes/${name}/query`, { input: 'x' }, 502);
  provider.answer = () => ({});
  assert.equal((await api.get(`/api/ai/indexes/${name}`)).body.item_count, 0);
});

test('vectors of unequal length are rejected, also from separate requests', async () => {
  const name = await createIndex();
  provider.answer = () => ({ embed: (text) => (text === 'odd' ? [1, 2, 3] : [1, 2]) });
  const texts = ['even', 'odd', ...Array.from({ length: 120 }, () => 'even')];
  for (const inputs of [texts, texts.toReversed()]) {
    const data = inputs.map((input, number) => item(`i${number}`, input));
    const { body } = await api.post(`/api/ai/indexes/${name}/upsert`, { data }, 502);
    assert.equal(body.code, 'LLM_PROVIDER_ERROR');
  }
  provider.answer = () => ({});
  assert.equal((await api.get(`/api/ai/indexes/${name}`)).body.item_count, 0);
});

test("the provider's message is reported without the keys of either provider, also where it is truncated", async () => {
  const name = await createIndex();
  for (const error of ['for vector-key and model-key', `${'x'.repeat(292)} vector-key`]) {
    provider.answer = () => ({ status: 401, error });
    const { body } = await api.post(`/api/ai/indexes/${name}/query`, { input: 'x' }, 502);
    assert.match(body.message, /\[key/);
    assert.doesNotMatch(body.message, /vector|model-/);
  }
  provider.answer = () => ({});
});

test('after a change of the model a job recomputes all vectors, and queries find them again', async () => {
  const other = await startOwnApp({});
  const own = await other.createTenant();
  const name = await createIndex(own.api);
  const data = Array.from({ length: 130 }, (_each, number) => item(`i${number}`, 'e'.repeat(number + 1)));
  await own.api.post(`/api/ai/indexes/${name}/upsert`, { data });
  await other.app.stop();
  const next = await startApp(loadConfig({ ...other.env, ...env }), { log: pino({ level: 'fatal' }) });
  try {
    const address = next.server.server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const client = createClient(`http://127.0.0.1:${port}`, { 'x-api-key': own.apiKey });
    await eventually('the vectors to be computed', async () => {
      const { item_count, pending_count } = (await client.get(`/api/ai/indexes/${name}`)).body;
      return item_count === 130 && pending_count === 0;
    });
    const query = { input: 'eeee', top_k: 1 };
    assert.equal((await client.post(`/api/ai/indexes/${name}/query`, query)).body.results[0].id, 'i3');
  } finally {
    await next.stop();
  }
});
