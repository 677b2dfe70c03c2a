import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { startModelProvider } from '../../../../test/harness/model-provider.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { AppError } from '../../../errors/app-error.ts';
import { ActionFailure } from '../../../flows/action-type.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { runAssistant } from './run-assistant.ts';

const provider = await startModelProvider();
const app = await startTestApp({ LLM_BASE_URL: provider.url });
const { api, tenantId } = await app.createTenant();
const llmConfiguration = { system: 'Be brief.', temperature: 0, model: 'm', max_tokens: 10 };
const assistant_id = (await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration }))
  .body.id;
const { platform } = app.app;
const context = {
  platform,
  db: platform.scoped(wholeTenant(tenantId)),
  actor: { kind: 'automation', key: 'ask', runId: randomUUID(), chain: [], depth: 1 },
  now: new Date(),
  openSecret: (sealed: string) => sealed,
  idempotencyKey: randomUUID(),
  timeoutMs: 5000,
} as const;

test('an automation calls an assistant without a thread and gets the text of its answer', async () => {
  provider.answer = () => ({ blocks: ['First.', { name: 'look', input: {} }, 'Second.'] });
  const result = await runAssistant.call(context, { assistant_id, message: 'What?' });
  assert.deepEqual(result, { message: 'First.\nSecond.' });
  const { body } = provider.requests[0] ?? {};
  assert.deepEqual(
    [body.system, body.messages],
    ['Be brief.', [{ role: 'user', content: [{ type: 'text', text: 'What?' }] }]],
  );
  const { results } = (await api.get('/api/ai/usage')).body;
  assert.equal(results[0].assistant_id, assistant_id);
});

test('a missing assistant, an error of the provider and invalid parameters fail the action', async () => {
  const absent = { assistant_id: randomUUID(), message: 'What?' };
  await assert.rejects(runAssistant.call(context, absent), AppError);
  await assert.rejects(runAssistant.preview(context, absent), AppError);
  provider.answer = () => ({ status: 500 });
  await assert.rejects(runAssistant.call(context, { assistant_id, message: 'What?' }), AppError);
  await assert.rejects(runAssistant.call(context, { assistant_id }), ActionFailure);
});

test('a dry run does not call the provider', async () => {
  provider.requests.length = 0;
  await runAssistant.preview(context, { assistant_id, message: 'What?' });
  assert.equal(provider.requests.length, 0);
});
