import assert from 'node:assert/strict';
import test from 'node:test';
import { type Script, startModelProvider } from '../../../../test/harness/model-provider.ts';
import { eventsIn } from '../../../../test/harness/server-events.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';

const provider = await startModelProvider();
const app = await startOwnApp({ LLM_BASE_URL: provider.url, LLM_TIMEOUT_SECONDS: '2' });
const { api } = await app.createTenant();

async function createThread(tools: readonly object[] = [], messages: readonly object[] = []) {
  const llmConfiguration = { system: '', temperature: 0, model: 'm', max_tokens: 10, tools };
  const assistant = { name: 'A', description: '', llmConfiguration };
  const assistant_id = (await api.post('/api/ai/assistants', assistant)).body.id;
  const thread = { version: 0, created_at: '2026-01-01T00:00:00Z', assistant_id, user_id: 'u', messages };
  return { assistant_id, id: String((await api.post('/api/ai/threads', thread)).body.id) };
}

const frames = (...events: readonly object[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');
const START = { type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 0 } } };
const TEXT = { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } };
const SAID = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Grüße 😀' } };
const END = { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } };
const STOP = { type: 'message_stop' };
const BEGUN = frames(START, TEXT, SAID);
const WHOLE = { content: [{ type: 'text', text: 'Grüße 😀' }], stop_reason: 'end_turn' };

for (const [what, raw] of [
  ['[DONE] behind the end', { body: `${BEGUN}${frames(END)}data: [DONE]\n\n` }],
  ['[DONE] without a blank', { body: `${BEGUN}${frames(END)}data:[DONE]\n\n` }],
  ['[DONE] instead of an end', { body: `${BEGUN}data: [DONE]\n\n` }],
  ['[DONE] without a line break', { body: `${BEGUN}data: [DONE]` }],
  ['comments between events', { body: `: OPENROUTER PROCESSING\n\n${BEGUN}: keep-alive\n\n${frames(END)}` }],
  ['a connection that breaks behind the end', { body: `${BEGUN}${frames(END)}`, isBroken: true }],
  [
    'an error behind the end',
    { body: `${BEGUN}${frames(END, { type: 'error', error: { message: 'late' } })}` },
  ],
  ['what is no event behind the end', { body: `${BEGUN}${frames(END)}data: end of stream\n\n` }],
  ['events as text/plain', { type: 'text/plain', body: `${BEGUN}${frames(END, STOP)}` }],
  ['events without a type', { type: '', body: `event: message_start\n${BEGUN}${frames(END, STOP)}` }],
  ['events as JSON', { type: 'application/json', body: `: ping\n\n${BEGUN}${frames(END, STOP)}` }],
  ['a whole answer', { type: 'application/json', body: JSON.stringify(WHOLE) }],
  ['a whole answer with a mark', { type: 'text/plain', body: `\ufeff\n${JSON.stringify(WHOLE)}` }],
  ['a type in capitals', { type: 'Text/Event-Stream; charset=UTF-8', body: `${BEGUN}${frames(END, STOP)}` }],
] satisfies [string, NonNullable<Script['raw']>][])
  test(`an answer is accepted: ${what}`, async () => {
    provider.answer = () => ({ raw: { type: 'text/event-stream', ...raw } });
    const { id } = await createThread();
    const headers = { accept: 'text/event-stream' };
    const { text } = await api.post(`/api/ai/threads/${id}/reply`, { message: 'Hi' }, 200, { headers });
    const events = eventsIn(text);
    assert.deepEqual(
      events.map(({ event, data }) => [event, data.text ?? data.content?.[0].text ?? data.message]),
      [
        ['delta', 'Grüße 😀'],
        ['message', 'Grüße 😀'],
      ],
    );
    assert.equal((await api.get(`/api/ai/threads/${id}`)).body.messages.length, 2);
  });

for (const [what, body, message] of [
  ['an error with a code', frames({ error: { code: 502, message: 'upstream failed' } }), /upstream failed/],
  ['an error that is a text', frames({ type: 'error', error: 'no credits' }), /no credits/],
  ['an error with its message beside', frames({ type: 'error', message: 'too long' }), /too long/],
  ['an error in details', frames({ type: 'error', error: { detail: [{ msg: 'bad role' }] } }), /bad role/],
  ['an error as a whole answer', JSON.stringify({ error: { message: 'no such model' } }), /no such model/],
  ['a page', '<html>Bad gateway</html>', /not a message/],
  ['nothing', '', /stopped before|not a message/],
  ['an end of the stream alone', ': ping\n\n', /stopped before/],
] as const)
  test(`an error with status 200 is reported: ${what}`, async () => {
    const type = body.startsWith('data') ? 'text/event-stream' : 'application/json';
    provider.answer = () => ({ raw: { type, body } });
    const { id } = await createThread();
    const failed = await api.post(`/api/ai/threads/${id}/reply`, { message: 'Hi' }, 502);
    assert.match(failed.body.message, message);
  });

