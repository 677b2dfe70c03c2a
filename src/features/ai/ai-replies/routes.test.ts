import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { type Script, startModelProvider } from '../../../../test/harness/model-provider.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const provider = await startModelProvider();
const app = await startTestApp({
  LLM_BASE_URL: provider.url,
  LLM_API_KEY: 'secret-key-of-the-provider',
  LLM_MODELS: '{"llm-3-haiku-20240307": "small-1"}',
  LLM_TIMEOUT_SECONDS: '0.4',
});
const tenant = await app.createTenant();
const { api } = tenant;

const tools = [
  { name: 'look', description: 'Looks.', input_schema: { type: 'object', properties: {}, required: [] } },
];
const llmConfiguration = {
  system: 'Be brief.',
  temperature: 0.2,
  model: 'llm-3-haiku-20240307',
  max_tokens: 77,
  tools,
};
const createAssistant = async (more: object = {}): Promise<string> =>
  (await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration, ...more })).body.id;
const assistant = await createAssistant();
const text = (value: string, role = 'user') => ({ role, content: [{ type: 'text', text: value }] });
const createThread = async (messages: object[] = [], assistant_id = assistant): Promise<string> =>
  (
    await api.post('/api/ai/threads', {
      version: 0,
      created_at: '2026-01-01T00:00:00Z',
      assistant_id,
      user_id: 'u',
      messages,
    })
  ).body.id;
const reply = (id: string, body: object, status = 200) =>
  api.post(`/api/ai/threads/${id}/reply`, body, status);
const messagesOf = async (id: string) => (await api.get(`/api/ai/threads/${id}`)).body.messages;
const answerWith = (script: Script) => {
  provider.answer = () => script;
  provider.requests.length = 0;
};

test('an assistant answers, and both messages are added as one version', async () => {
  answerWith({ blocks: ['In an hour.'] });
  const id = await createThread([text('Hello'), text('Hi', 'assistant')]);
  const answer = (await reply(id, { message: 'When?' })).body;
  assert.deepEqual(answer, text('In an hour.', 'assistant'));
  const thread = (await api.get(`/api/ai/threads/${id}`)).body;
  assert.equal(thread.version, 1);
  assert.deepEqual(thread.messages.slice(2), [text('When?'), answer]);
});

test("the provider is called at /v1/messages with its key, its model name and the assistant's settings", async () => {
  answerWith({ blocks: ['Yes'] });
  const id = await createThread([{ ...text('Hello'), metadata: { own: 1 } }]);
  await reply(id, { message: { ...text('There?'), metadata: { own: 2 } } });
  const [asked] = provider.requests;
  assert.equal(asked?.path, '/v1/messages');
  assert.equal(asked?.headers['x-api-key'], 'secret-key-of-the-provider');
  assert.equal(asked?.headers['anthropic-version'], '2023-06-01');
  assert.deepEqual(asked?.body, {
    model: 'small-1',
    max_tokens: 77,
    temperature: 0.2,
    system: 'Be brief.',
    // Some providers refuse two messages of one role.
    messages: [{ role: 'user', content: [...text('Hello').content, ...text('There?').content] }],
    tools,
  });
});

test('a model without another name at the provider is requested by its own name', async () => {
  answerWith({ blocks: ['Yes'] });
  const own = await createAssistant({
    llmConfiguration: { ...llmConfiguration, model: 'own-model', tools: [] },
  });
  await reply(await createThread([], own), { message: 'x' });
  assert.equal(provider.requests[0]?.body.model, 'own-model');
  assert.equal('tools' in (provider.requests[0]?.body ?? {}), false);
});

test('without a message the thread is answered unchanged', async () => {
  answerWith({ blocks: ['Yes'] });
  const id = await createThread([text('Hello')]);
  await reply(id, {});
  assert.equal((await messagesOf(id)).length, 2);
  await api.post(`/api/ai/threads/${id}/reply`, undefined);
  assert.equal((await messagesOf(id)).length, 3);
});

test('an empty thread cannot be answered', async () => {
  answerWith({ blocks: ['Yes'] });
  const empty = await createThread();
  const blank = await createThread([text(' ')]);
  const nothing = [{}, { message: { role: 'user', content: [] } }, { message: text('') }];
  for (const id of [empty, blank])
    for (const body of nothing) {
      const answer = (await reply(id, body, 422)).body;
      assert.deepEqual([answer.code, answer.issues[0].field], ['VALIDATION_ERROR', 'message']);
    }
  assert.deepEqual([provider.requests.length, (await messagesOf(empty)).length], [0, 0]);
});

