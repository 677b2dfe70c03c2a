import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { startModelProvider } from '../../../../test/harness/model-provider.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const provider = await startModelProvider();
const app = await startTestApp({
  LLM_BASE_URL: provider.url,
  EMBEDDINGS_BASE_URL: provider.url,
  EMBEDDINGS_MODEL: 'vectors-1',
});
const { api } = await app.createTenant();

const createIndex = (name: string, fieldName: string) =>
  api.post('/api/ai/indexes', {
    name,
    contentsDescription: 'Help',
    metadataDefinition: [{ fieldName, fieldType: 'string' }],
  });
const fill = (name: string, metadata: object) =>
  api.post(`/api/ai/indexes/${name}/upsert`, { data: [{ id: 'one', input: 'A ticket', metadata }] });
const createAssistant = async (knowledge: object[]): Promise<string> => {
  const llmConfiguration = { system: '', temperature: 0, model: 'm', max_tokens: 10 };
  return (await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration, knowledge }))
    .body.id;
};
const ask = async (assistant_id: string) => {
  const body = { version: 0, created_at: '2026-01-01T00:00:00Z', assistant_id, user_id: 'u', messages: [] };
  const { id } = (await api.post('/api/ai/threads', body)).body;
  provider.requests.length = 0;
  const { metadata } = (await api.post(`/api/ai/threads/${id}/reply`, { message: 'A ticket?' })).body;
  return (metadata?.sources ?? []).map(({ index }: { index: string }) => index);
};

test('a question for several indexes is converted to a vector once', async () => {
  const names = [1, 2, 3].map(() => `help-${randomUUID()}`);
  for (const name of names) {
    await createIndex(name, 'kind');
    await fill(name, {});
  }
  const assistant = await createAssistant(names.map((index) => ({ index })));
  assert.deepEqual(await ask(assistant), names);
  assert.equal(provider.requests.filter(({ path }) => path === '/v1/embeddings').length, 1);
});

test('a recreated index without the required item fields is skipped', async () => {
  const [changed, other] = [`help-${randomUUID()}`, `help-${randomUUID()}`];
  for (const name of [changed, other]) {
    await createIndex(name, 'kind');
    await fill(name, { kind: 'public' });
  }
  const filter = { kind: 'public' };
  const assistant = await createAssistant([
    { index: changed, filter },
    { index: other, filter },
  ]);
  assert.deepEqual(await ask(assistant), [changed, other]);
  await api.delete(`/api/ai/indexes/${changed}`);
  await createIndex(changed, 'audience');
  await fill(changed, { audience: 'public' });
  assert.deepEqual(await ask(assistant), [other]);
});
