import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { api, code: tenantCode, defaultUnitId } = await app.createTenant();

const assistant = (
  await api.post('/api/ai/assistants', {
    name: 'Helper',
    description: '',
    llmConfiguration: { system: '', temperature: 0, model: 'm', max_tokens: 10 },
  })
).body.id;

const text = (value: string, role = 'user') => ({ role, content: [{ type: 'text', text: value }] });
const createdAt = '2020-02-29T12:00:00.250Z';
const body = (more: object = {}) => ({
  version: 0,
  created_at: createdAt,
  assistant_id: assistant,
  user_id: 'someone_1-a',
  messages: [text('Hello')],
  ...more,
});
const create = async (more: object = {}): Promise<string> =>
  (await api.post('/api/ai/threads', body(more))).body.id;
const read = async (id: string) => (await api.get(`/api/ai/threads/${id}`)).body;
const add = (id: string, version: number, messages: object[], status = 200) =>
  api.put(`/api/ai/threads/${id}`, { version, messages }, status);
const textsOf = ({ messages }: { messages: { content: { text: string }[] }[] }) =>
  messages.map(({ content }) => content[0]?.text);

test("a thread keeps the caller's version and time, and continues from there", async () => {
  const { id, ...rest } = (await api.post('/api/ai/threads', body({ version: 7 }))).body;
  assert.deepEqual(rest, {});
  const thread = await read(id);
  assert.deepEqual(thread, {
    id,
    version: 7,
    created_at: createdAt,
    updated_at: thread.updated_at,
    assistant_id: assistant,
    user_id: 'someone_1-a',
    name: 'Hello',
    business_unit: defaultUnitId,
    messages: [text('Hello')],
  });
  assert.deepEqual((await add(id, 7, [text('Hi', 'assistant')])).body, { id, version: 8 });
  const next = await read(id);
  assert.deepEqual([next.version, next.created_at, textsOf(next)], [8, createdAt, ['Hello', 'Hi']]);
});

test('the second of two concurrent writers of one version gets a conflict, and nothing of it is stored', async () => {
  const id = await create();
  const answers = await Promise.all(
    [1, 2, 3, 4].map((number) =>
      api.send('PUT', `/api/ai/threads/${id}`, { body: { version: 0, messages: [text(`${number}`)] } }),
    ),
  );
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409]);
  const refused = answers.find(({ status }) => status === 409);
  assert.equal(refused?.body.code, 'VERSION_CONFLICT');
  assert.equal((await read(id)).messages.length, 2);
});

test('writers who read again after a conflict lose no message', async () => {
  const id = await create({ messages: [] });
  const write = async (writer: number): Promise<void> => {
    for (;;) {
      const { version } = await read(id);
      const { status } = await api.send('PUT', `/api/ai/threads/${id}`, {
        body: { version, messages: [text(`of ${writer}`)] },
      });
      if (status === 200) return;
      assert.equal(status, 409);
    }
  };
  await Promise.all([1, 2, 3, 4, 5].map(write));
  assert.deepEqual(textsOf(await read(id)).sort(), ['of 1', 'of 2', 'of 3', 'of 4', 'of 5']);
});

test('sending the complete thread adds only the new messages', async () => {
  const id = await create({ messages: [text('one'), text('two', 'assistant')] });
  await add(id, 0, [text('one'), text('two', 'assistant'), text('three')]);
  assert.deepEqual(textsOf(await read(id)), ['one', 'two', 'three']);
  await add(id, 1, [text('one'), text('other', 'assistant'), text('three'), text('four')]);
  assert.equal((await read(id)).messages.length, 7);
});

