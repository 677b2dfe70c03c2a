import assert from 'node:assert/strict';
import { once } from 'node:events';
import http, { type IncomingMessage } from 'node:http';
import test from 'node:test';
import { type Script, startModelProvider } from '../../../../test/harness/model-provider.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { eventsIn } from '../../../../test/harness/server-events.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';

const provider = await startModelProvider();
const env = { LLM_BASE_URL: provider.url, LLM_TIMEOUT_SECONDS: '0.3' };
const app = await startOwnApp(env);
const tenant = await app.createTenant();
const { api } = tenant;
const headers = { accept: 'text/event-stream' };

async function createThread(client = api): Promise<string> {
  const llmConfiguration = { system: '', temperature: 0, model: 'm', max_tokens: 10 };
  const { id } = (await client.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration }))
    .body;
  const body = {
    version: 0,
    created_at: '2026-01-01T00:00:00Z',
    assistant_id: id,
    user_id: 'u',
    messages: [],
  };
  return (await client.post('/api/ai/threads', body)).body.id;
}
const ask = async (id: string, message = 'Hello') => {
  const answer = await api.post(`/api/ai/threads/${id}/reply`, { message }, 200, { headers });
  assert.match(answer.headers.get('content-type') ?? '', /^text\/event-stream/);
  return eventsIn(answer.text);
};
const countMessages = async (id: string) => (await api.get(`/api/ai/threads/${id}`)).body.messages.length;
const answerWith = (script: Script) => {
  provider.answer = () => script;
  provider.requests.length = 0;
};

/** Opens a streamed reply that the test reads at its own pace. */
async function openReply(id: string, apiKey = tenant.apiKey, url = app.url): Promise<IncomingMessage> {
  const request = http.request(`${url}/api/ai/threads/${id}/reply`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', 'x-api-key': apiKey },
  });
  request.end(JSON.stringify({ message: 'Hello' }));
  const [response] = await once(request, 'response');
  return response;
}

test('an answer is streamed and then sent as the added message', async () => {
  answerWith({ blocks: ['In an hour.', { name: 'look', input: { a: [1] } }] });
  const id = await createThread();
  const events = await ask(id);
  assert.equal(provider.requests[0]?.body.stream, true);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['delta', 'delta', 'delta', 'message'],
  );
  assert.deepEqual(
    events.slice(0, 3).map(({ data }) => data),
    [{ text: 'In ' }, { text: 'an ' }, { text: 'hour.' }],
  );
  const { data } = events.at(-1) ?? {};
  assert.deepEqual(data, {
    role: 'assistant',
    content: [
      { type: 'text', text: 'In an hour.' },
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: { a: [1] } },
    ],
  });
  const { messages, version } = (await api.get(`/api/ai/threads/${id}`)).body;
  assert.deepEqual([version, messages.length, messages[1]], [1, 2, data]);
});

test('a broken stream ends with an error, and nothing is added', async () => {
  const id = await createThread();
  for (const fault of ['cut', 'malformed', 'error', 'no end', 'silence', 'drip', 'endless'] as const) {
    answerWith({ blocks: ['one two three'], fault });
    const events = await ask(id);
    const { event, data } = events.at(-1) ?? {};
    assert.deepEqual([event, data.code], ['error', 'LLM_PROVIDER_ERROR'], fault);
    assert.ok(events.some((each) => each.event === 'delta'));
    assert.equal(provider.requests.length, 1, fault);
    assert.equal(await countMessages(id), 0);
  }
});

test('a refusal of the provider is the only event of a stream', async () => {
  answerWith({ status: 400, error: 'no such model' });
  const events = await ask(await createThread());
  assert.deepEqual(
    events.map(({ event, data }) => [event, data.code]),
    [['error', 'LLM_PROVIDER_ERROR']],
  );
});

test('a request to a provider that is overloaded before the stream begins is repeated once', async () => {
  provider.requests.length = 0;
  provider.answer = (_asked, count) =>
    count === 1 ? { blocks: ['lost'], fault: 'overloaded' } : { blocks: ['found'] };
  const events = await ask(await createThread());
  assert.deepEqual(
    events.map(({ data }) => data.text ?? data.content[0].text),
    ['found', 'found'],
  );
});

test('a concurrent write ends the stream with a conflict instead of the message', async () => {
  const id = await createThread();
  const messages = [{ role: 'user', content: [{ type: 'text', text: 'Wait' }] }];
  answerWith({
    blocks: ['Yes'],
    before: async (event) => {
      if (event === 2) await api.put(`/api/ai/threads/${id}`, { version: 0, messages });
    },
  });
  assert.equal((await ask(id)).at(-1)?.data.code, 'VERSION_CONFLICT');
  assert.equal(await countMessages(id), 1);
});

test('the connection to the provider is closed when the reader disconnects, and nothing is added', async () => {
  const id = await createThread();
  answerWith({ blocks: ['word '.repeat(1000)], pauseMs: 20 });
  const response = await openReply(id);
  response.setEncoding('utf8');
  let read = '';
  response.on('data', (chunk) => {
    read += chunk;
  });
  await eventually('the answer to begin', async () => read.includes('word'));
  response.destroy();
  await eventually('the call to end', async () => provider.requests[0]?.isGone() === true);
  assert.equal(await countMessages(id), 0);
});

test('a draining process waits for the answer, which is added', async () => {
  const other = await startOwnApp({ ...env, LLM_TIMEOUT_SECONDS: '5' });
  const own = await other.createTenant();
  const id = await createThread(own.api);
  const drained = Promise.withResolvers<void>();
  answerWith({ blocks: ['one two three'], before: (event) => (event === 4 ? drained.promise : undefined) });
  const response = await openReply(id, own.apiKey, other.url);
  response.setEncoding('utf8');
  let read = '';
  response.on('data', (chunk) => {
    read += chunk;
  });
  await eventually('the answer to begin', async () => read.includes('one'));
  const stopped = other.app.stop();
  await eventually('the drain to begin', async () => other.app.platform.drain.started);
  drained.resolve();
  await Promise.all([once(response, 'end'), stopped]);
  assert.deepEqual(
    eventsIn(read).map(({ event }) => event),
    ['delta', 'delta', 'delta', 'message'],
  );
});
