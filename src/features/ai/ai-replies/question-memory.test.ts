import assert from 'node:assert/strict';
import test from 'node:test';
import { startModelProvider } from '../../../../test/harness/model-provider.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const provider = await startModelProvider();
const app = await startTestApp({ LLM_BASE_URL: provider.url });
const { api } = await app.createTenant();
const llmConfiguration = { system: '', temperature: 0, model: 'm', max_tokens: 10 };
const assistant_id = (await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration }))
  .body.id;

/** Two of these exceed a tenant's memory. */
const LONG = 'x'.repeat(9 * 1024 * 1024);
async function createThread(text: string): Promise<string> {
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }];
  const body = { version: 0, created_at: '2026-01-01T00:00:00Z', assistant_id, user_id: 'u', messages };
  return (await api.post('/api/ai/threads', body)).body.id;
}
const reply = (id: string, status = 200) => api.post(`/api/ai/threads/${id}/reply`, {}, status);

test('a long thread waits for memory without delaying short ones', async () => {
  const [first, second, short] = [
    await createThread(LONG),
    await createThread(LONG),
    await createThread('a'),
  ];
  const release = Promise.withResolvers<void>();
  const isLong = ({ content }: { content: { text: string }[] }) => content[0]?.text === LONG;
  const countLong = () => provider.requests.filter(({ body }) => isLong(body.messages[0])).length;
  provider.answer = ({ body }) => (isLong(body.messages[0]) ? { before: () => release.promise } : {});
  const answers = [reply(first)];
  await eventually('the first question to reach the provider', async () => countLong() === 1);
  answers.push(reply(second));
  for (let number = 0; number < 30; number += 1) await reply(short);
  assert.equal(countLong(), 1);
  release.resolve();
  await Promise.all(answers);
  assert.equal(countLong(), 2);
});

test('memory is released whatever the result of the question', async () => {
  const id = await createThread(LONG);
  const headers = { accept: 'text/event-stream' };
  provider.answer = () => ({ status: 500 });
  for (let number = 0; number < 3; number += 1) {
    await reply(id, 502);
    await api.post(`/api/ai/threads/${id}/reply`, {}, 200, { headers });
  }
  provider.answer = () => ({ blocks: ['Yes'] });
  await api.post(`/api/ai/threads/${id}/reply`, {}, 200, { headers });
  await reply(id);
});
