/** One tenant has its maximum of slow calls to the model provider; the other is served without delay. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { waitForProvider } from '../../src/model-provider/provider-turns.ts';
import { startModelProvider } from '../harness/model-provider.ts';
import { startOwnApp } from '../harness/test-app.ts';

const provider = await startModelProvider();
const app = await startOwnApp({ LLM_BASE_URL: provider.url });
const { platform } = app.app;
const [attacker, other] = [await app.createTenant(), await app.createTenant()];
const MAX_PER_TENANT = 40;
const llmConfiguration = { system: 'Be brief.', temperature: 0, model: 'model', max_tokens: 100 };

const facts = { version: 0, created_at: '2026-01-01T00:00:00Z', user_id: 'u' };

/** Creates a thread in which the user has spoken last. */
async function threadOf({ api }: typeof other, text: string): Promise<string> {
  const assistant = { name: 'Assistant', description: '', llmConfiguration };
  const { id: assistant_id } = (await api.post('/api/ai/assistants', assistant)).body;
  const messages = [{ role: 'user', content: [{ type: 'text', text }] }];
  return (await api.post('/api/ai/threads', { ...facts, assistant_id, messages })).body.id;
}

test('a tenant has at most 40 concurrent calls and further ones wait, while another tenant is answered', async () => {
  const [own, foreign] = [await threadOf(attacker, 'Attack'), await threadOf(other, 'Hello')];
  const inside = await Promise.all(
    Array.from({ length: MAX_PER_TENANT }, () => waitForProvider(platform, attacker.tenantId)),
  );
  const waiting = attacker.api.post(`/api/ai/threads/${own}/reply`, {});
  await other.api.post(`/api/ai/threads/${foreign}/reply`, {});
  await other.api.post(`/api/ai/threads/${foreign}/reply`, { message: 'Again' });
  const saidTo = () => provider.requests.map(({ body }) => body.messages[0].content[0].text);
  assert.deepEqual(saidTo(), ['Hello', 'Hello']);
  for (const leave of inside) leave();
  await waiting;
  assert.deepEqual(saidTo(), ['Hello', 'Hello', 'Attack']);
});
