/** JSON is returned as it was written wherever that is promised: numbers with all digits, members in their order. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createAutomation, endedRuns } from '../harness/automations.ts';
import type { Client } from '../harness/client.ts';
import { createProject } from '../harness/documents.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createRecordsTenant } from '../harness/records.ts';
import { startTestApp } from '../harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { api, owner } = await createRecordsTenant(app, [
  {
    name: 'row',
    fields: [
      { name: 'data', type: 'json' },
      { name: 'amount', type: 'number' },
      { name: 'count', type: 'integer' },
    ],
  },
]);
const { id: project } = await createProject(api);

/** JSON that `JSON.parse` does not preserve. */
const VALUES = [
  '{"id":12345678901234567890}',
  '{"10":"x","9":"y","b":1,"a":2}',
  '[1.0,1e2,-0,0.10]',
  '{"price":19.90,"qty":{"2":1,"1":{"n":9007199254740993}}}',
  '[[{"z":1,"0":2}],12345678901234567890.5]',
  '{"text":"1.0 \\"7\\": 1e5","n":1}',
  '{"zip":{"2026":"a","1999":"b"},"exact":3.14159265358979323846}',
  '{"a":[{"b":[{"c":-98765432109876543210}]}]}',
  '{"e":1E+2,"f":2e-7,"g":100000000000000000000000}',
  '{"b":null,"a":[],"1":{},"0":""}',
  '{"tiny":0.0000001,"split":123456789.123456789,"least":0.00000000000012}',
];

const send = async (client: Pick<Client, 'send'>, method: string, path: string, rawBody: string) => {
  const options = { rawBody, headers: { 'content-type': 'application/json' } };
  const answer = await client.send(method, path, options);
  assert.ok(answer.status < 300, `${answer.status} ${answer.text}`);
  return answer;
};

/** Removes blanks between tokens, which are not preserved. */
const includes = (text: string, value: string, what: string) =>
  assert.ok(compact(text).includes(compact(value)), `${what}: ${value} in ${text}`);
const compact = (text: string) => text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, (_all, quoted) => quoted ?? '');

test('site settings, also in their history', async () => {
  const path = `/api/pages/${project}/site-settings`;
  for (const value of VALUES) {
    await send(api, 'PUT', path, `{"website_name":"Shop","free":${value},"big":12345678901234567890}`);
    const { text } = await api.get(path);
    includes(text, `"free":${value}`, 'settings');
    includes(text, '"big":12345678901234567890', 'settings');
  }
});

test('site settings omitted from an update', async () => {
  const path = `/api/pages/${project}/site-settings`;
  for (const value of VALUES) {
    const members = [`"free":${value}`, '"big":12345678901234567890', '"10":1.0', '"9":1e400', '"low":-0'];
    await send(api, 'PUT', path, `{${members.join(',')}}`);
    await send(api, 'PATCH', path, '{"more":2.50}');
    const { text } = await api.get(path);
    includes(text, `${members.join(',')},"more":2.50`, 'settings');
    await send(api, 'PATCH', path, '{"big":1}');
    includes((await api.get(path)).text, '"10":1.0,"9":1e400,"low":-0,"more":2.50,"big":1', 'settings');
  }
});

test('additional fields of subscribers omitted from an update or an import', async () => {
  for (const value of ['12345678901234567890', '1.0', '-0', '0.0000001', '123456789.123456789', '1E+2']) {
    const email = `${randomUUID()}@example.org`;
    const path = `/api/subscribers/by-email/${email}`;
    const { id } = (await send(api, 'PUT', path, `{"additional_fields_data":{"n":${value}}}`)).body;
    await send(api, 'PUT', path, '{"last_name":"Lee"}');
    includes((await api.get(`/api/subscribers/${id}`)).text, `{"n":${value}}`, 'updated');
    const file = { rawBody: `email,city\n${email},York\n`, headers: { 'content-type': 'text/csv' } };
    await api.post('/api/subscribers/import?mode=upsert', undefined, 200, file);
    const { text } = await eventually('the import', async () => {
      const answer = await api.get(`/api/subscribers/${id}`);
      return answer.text.includes('York') ? answer : null;
    });
    includes(text, `{"n":${value},"city":"York"}`, 'imported');
  }
});

test('defaults of fields, and the records that get them', async () => {
  for (const [index, value] of VALUES.entries()) {
    const name = `filled_${index}`;
    const fields = `[{"name":"data","type":"json","default":${value}}]`;
    await send(api, 'POST', '/api/entities', `{"name":"${name}","fields":${fields}}`);
    includes((await api.get(`/api/entities/${name}`)).text, `"default":${value}`, 'definition');
    includes((await send(owner, 'POST', `/api/${name}`, '{}')).text, `"data":${value}`, 'record');
    const more = `{"fields":[{"name":"more","type":"json","default":${value}}],"drop":["data"]}`;
    await send(api, 'PUT', `/api/entities/${name}`, more);
    includes((await owner.get(`/api/${name}`)).text, `"more":${value}`, 'record that was there');
  }
});