test('messages with blocks of all kinds are stored unchanged', async () => {
  const data = Buffer.alloc(3000, 7).toString('base64');
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is this?\n"quoted" ✓', cache_control: { type: 'ephemeral' } },
        { type: 'image', source: { type: 'base64', media_type: 'image/png', data } },
      ],
    },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id: 'tool_1', name: 'look', input: { z: 1, a: [null] } }],
      metadata: { sources: [] },
    },
    {
      role: 'user',
      content: [
        {
          type: 'tool_result',
          tool_use_id: 'tool_1',
          content: [{ type: 'text', text: 'a cat' }],
          is_error: false,
        },
      ],
    },
  ];
  const id = await create({ messages });
  assert.deepEqual((await read(id)).messages, messages);
  const { text: answer } = await api.get(`/api/ai/threads/${id}`);
  assert.ok(answer.includes('{"z":1,"a":[null]}'), 'the order of members is kept');
});

test('a tool_result names an earlier tool_use, of the same call or of the thread', async () => {
  const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'one', name: 'look', input: {} }] };
  const result = (tool_use_id: string) => ({
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id, content: [] }],
  });
  const early = await api.post('/api/ai/threads', body({ messages: [result('one'), use] }), 400);
  assert.deepEqual(early.body.issues, [
    { field: 'messages[0].content[0].tool_use_id', message: 'must reference an earlier tool_use' },
  ]);
  const id = await create({ messages: [text('Look'), use] });
  const unknown = await add(id, 0, [text('x'), result('two')], 400);
  assert.equal(unknown.body.code, 'INVALID_REQUEST');
  assert.equal(unknown.body.issues[0].field, 'messages[1].content[0].tool_use_id');
  await add(id, 0, [result('one')]);
  assert.equal((await read(id)).messages.length, 3);
});

test('errors of a thread are named', async () => {
  const block = (content: object) => ({ messages: [{ role: 'user', content: [content] }] });
  const image = (data: string) =>
    block({ type: 'image', source: { type: 'base64', media_type: 'image/png', data } });
  const wrong: [object, string][] = [
    [{ version: undefined }, 'version'],
    [{ version: -1 }, 'version'],
    [{ version: 1.5 }, 'version'],
    [{ created_at: undefined }, 'created_at'],
    [{ created_at: 'yesterday' }, 'created_at'],
    [{ created_at: '2026-11-21T23:59:60Z' }, 'created_at'],
    [{ created_at: '2026-11-21T12:00:00Z[Europe/Berlin]' }, 'created_at'],
    [{ created_at: '0000-01-01T00:00:00Z' }, 'created_at'],
    [{ created_at: '9999-12-31T23:59:59-01:00' }, 'created_at'],
    [{ assistant_id: undefined }, 'assistant_id'],
    [{ user_id: undefined }, 'user_id'],
    [{ user_id: 'a b' }, 'user_id'],
    [{ messages: undefined }, 'messages'],
    [{ messages: [{ role: 'system', content: [] }] }, 'messages[0].role'],
    [{ messages: [{ role: 'user', content: 'text' }] }, 'messages[0].content'],
    [block({ type: 'sound' }), 'messages[0].content[0].type'],
    [block({ type: 'text' }), 'messages[0].content[0].text'],
    [block({ type: 'tool_use', id: 'a', name: 'b', input: 'c' }), 'messages[0].content[0].input'],
    [image('not base64!'), 'messages[0].content[0].source.data'],
    [image('A'.repeat(7_500_000)), 'messages[0].content[0].source.data'],
  ];
  for (const [change, field] of wrong) {
    const { body: answer } = await api.post('/api/ai/threads', body(change), 400);
    assert.equal(answer.code, 'INVALID_REQUEST');
    const fields = answer.issues.map((issue: { field: string }) => issue.field);
    assert.deepEqual(fields, [field]);
  }
  await api.post('/api/ai/threads', body({ assistant_id: randomUUID() }), 404);
  await api.post('/api/ai/threads', body({ assistant_id: 'none' }), 404);
  const id = await create();
  await api.put(`/api/ai/threads/${id}`, { messages: [] }, 400);
  await api.put(`/api/ai/threads/${randomUUID()}`, { version: 0, messages: [] }, 404);
});

