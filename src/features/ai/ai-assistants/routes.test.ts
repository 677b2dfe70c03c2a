import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;

const tool = (name: string) => ({
  name,
  description: 'Finds trains.',
  input_schema: {
    type: 'object',
    properties: { from: { type: 'string' } },
    required: ['from'],
    additionalProperties: false,
  },
});
const llmConfiguration = {
  system: 'Answer briefly.',
  temperature: 0.3,
  model: 'llm-3-haiku-20240307',
  max_tokens: 500,
  tools: [tool('find_trains'), tool('find_buses')],
  furtherOption: { kept: true },
};
const body = (more: object = {}) => ({ name: 'Travel', description: 'Journeys', llmConfiguration, ...more });

test('an assistant is created, read, replaced and deleted, and every version stays readable', async () => {
  const created = await api.post('/api/ai/assistants', body());
  assert.deepEqual(Object.keys(created.body), ['id']);
  const { id } = created.body;
  const path = `/api/ai/assistants/${id}`;
  const read = (await api.get(path)).body;
  assert.deepEqual(read.llmConfiguration, llmConfiguration);
  assert.deepEqual([read.id, read.name, read.description, read.version], [id, 'Travel', 'Journeys', 1]);
  const next = { ...llmConfiguration, temperature: 1, tools: undefined };
  assert.deepEqual((await api.put(path, body({ name: 'Desk', llmConfiguration: next }))).body, {
    success: true,
  });
  const again = (await api.get(path)).body;
  assert.deepEqual([again.name, again.version, again.llmConfiguration.temperature], ['Desk', 2, 1]);
  assert.deepEqual((await api.delete(path)).body, { id });
  await api.get(path, 404);
  const versions = (await api.get(`/api/entity/versions?entityType=ai_assistant&entitySortKey=${id}`)).body;
  assert.deepEqual(
    versions.map(({ version, data }: { version: number; data: { name: string } }) => [version, data.name]),
    [
      [1, 'Travel'],
      [2, 'Desk'],
    ],
  );
});

test('a list shows the identifying members of assistants, newest first, 20 per page', async () => {
  const own = (await app.createTenant()).api;
  for (let number = 1; number <= 21; number += 1)
    await own.post('/api/ai/assistants', body({ name: `A${number}` }));
  const { results, total, totalPages } = (await own.get('/api/ai/assistants')).body;
  assert.deepEqual([results.length, results[0].name, total, totalPages], [20, 'A21', 21, 2]);
  assert.deepEqual(Object.keys(results[0]).sort(), [
    'business_unit',
    'created_at',
    'description',
    'id',
    'name',
    'updated_at',
    'version',
  ]);
  const last = (await own.get('/api/ai/assistants?page=3&limit=10')).body;
  assert.deepEqual(
    last.results.map(({ name }: { name: string }) => name),
    ['A1'],
  );
  await own.get('/api/ai/assistants?limit=101', 400);
});

test('a stale version is rejected', async () => {
  const { id } = (await api.post('/api/ai/assistants', body())).body;
  await api.put(`/api/ai/assistants/${id}`, body({ name: 'Desk', version: 1 }));
  const stale = await api.put(`/api/ai/assistants/${id}`, body({ version: 1 }), 409);
  assert.equal(stale.body.code, 'VERSION_CONFLICT');
});

test('errors of an assistant are named', async () => {
  const wrong: [object, string][] = [
    [{ name: undefined }, 'name'],
    [{ description: undefined }, 'description'],
    [{ llmConfiguration: undefined }, 'llmConfiguration'],
    ...Object.entries({
      system: [undefined, 1],
      temperature: [undefined, -0.1, 1.1, '0.5'],
      model: [undefined, ''],
      max_tokens: [undefined, 0, '1'],
      tools: ['none'],
    }).flatMap(([field, values]) =>
      values.map((value): [object, string] => [
        { llmConfiguration: { ...llmConfiguration, [field]: value } },
        `llmConfiguration.${field}`,
      ]),
    ),
    [
      { llmConfiguration: { ...llmConfiguration, tools: [tool('a'), tool('b'), tool('a')] } },
      'llmConfiguration.tools[2].name',
    ],
    [
      {
        llmConfiguration: {
          ...llmConfiguration,
          tools: [{ ...tool('a'), input_schema: { type: 'object' } }],
        },
      },
      'llmConfiguration.tools[0].input_schema.properties',
    ],
  ];
  for (const [change, field] of wrong) {
    const { body: answer } = await api.post('/api/ai/assistants', body(change), 400);
    assert.equal(answer.code, 'INVALID_REQUEST');
    const fields = answer.issues.map((issue: { field: string }) => issue.field);
    assert.ok(fields.includes(field), `${fields} instead of ${field}`);
  }
});

test('an assistant may name indexes to search, and a replace without them keeps them', async () => {
  const definition = [{ fieldName: 'kind', fieldType: 'string' }];
  const index = `know-${randomUUID()}`;
  await api.post('/api/ai/indexes', {
    name: index,
    contentsDescription: 'x',
    metadataDefinition: definition,
  });
  const knowledge = [{ index, top_k: 3, filter: { kind: 'page' } }];
  const { id } = (await api.post('/api/ai/assistants', body({ knowledge }))).body;
  await api.put(`/api/ai/assistants/${id}`, body());
  assert.deepEqual((await api.get(`/api/ai/assistants/${id}`)).body.knowledge, knowledge);
  await api.put(`/api/ai/assistants/${id}`, body({ knowledge: [] }));
  assert.deepEqual((await api.get(`/api/ai/assistants/${id}`)).body.knowledge, []);
  const absent = await api.post('/api/ai/assistants', body({ knowledge: [{ index: 'absent' }] }), 422);
  assert.equal(absent.body.issues[0].field, 'knowledge[0].index');
  const wrong = [{ index, filter: { colour: 'red' } }];
  const refused = await api.post('/api/ai/assistants', body({ knowledge: wrong }), 400);
  assert.equal(refused.body.issues[0].field, 'knowledge[0].filter.colour');
});

test('every member reads, editors write and admins delete; a member without a unit sees nothing', async () => {
  const { id } = (await api.post('/api/ai/assistants', body())).body;
  const path = `/api/ai/assistants/${id}`;
  const bu_id = tenant.defaultUnitId;
  const viewer = (await createMember(tenant, [{ bu_id, role: 'viewer' }])).api;
  await viewer.get(path);
  await viewer.put(path, body(), 403);
  const editor = (await createMember(tenant, [{ bu_id, role: 'editor' }])).api;
  await editor.put(path, body());
  await editor.delete(path, 403);
  const ungranted = (await createMember(tenant, [])).api;
  await ungranted.get(path, 404);
  assert.equal((await ungranted.get('/api/ai/assistants')).body.total, 0);
  await (await createMember(tenant, [{ bu_id, role: 'admin' }])).api.delete(path);
});