test('empty texts are not sent to the provider', async () => {
  answerWith({ blocks: ['Yes'] });
  const part = (value: string) => ({ type: 'text', text: value });
  const use = { type: 'tool_use', id: 'one', name: 'look', input: {} };
  const result = { type: 'tool_result', tool_use_id: 'one' };
  const id = await createThread([
    { role: 'user', content: [part(''), part('Look')] },
    { role: 'assistant', content: [part('\n'), use] },
  ]);
  await reply(id, {
    message: { role: 'user', content: [{ ...result, content: [part('a cat'), part('')] }] },
  });
  assert.deepEqual(provider.requests[0]?.body.messages, [
    text('Look'),
    { role: 'assistant', content: [use] },
    { role: 'user', content: [{ ...result, content: [part('a cat')] }] },
  ]);
});

test('tool calls go to the caller, who answers with their results', async () => {
  answerWith({ blocks: ['Let me look.', { name: 'look', input: { where: ['here', 1] } }] });
  const id = await createThread();
  const { content } = (await reply(id, { message: 'Look' })).body;
  assert.deepEqual(content[1], {
    type: 'tool_use',
    id: 'toolu_1',
    name: 'look',
    input: { where: ['here', 1] },
  });
  answerWith({ blocks: ['A cat.'] });
  const result = (tool_use_id: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id, content: [{ type: 'text', text: 'cat' }] }],
  });
  const unknown = await reply(id, { message: result('toolu_9') }, 400);
  assert.equal(unknown.body.issues[0].field, 'message.content[0].tool_use_id');
  assert.equal(provider.requests.length, 0);
  await reply(id, { message: result('toolu_1') });
  assert.equal(provider.requests[0]?.body.messages.length, 3);
  assert.equal((await messagesOf(id)).length, 4);
});

test('the input of a tool is converted to storable text, including its keys', async () => {
  const input = { 'a\u0000': 1, list: [{ '\ud800': '\udc00' }] };
  answerWith({ blocks: [{ name: 'look', input }] });
  const { content } = (await reply(await createThread(), { message: 'Look' })).body;
  assert.deepEqual(content[0].input, { 'a ': 1, list: [{ '\ufffd': '\ufffd' }] });
  answerWith({
    blocks: [{ name: 'look', input: JSON.parse(`{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`) }],
  });
  assert.equal((await reply(await createThread(), { message: 'Look' }, 502)).body.code, 'LLM_PROVIDER_ERROR');
});

test('an error of the provider is reported as such, and nothing is added', async () => {
  const faults: Script[] = [
    { status: 500, error: 'broken: secret-key-of-the-provider' },
    { status: 400, error: 'max_tokens is too large' },
    { status: 401 },
    { status: 401, error: `${'x'.repeat(288)} secret-key-of-the-provider` },
    { fault: 'cut' },
    { fault: 'malformed' },
    { pauseMs: 2000 },
  ];
  const id = await createThread([text('Hello')]);
  for (const fault of faults) {
    answerWith(fault);
    const { body } = await reply(id, { message: 'x' }, 502);
    assert.equal(body.code, 'LLM_PROVIDER_ERROR');
    assert.match(body.message, /^The model provider /);
    assert.doesNotMatch(body.message, /secret-key/);
    assert.equal(provider.requests.length, 1);
  }
  assert.equal((await messagesOf(id)).length, 1);
  answerWith({ status: 400, error: 'max_tokens is too large' });
  assert.match((await reply(id, {}, 502)).body.message, /answered 400: max_tokens is too large/);
});

test('a request to an overloaded provider is repeated once', async () => {
  const id = await createThread();
  for (const status of [429, 503, 529]) {
    provider.requests.length = 0;
    provider.answer = (_asked, count) =>
      count === 1 ? { status, headers: { 'retry-after': '0' } } : { blocks: ['At last'] };
    await reply(id, { message: 'x' });
    assert.equal(provider.requests.length, 2);
  }
  answerWith({ status: 529, error: 'Overloaded', headers: { 'retry-after': '0' } });
  assert.match((await reply(id, {}, 502)).body.message, /answered 529: Overloaded/);
  assert.equal(provider.requests.length, 2);
});

test('the second of two concurrent replies gets a conflict', async () => {
  const both = Promise.withResolvers<void>();
  provider.requests.length = 0;
  provider.answer = () => ({
    blocks: ['Yes'],
    before: () => {
      if (provider.requests.length === 2) both.resolve();
      return both.promise;
    },
  });
  const id = await createThread();
  const answers = await Promise.all(
    ['one', 'two'].map((message) => api.send('POST', `/api/ai/threads/${id}/reply`, { body: { message } })),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'VERSION_CONFLICT');
  assert.equal((await messagesOf(id)).length, 2);
});

