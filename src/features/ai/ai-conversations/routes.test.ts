import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { type Script, startModelProvider } from '../../../../test/harness/model-provider.ts';
import { eventsIn } from '../../../../test/harness/server-events.ts';
import { startOwnApp } from '../../../../test/harness/test-app.ts';

const provider = await startModelProvider();
let turned = 0;
const app = await startOwnApp(
  { LLM_BASE_URL: provider.url, RATE_LIMITS: 'on' },
  { clock: () => new Date(Date.now() + turned) },
);
const tenant = await app.createTenant();
const { api } = tenant;
const PATH = '/api/ai/conversation/messages';

const llmConfiguration = { system: 'Be kind.', temperature: 0, model: 'm', max_tokens: 10 };
const createAssistant = async (): Promise<string> =>
  (await api.post('/api/ai/assistants', { name: 'A', description: '', llmConfiguration })).body.id;
const assistant = await createAssistant();
const engage = async (payload: object = {}, key = 'visitor 17!') => {
  const body = { key, payload: { assistant_id: assistant, ...payload } };
  const { token } = (await api.post('/api/ai/engage-conversation', body)).body;
  return app.anonymous.with({ authorization: `Bearer ${token}` });
};
const answerWith = (script: Script) => {
  provider.answer = () => script;
  provider.requests.length = 0;
};
const read = async (id: string) => (await api.get(`/api/ai/threads/${id}`)).body;
const text = (value: string, role = 'user') => ({ role, content: [{ type: 'text', text: value }] });

test("a token's first message creates a thread, which later ones continue", async () => {
  answerWith({ blocks: ['Hello to you'] });
  const visitor = await engage();
  const first = (await visitor.post(PATH, { message: 'Hello' })).body;
  assert.deepEqual(first, { thread_id: first.thread_id, message: text('Hello to you', 'assistant') });
  const second = (await visitor.post(PATH, { message: text('And again') })).body;
  assert.equal(second.thread_id, first.thread_id);
  const thread = await read(first.thread_id);
  assert.deepEqual(
    [thread.user_id, thread.assistant_id, thread.messages.length],
    ['visitor_17_', assistant, 4],
  );
  assert.equal(provider.requests[1]?.body.messages.length, 3);
  const key = `entityType=ai_thread&entitySortKey=${first.thread_id}`;
  const [version] = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.equal(version.actor.kind, 'conversation');
  const other = (await (await engage()).post(PATH, { message: 'Hello' })).body;
  assert.notEqual(other.thread_id, first.thread_id);
});

test('a token may continue a thread, and its payload is given to the model', async () => {
  answerWith({ blocks: ['Yes'] });
  const body = {
    version: 3,
    created_at: '2026-01-01T00:00:00Z',
    assistant_id: assistant,
    user_id: 'u',
    messages: [text('Earlier'), text('Well', 'assistant')],
  };
  const { id } = (await api.post('/api/ai/threads', body)).body;
  const visitor = await engage({ thread_id: id, page: '/tickets' });
  assert.equal((await visitor.post(PATH, { message: 'Now' })).body.thread_id, id);
  assert.equal((await read(id)).version, 4);
  assert.match(provider.requests[0]?.body.system, /^Be kind\.\n\n.*{"page":"\/tickets"}$/);
});

test('an answer is streamed to a page that requests events', async () => {
  answerWith({ blocks: ['one two'] });
  const visitor = await engage();
  const answer = await visitor.post(PATH, { message: 'Hello' }, 200, {
    headers: { accept: 'text/event-stream' },
  });
  const events = eventsIn(answer.text);
  assert.deepEqual(
    events.map(({ event }) => event),
    ['delta', 'delta', 'message'],
  );
  const { thread_id, message } = events.at(-1)?.data ?? {};
  assert.deepEqual((await read(thread_id)).messages, [text('Hello'), message]);
});