test('a default that its field would round is rejected by name', async () => {
  for (const [type, value] of [
    ['number', '9007199254740993'],
    ['number', '123456789.123456789'],
    ['integer', '9007199254740993'],
    ['number', '0.1000000000000000055'],
  ]) {
    const rawBody = `{"name":"rounding","fields":[{"name":"n","type":"${type}","default":${value}}]}`;
    const options = { rawBody, headers: { 'content-type': 'application/json' } };
    const { body } = await api.post('/api/entities', undefined, 400, options);
    assert.deepEqual(
      body.issues.map(({ field }: { field: string }) => field),
      ['fields[0].default'],
    );
  }
});

test('models of documents and slices', async () => {
  for (const value of VALUES) {
    const [model, slice] = [randomUUID(), randomUUID()];
    const base = `/api/pages/${project}`;
    const json = `{"Main":{"body":{"type":"Text","config":{"free":${value}}}}}`;
    await send(
      api,
      'PUT',
      `${base}/document-model`,
      `{"id":"${model}","label":"Page","format":"page","repeatable":true,"status":true,"json":${json}}`,
    );
    includes((await api.get(`${base}/document-model/${model}`)).text, value, 'model');
    await send(
      api,
      'PUT',
      `${base}/slice-model`,
      `{"id":"${slice}","name":"Hero","tags":[],"variations":[{"id":"v","free":${value}}]}`,
    );
    includes((await api.get(`${base}/slice-model/${slice}`)).text, value, 'slice');
  }
});

test('json fields of records', async () => {
  for (const value of [...VALUES, '12345678901234567890', '1.50']) {
    const { id } = (await send(owner, 'POST', '/api/row', `{"data":${value}}`)).body;
    includes((await owner.get(`/api/row/${id}`)).text, `"data":${value}`, 'created');
    await send(owner, 'PUT', `/api/row/${id}`, `{"data":{"again":${value}}}`);
    includes((await owner.get(`/api/row/${id}`)).text, `"data":{"again":${value}}`, 'changed');
  }
});

test('an update that changes only digits beyond double precision is a change', async () => {
  const path = `/api/pages/${project}/site-settings`;
  await send(api, 'PUT', path, '{"free":{"n":12345678901234567890}}');
  await send(api, 'PUT', path, '{"free":{"n":12345678901234567891}}');
  includes((await api.get(path)).text, '12345678901234567891', 'settings');
});

test('numbers that a field would round are rejected by name', async () => {
  for (const number of [
    '12345678901234567890',
    '0.1000000000000000055',
    '9007199254740993',
    '3.14159265358979323846',
  ]) {
    for (const field of ['amount', 'count']) {
      const options = { rawBody: `{"${field}":${number}}`, headers: { 'content-type': 'application/json' } };
      const { status, body } = await owner.send('POST', '/api/row', options);
      assert.deepEqual([status, JSON.stringify(body).includes(`"${field}"`)], [400, true], number);
    }
  }
  for (const number of [
    '1.0',
    '1e2',
    '0.1',
    '1e21',
    '-0',
    '100000000000000000000',
    '5e-324',
    '1.7976931348623157e308',
  ])
    await send(owner, 'POST', '/api/row', `{"amount":${number}}`);
});

test('bodies of hooks and forwarded requests, messages of queues, responses', async () => {
  const receiver = await startReceiver();
  const call = (body: unknown) => ({
    key: 'call',
    name: 'Call',
    actionTypeKey: 'httpRequest',
    params: { url: receiver.url, method: 'POST', body },
  });
  const publish = {
    key: 'publish',
    name: 'Publish',
    actionTypeKey: 'publishMessage',
    params: { queueName: 'written', body: '{{trigger.body}}' },
  };
  await createAutomation(api, 'hooked', {
    triggerType: 'webhook',
    triggerParams: {},
    actions: [
      publish,
      call({ text: 'n={{trigger.body.n}}', n: '{{trigger.body.n}}', all: '{{trigger.body}}' }),
    ],
  });
  await createAutomation(api, 'queued', {
    triggerType: 'mqHandler',
    triggerParams: { queueName: 'written' },
  });
  const { pathname, search } = new URL((await api.get('/api/automations/hooked')).body.webhook_url);
  const sent = `{"n":12345678901234567890,"free":[${VALUES.join(',')}]}`;
  await send(app.anonymous, 'POST', pathname + search, sent);
  const run = await endedRuns(api, 'hooked', 1);
  assert.equal(run[0]?.status, 'succeeded');
  const request = await eventually('the call', async () => receiver.received[0] ?? null);
  includes(request.text, sent, 'sent on');
  includes(request.text, '"text":"n=12345678901234567890","n":12345678901234567890', 'in a text');
  await endedRuns(api, 'queued', 1);
  includes((await api.get(`/api/automations/queued/runs?limit=1`)).text, sent, 'queue');
});