test('without a provider everything but answers works', async () => {
  const offline = await startTestApp({ LLM_BASE_URL: '' });
  const own = (await offline.createTenant()).api;
  const { id } = (await own.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration }))
    .body;
  const thread = (
    await own.post('/api/ai/threads', {
      version: 0,
      created_at: '2026-01-01T00:00:00Z',
      assistant_id: id,
      user_id: 'u',
      messages: [text('Hello')],
    })
  ).body.id;
  for (const accept of ['application/json', 'text/event-stream']) {
    const answer = await own.post(`/api/ai/threads/${thread}/reply`, {}, 503, { headers: { accept } });
    assert.equal(answer.body.code, 'LLM_NOT_CONFIGURED');
  }
  await own.post(`/api/ai/threads/${randomUUID()}/reply`, {}, 404);
});

test('editors request answers, viewers cannot', async () => {
  answerWith({ blocks: ['Yes'] });
  const id = await createThread([text('Hello')]);
  const viewer = (await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }])).api;
  await viewer.post(`/api/ai/threads/${id}/reply`, {}, 403);
  assert.equal(provider.requests.length, 0);
});

test('an invalid user message is rejected', async () => {
  const id = await createThread([text('Hello')]);
  assert.equal(
    (await reply(id, { message: text('x', 'assistant') }, 400)).body.issues[0].field,
    'message.role',
  );
  for (const message of ['', 1, { role: 'user' }]) await reply(id, { message }, 400);
  const gone = await createAssistant();
  const orphan = await createThread([text('Hello')], gone);
  await api.delete(`/api/ai/assistants/${gone}`);
  await reply(orphan, {}, 404);
});

test('tokens are counted by assistant and model', async () => {
  const own = await createAssistant();
  answerWith({ blocks: ['one two three'] });
  const id = await createThread([], own);
  await reply(id, { message: 'x' });
  await reply(id, { message: 'x' });
  const today = new Date().toISOString().slice(0, 10);
  const usage = (await api.get(`/api/ai/usage?from=${today}&to=${today}T23:59:59Z`)).body;
  const counted = usage.results.find(({ assistant_id }: { assistant_id: string }) => assistant_id === own);
  assert.deepEqual(counted, {
    assistant_id: own,
    model: llmConfiguration.model,
    requests: 2,
    input_tokens: 20,
    output_tokens: 6,
  });
  assert.ok(usage.input_tokens >= 20 && usage.output_tokens >= 6);
  assert.deepEqual((await api.get('/api/ai/usage?to=2020-01-01')).body, {
    results: [],
    input_tokens: 0,
    output_tokens: 0,
  });
  assert.equal((await api.get('/api/ai/usage?from=yesterday', 400)).body.issues[0].field, 'from');
});

test('a repeat with the same Idempotency-Key does not call the provider again', async () => {
  answerWith({ blocks: ['Yes'] });
  const id = await createThread();
  const options = { headers: { 'idempotency-key': randomUUID() } };
  const path = `/api/ai/threads/${id}/reply`;
  const first = await api.post(path, { message: 'x' }, 200, options);
  assert.deepEqual((await api.post(path, { message: 'x' }, 200, options)).body, first.body);
  assert.equal(provider.requests.length, 1);
  assert.equal((await messagesOf(id)).length, 2);
});

test('an assistant searches its indexes, gives the texts to the model and names them', async () => {
  const name = `help-${randomUUID()}`;
  await api.post('/api/ai/indexes', {
    name,
    contentsDescription: 'Help',
    metadataDefinition: [{ fieldName: 'kind', fieldType: 'string' }],
  });
  const item = (id: string, input: string, kind: string) => ({ id, input, metadata: { kind } });
  await api.post(`/api/ai/indexes/${name}/upsert`, {
    data: [
      item('refunds', 'A ticket is refunded until an hour before the train leaves.', 'public'),
      item('secret', 'A ticket is refunded by the secret number.', 'internal'),
      item('dogs', 'Dogs travel free.', 'public'),
    ],
  });
  const own = await createAssistant({ knowledge: [{ index: name, top_k: 1, filter: { kind: 'public' } }] });
  answerWith({ blocks: ['Until an hour before.'] });
  const id = await createThread([], own);
  const answer = (await reply(id, { message: 'Until when is a ticket refunded?' })).body;
  assert.deepEqual(
    answer.metadata.sources.map(({ index, id: found }: { index: string; id: string }) => [index, found]),
    [[name, 'refunds']],
  );
  const { system } = provider.requests[0]?.body ?? {};
  assert.match(system, /^Be brief\.\n\n/);
  assert.match(system, /id="refunds">\nA ticket is refunded until an hour/);
  assert.doesNotMatch(system, /secret|Dogs/);
  assert.deepEqual((await messagesOf(id))[1], answer);
  await api.delete(`/api/ai/indexes/${name}`);
  assert.equal((await reply(id, { message: 'And now?' })).body.metadata, undefined);
});