test('pages of any origin may call, with a preflight', async () => {
  answerWith({ blocks: ['Yes'] });
  const visitor = await engage();
  const origin = 'https://anywhere.example';
  const preflight = await visitor.send('OPTIONS', PATH, {
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  assert.equal(preflight.status, 204);
  assert.equal(preflight.headers.get('access-control-allow-origin'), origin);
  assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/);
  const answer = await visitor.post(PATH, { message: 'x' }, 200, { headers: { origin } });
  assert.equal(answer.headers.get('access-control-allow-origin'), origin);
  const refused = await app.anonymous.post(PATH, { message: 'x' }, 401, { headers: { origin } });
  assert.equal(refused.headers.get('access-control-allow-origin'), origin);
});

test('a conversation needs a valid token', async () => {
  const visitor = await engage();
  const token = visitor.headers.authorization ?? '';
  const wrong = ['Bearer', 'Bearer x', `${token}x`, `${token.slice(0, -2)}AA`, `Basic ${token.slice(7)}`];
  for (const authorization of wrong) {
    const answer = await app.anonymous.with({ authorization }).post(PATH, { message: 'x' }, 401);
    assert.equal(answer.body.code, 'UNAUTHORIZED');
  }
  await app.anonymous.post(PATH, { message: 'x' }, 401);
  await api.post(PATH, { message: 'x' }, 401);
  assert.equal((await visitor.get('/api/ai/threads?user_id=u', 401)).body.error, 'unauthorized');
  assert.equal((await visitor.get('/api/ai/conversation/none', 404)).body.code, 'NOT_FOUND');
});

test('a token is valid for an hour', async () => {
  answerWith({ blocks: ['Yes'] });
  const visitor = await engage();
  turned = 59 * 60 * 1000;
  await visitor.post(PATH, { message: 'x' });
  turned = 61 * 60 * 1000;
  await visitor.post(PATH, { message: 'x' }, 401);
  turned = 0;
});

test('a token is limited to twenty messages per minute, independent of others', async () => {
  answerWith({ blocks: ['Yes'] });
  const visitor = await engage();
  for (let number = 1; number <= 20; number += 1) await visitor.post(PATH, { message: 'x' });
  const limited = await visitor.post(PATH, { message: 'x' }, 429);
  assert.equal(limited.body.code, 'RATE_LIMITED');
  assert.ok(Number(limited.headers.get('retry-after')) > 0);
  await (await engage()).post(PATH, { message: 'x' });
});

test('the second of two concurrent first messages gets a conflict and creates nothing', async () => {
  const both = Promise.withResolvers<void>();
  provider.requests.length = 0;
  provider.answer = () => ({
    blocks: ['Yes'],
    before: () => {
      if (provider.requests.length === 2) both.resolve();
      return both.promise;
    },
  });
  const key = `v-${randomUUID()}`;
  const visitor = await engage({}, key);
  const answers = await Promise.all([1, 2].map(() => visitor.send('POST', PATH, { body: { message: 'x' } })));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409]);
  assert.equal((await api.get(`/api/ai/threads?user_id=${key}`)).body.total, 1);
});

test('errors of a conversation are reported when its token is requested', async () => {
  const ask = (body: object, status: number) => api.post('/api/ai/engage-conversation', body, status);
  await ask({ payload: { assistant_id: assistant } }, 400);
  await ask({ key: 'k' }, 400);
  await ask({ key: 'k', payload: { assistant_id: randomUUID() } }, 404);
  await ask({ key: 'k', payload: { assistant_id: assistant, thread_id: randomUUID() } }, 404);
  const body = {
    version: 0,
    created_at: '2026-01-01T00:00:00Z',
    assistant_id: await createAssistant(),
    user_id: 'u',
    messages: [],
  };
  const { id } = (await api.post('/api/ai/threads', body)).body;
  await ask({ key: 'k', payload: { assistant_id: assistant, thread_id: id } }, 422);
  for (const more of ['x'.repeat(70_000), '€'.repeat(25_000)]) {
    const long = { assistant_id: assistant, more };
    assert.equal((await ask({ key: 'k', payload: long }, 400)).body.issues[0].field, 'payload');
  }
});

test('the script of the widget is public', async () => {
  const answer = await app.anonymous.get('/assistant.js');
  assert.match(answer.headers.get('content-type') ?? '', /^text\/javascript/);
  assert.match(answer.text, /TesseraAssistant/);
});

test('a token accepts any payload, and its first message finds the assistant by key, or as the only one', async () => {
  const own = await app.createTenant();
  const token = async (key: string, payload: unknown) => {
    const { body } = await own.api.post('/api/ai/engage-conversation', { key, payload });
    return app.anonymous.with({ authorization: `Bearer ${body.token}` });
  };
  const create = async (name: string): Promise<string> =>
    (await own.api.post('/api/ai/assistants', { name, description: '', llmConfiguration })).body.id;
  const assistantOf = async (thread: string) =>
    (await own.api.get(`/api/ai/threads/${thread}`)).body.assistant_id;
  answerWith({ blocks: ['Yes'] });
  const visitor = await token('support', ['a cart', 3]);
  const refusal = (await visitor.post(PATH, { message: 'Hello' }, 409)).body;
  assert.equal(refusal.code, 'NO_ASSISTANT');
  const only = await create('sales');
  const { thread_id } = (await visitor.post(PATH, { message: 'Hello' })).body;
  assert.equal(await assistantOf(thread_id), only);
  assert.match(provider.requests[0]?.body.system ?? '', /\["a cart",3\]/);
  const named = await create('support');
  const other = (await (await token('support', { page: '/' })).post(PATH, { message: 'Hello' })).body;
  assert.equal(await assistantOf(other.thread_id), named);
  // The conversation continues with its first assistant.
  assert.equal((await visitor.post(PATH, { message: 'Again' })).body.thread_id, thread_id);
  await (await token('nobody', 'text')).post(PATH, { message: 'Hello' }, 409);
  const continued = (await (await token('nobody', { thread_id })).post(PATH, { message: 'More' })).body;
  assert.equal(continued.thread_id, thread_id);
  const wrong = { key: 'k', payload: { assistant_id: 5 } };
  const { issues } = (await own.api.post('/api/ai/engage-conversation', wrong, 400)).body;
  assert.equal(issues[0].field, 'payload.assistant_id');
});