test("a user's threads are listed with names and without messages", async () => {
  const user_id = `user-${randomUUID()}`;
  const long = 'word '.repeat(40);
  await create({ user_id, created_at: '2026-01-01T00:00:00Z', messages: [text(`  A\n${long}`)] });
  const unnamed = await create({ user_id, created_at: '2026-01-03T00:00:00Z', messages: [] });
  await create({ user_id, created_at: '2026-01-02T00:00:00Z', messages: [text('B')] });
  await create();
  const list = async (more = '') => (await api.get(`/api/ai/threads?user_id=${user_id}${more}`)).body;
  const { results, total } = await list();
  assert.equal(total, 3);
  const names = results.map(({ name }: { name: string }) => name);
  assert.deepEqual(names.slice(0, 2), ['New thread', 'B']);
  assert.match(names[2], /^A word word [^\n]{1,70}…$/);
  assert.deepEqual(Object.keys(results[0]).sort(), [
    'assistant_id',
    'business_unit',
    'created_at',
    'id',
    'name',
    'updated_at',
    'user_id',
    'version',
  ]);
  await add(unnamed, 0, [text('Now named')]);
  assert.equal((await list('&limit=1')).results[0].name, 'Now named');
  assert.equal((await api.get('/api/ai/threads', 400)).body.issues[0].field, 'user_id');
  await api.get('/api/ai/threads?user_id=a%20b', 400);
});

test('history shows each version of a thread with its messages at that time, also after deletion', async () => {
  const id = await create({ messages: [text('one')] });
  await add(id, 0, [text('two', 'assistant'), text('three')]);
  const key = `entityType=ai_thread&entitySortKey=${id}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  const shown = versions.map(({ version, data }: { version: number; data: { messages: [] } }) => [
    version,
    textsOf(data),
  ]);
  assert.deepEqual(shown, [
    [0, ['one']],
    [1, ['one', 'two', 'three']],
  ]);
  assert.deepEqual(versions[1].data, await read(id));
  assert.deepEqual(textsOf((await api.get(`/api/entity/versions/0?${key}`)).body.data), ['one']);
  assert.deepEqual((await api.delete(`/api/ai/threads/${id}`)).body, { id });
  await api.get(`/api/ai/threads/${id}`, 404);
  await add(id, 1, [text('four')], 404);
  const gone = (await api.get('/api/entity/deleted-records?entityType=ai_thread')).body;
  const entry = gone.find(({ sk }: { sk: string }) => sk === id);
  assert.deepEqual([entry.pk, entry.entity.messages.length], [`${tenantCode}#ai_thread#DELETED`, 3]);
  const before = gone.find(({ sk }: { sk: string }) => sk === `${id}#VERSION-0`);
  assert.equal(before.entity.messages.length, 1);
});

test('a thread of megabytes is returned completely, and its history by version', async () => {
  const id = await create({ messages: [] });
  const long = 'x'.repeat(600_000);
  for (let version = 0; version < 4; version += 1) await add(id, version, [text(`${version}${long}`)]);
  const thread = await read(id);
  assert.deepEqual(
    textsOf(thread).map((each = '') => [each.charAt(0), each.length]),
    [0, 1, 2, 3].map((number) => [String(number), 600_001]),
  );
  assert.equal(thread.version, 4);
  const key = `entityType=ai_thread&entitySortKey=${id}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(
    versions.map(({ data }: { data: { messages: [] } }) => data.messages.length),
    [0, 1, 2, 3, 4],
  );
});

test('threads remain after their assistant is deleted', async () => {
  const other = (
    await api.post('/api/ai/assistants', {
      name: 'Other',
      description: '',
      llmConfiguration: { system: '', temperature: 0, model: 'm', max_tokens: 10 },
    })
  ).body.id;
  const id = await create({ assistant_id: other });
  await api.delete(`/api/ai/assistants/${other}`);
  await add(id, 0, [text('Still there?')]);
  assert.equal((await read(id)).messages.length, 2);
});