test('literal values of automations and journeys, also after another change, and the sent requests', async () => {
  const receiver = await startReceiver();
  const all = `[${VALUES.join(',')},12345678901234567890]`;
  const params = `{"url":"${receiver.url}","method":"POST","headers":{"Authorization":{"value":"key","is_secret":true}},"body":${all}}`;
  const actions = `[{"key":"call","name":"Call","actionTypeKey":"httpRequest","params":${params}},
    {"key":"note","name":"Note","actionTypeKey":"log","params":{"message":${all}}}]`;
  const path = '/api/automations/literal';
  const rest = '"key":"literal","name":"L","app":"a","triggerType":"webhook","triggerParams":{}';
  await send(api, 'POST', '/api/automations', `{${rest},"actions":${actions}}`);
  const { webhook_url: address } = (await api.get(path)).body;
  for (const name of ['Again', 'Once more']) {
    includes((await api.get(path)).text, `"body":${all}`, 'shown');
    await send(api, 'PATCH', path, `{"name":"${name}"}`);
  }
  const { pathname, search } = new URL(address);
  await send(app.anonymous, 'POST', pathname + search, '{}');
  await endedRuns(api, 'literal', 1);
  assert.equal(receiver.received[0]?.text, compact(all));
  includes((await api.get(`${path}/runs?limit=1`)).text, all, 'noted');

  const steps = `[{"key":"call","type":"http_request","method":"POST","url":"${receiver.url}","body":${all}}]`;
  const journey = `{"name":"J","active":false,"trigger":{"type":"manual"},"steps":${steps}}`;
  const { id } = (await send(api, 'POST', '/api/journeys', journey)).body;
  await send(api, 'PATCH', `/api/journeys/${id}`, '{"name":"K"}');
  includes((await api.get(`/api/journeys/${id}`)).text, steps, 'journey');
});

test('repeated calls, and results of actions that read records', async () => {
  for (const value of VALUES) {
    const headers = { 'content-type': 'application/json', 'idempotency-key': randomUUID() };
    const create = () => owner.send('POST', '/api/row', { rawBody: `{"data":${value}}`, headers });
    const [first, repeat] = [await create(), await create()];
    includes(first.text, `"data":${value}`, 'first');
    assert.equal(compact(repeat.text), compact(first.text));
  }
  await createAutomation(api, 'reading', {
    ...{ triggerType: 'webhook', triggerParams: {} },
    actions: [
      { key: 'read', name: 'R', actionTypeKey: 'findRecords', params: { entity: 'row', limit: 100 } },
    ],
  });
  const { pathname, search } = new URL((await api.get('/api/automations/reading')).body.webhook_url);
  await send(app.anonymous, 'POST', pathname + search, '{}');
  await endedRuns(api, 'reading', 1);
  const { text } = await api.get('/api/automations/reading/runs?limit=1');
  for (const value of VALUES) includes(text, `"data":${value}`, 'result');
});

test('models and settings of duplicated projects', async () => {
  const models: { readonly model: string; readonly json: string }[] = [];
  for (const value of VALUES.filter((each) => each.startsWith('{'))) {
    const base = `/api/pages/${project}`;
    const model = randomUUID();
    const json = `{"Main":{"body":{"type":"Text","config":${value}}}}`;
    const body = `{"id":"${model}","label":"P","format":"page","repeatable":true,"status":true,"json":${json}}`;
    await send(api, 'PUT', `${base}/document-model`, body);
    models.push({ model, json });
  }
  await send(
    api,
    'PUT',
    `/api/pages/${project}/site-settings`,
    `{"free":[${VALUES.join(',')}],"10":1.0,"9":2}`,
  );
  const { id } = (
    await send(api, 'POST', `/api/pages/project_metadata/${project}/duplicate`, '{"name":"Copy"}')
  ).body;
  for (const { model, json } of models)
    includes((await api.get(`/api/pages/${id}/document-model/${model}`)).text, json, 'model');
  const copied = (await api.get(`/api/pages/${id}/site-settings`)).text;
  includes(copied, `"free":[${VALUES.join(',')}],"10":1.0,"9":2`, 'settings');
});

test('form definitions, also in their history and after another change', async () => {
  for (const value of VALUES) {
    const definition = `{"title":{"default":"b","de":"a"},"free":${value},"pages":[{"name":"p","elements":[
      {"type":"text","name":"q","free":${value}}]}]}`;
    const body = (name: string) =>
      `{"name":"${name}","allowed_origins":["*"],"active":true,"form_type":"embedded_form","formBuilderOptions":${definition}}`;
    const { code } = (await send(api, 'POST', '/api/forms', body('Written'))).body;
    const path = `/api/forms/${code}`;
    includes((await api.get(path)).text, definition, 'created');
    await send(api, 'PUT', path, body('Written again'));
    includes((await api.get(path)).text, definition, 'replaced');
    includes((await api.get(`${path}/schema`)).text, definition, 'for rendering');
    const listed = await api.post('/api/forms/list', { page: 1, limit: 10, filters: {} });
    includes(listed.text, definition, 'listed');
    const versions = await api.get(`/api/entity/versions?entityType=form&entitySortKey=${code}`);
    assert.equal(compact(versions.text).split(compact(definition)).length - 1, 2, 'versions');
    await api.delete(path);
    await api.post('/api/entity/restore', { entityType: 'form', entitySortKey: code });
    includes((await api.get(path)).text, definition, 'restored');
  }
});