test('an overload reported with status 200 is retried once', async () => {
  for (const error of [{ code: 429, message: 'x' }, { code: '503' }, { type: 'rate_limit_error' }])
    for (const body of [frames({ error }), JSON.stringify({ error })]) {
      const { id } = await createThread();
      let count = 0;
      const type = body.startsWith('data') ? 'text/event-stream' : 'application/json';
      provider.answer = () => {
        count += 1;
        return count === 1 ? { raw: { type, body } } : { blocks: ['Yes'] };
      };
      assert.equal(
        (await api.post(`/api/ai/threads/${id}/reply`, { message: 'Hi' })).body.content[0].text,
        'Yes',
      );
    }
});

test('the reason of an error is reported in whatever form it arrives', async () => {
  for (const [body, message] of [
    ['{"error":{"message":"reason"}}', 'reason'],
    ['{"error":"reason"}', 'reason'],
    ['{"message":"reason"}', 'reason'],
    ['{"detail":"reason"}', 'reason'],
    ['{"detail":[{"loc":["body"],"msg":"reason"}]}', 'reason'],
    ['{"errors":[{"message":"reason"}]}', 'reason'],
    ['[{"error":{"code":400,"message":"reason"}}]', 'reason'],
    ['reason', 'reason'],
  ] as const) {
    provider.answer = () => ({ status: 400, raw: { body } });
    const { id } = await createThread();
    const failed = await api.post(`/api/ai/threads/${id}/reply`, { message: 'Hi' }, 502);
    assert.equal(failed.body.message, `The model provider answered 400: ${message}`);
  }
  for (const body of ['<html>no</html>', '{', '', '{"error":{}}']) {
    provider.answer = () => ({ status: 404, raw: { type: 'text/html', body } });
    const { id } = await createThread();
    const failed = await api.post(`/api/ai/threads/${id}/reply`, { message: 'Hi' }, 502);
    assert.equal(failed.body.message, 'The model provider answered 404');
  }
});

const tool = {
  name: 'look',
  description: '',
  input_schema: { type: 'object', properties: {}, required: [] },
};
const messageOf = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] });

test('a thread with tool calls continues after the assistant has lost its tools', async () => {
  const call = { type: 'tool_use', id: 'functions.look:0', name: 'look', input: { at: 1 } };
  const result = { type: 'tool_result', tool_use_id: call.id, content: [{ type: 'text', text: 'a cat' }] };
  const { assistant_id, id } = await createThread(
    [tool],
    [messageOf('user', 'Look'), { role: 'assistant', content: [call] }, { role: 'user', content: [result] }],
  );
  provider.requests.length = 0;
  provider.answer = () => ({ blocks: ['A cat.'] });
  await api.post(`/api/ai/threads/${id}/reply`, undefined);
  const { body: assistant } = await api.get(`/api/ai/assistants/${assistant_id}`);
  const { name, description, llmConfiguration } = assistant;
  await api.put(`/api/ai/assistants/${assistant_id}`, {
    ...{ name, description, llmConfiguration: { ...llmConfiguration, tools: [] } },
  });
  await api.post(`/api/ai/threads/${id}/reply`, { message: 'And now?' });
  const [before, after] = provider.requests.map(({ body }) => body);
  assert.deepEqual(before.messages[1].content, [{ ...call, id: 'functions_look_0' }]);
  assert.equal(before.messages[2].content[0].tool_use_id, 'functions_look_0');
  assert.equal('tools' in after, false);
  assert.deepEqual(after.messages.slice(1, 3), [
    messageOf('assistant', '(Tool look: {"at":1})'),
    messageOf('user', '(Result of the tool: a cat)'),
  ]);
});

test('a thread that begins with a greeting begins with the user for the provider, without an empty prompt', async () => {
  provider.requests.length = 0;
  provider.answer = () => ({ blocks: ['Yes'] });
  const { id } = await createThread([], [messageOf('assistant', 'How can I help?')]);
  await api.post(`/api/ai/threads/${id}/reply`, { message: 'Hi' });
  assert.deepEqual(
    provider.requests[0]?.body.messages.map(({ role }: { role: string }) => role),
    ['user', 'assistant', 'user'],
  );
  assert.equal('system' in (provider.requests[0]?.body ?? {}), false);
});
