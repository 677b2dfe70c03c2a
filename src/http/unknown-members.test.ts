/** Unknown members of bodies, unknown query parameters, and null for optional members of a create. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
const strict = { prefer: 'return=minimal, handling=strict' };

const form = {
  ...{ name: 'F', allowed_origins: [], active: true, form_type: 'embedded_form' },
  formBuilderOptions: { pages: [{ name: 'p', elements: [{ type: 'text', name: 'q' }] }] },
};

test('a documented operation ignores an unknown member and names it in a warning', async () => {
  const answer = await api.post('/api/forms', { ...form, subscriber_maping: { enabled: true } });
  assert.equal(
    answer.headers.get('warning'),
    '299 - "unknown member: subscriber_maping (did you mean subscriber_mapping?)"',
  );
  const { body } = await api.get(`/api/forms/${answer.body.code}`);
  assert.equal(body.subscriber_mapping, null);
  assert.equal('subscriber_maping' in body, false);
});

test('a body of known members gets no warning', async () => {
  const answer = await api.post('/api/forms', form);
  assert.equal(answer.headers.get('warning'), null);
});

test('members inside objects and arrays are checked', async () => {
  const recipients = [{ address: { email: 'a@example.com', nmae: 'A' }, metadata: { anything: 1 } }];
  const { headers } = await api.post(
    '/api/transmissions',
    { options: { transactional: true }, recipients, content: { subject: 'x' } },
    400,
  );
  assert.equal(
    headers.get('warning'),
    '299 - "unknown member: recipients[0].address.nmae (did you mean recipients[0].address.name?)"',
  );
});

test('an unknown query parameter is named in the same way', async () => {
  const { headers } = await api.get('/api/templates?pgae=2&utm=1');
  assert.equal(
    headers.get('warning'),
    '299 - "unknown parameter: pgae (did you mean page?)", 299 - "unknown parameter: utm"',
  );
  const { body } = await api.get('/api/transmissions?limt=2', 400);
  assert.deepEqual(body.issues, [
    { field: 'limt', message: 'is not a known parameter (did you mean limit?)' },
  ]);
});

test('Prefer: handling=strict rejects what would be ignored', async () => {
  const answer = await api.send('POST', '/api/forms', {
    body: { ...form, nmae: 'F', name: 1 },
    headers: strict,
  });
  assert.equal(answer.status, 400);
  assert.equal(answer.headers.get('preference-applied'), 'handling=strict');
  assert.deepEqual(
    answer.body.issues.map(({ field }: { field: string }) => field),
    ['nmae', 'name'],
  );
  assert.equal(answer.headers.get('warning'), null);
  const query = await api.send('GET', '/api/templates?pgae=2', { headers: strict });
  assert.equal(query.status, 400);
  const fine = await api.send('POST', '/api/forms', { body: form, headers: strict });
  assert.deepEqual([fine.status, fine.headers.get('preference-applied')], [200, 'handling=strict']);
});

test('an extension rejects an unknown member and suggests the nearest name', async () => {
  const { body } = await api.post('/api/lists', { name: 'A', descripton: 'x' }, 400);
  assert.deepEqual(body.issues, [
    { field: 'descripton', message: 'is not a known member (did you mean description?)' },
  ]);
  const { id } = (await api.post('/api/lists', { name: 'A' })).body;
  await api.patch(`/api/lists/${id}`, { nome: 'B' }, 400);
  assert.equal((await api.get(`/api/lists/${id}`)).body.name, 'A');
});

test('definitions reject unknown members at any depth', async () => {
  const { code } = (await api.post('/api/forms', form)).body;
  const webhook = {
    name: 'W',
    event: { event_type: 'form.submission', form_code: code },
    target: { url: 'https://example.com/', heders: [] },
  };
  const refused = await api.post('/api/webhooks', webhook, 400);
  assert.equal(refused.body.issues[0].field, 'target.heders');
  const field = { name: 'total', type: 'number', requird: true };
  const entity = await api.post('/api/entities', { name: 'orders', fields: [field] }, 400);
  assert.deepEqual(entity.body.issues, [
    { field: 'fields[0].requird', message: 'is not a known member (did you mean fields[0].required?)' },
  ]);
  const automation = await api.post(
    '/api/automations',
    {
      ...{ key: 'a', name: 'A', app: 'x', triggerType: 'cronJob' },
      triggerParams: { cronExpression: '0 * * * *', timeoutMS: 1000 },
      actions: [{ key: 'one', name: 'One', actionTypeKey: 'log', params: { mesage: 'x', message: 'y' } }],
      conditionalActions: [
        { condition: { combinator: 'and', rules: [{ field: 'a', op: 'equals' }] }, actions: [] },
      ],
    },
    400,
  );
  assert.deepEqual(
    automation.body.issues.map((issue: { field: string }) => issue.field),
    ['triggerParams.timeoutMS', 'actions[0].params.mesage', 'conditionalActions[0].condition.rules[0].op'],
  );
  const steps = [{ key: 'a', type: 'wait', secnds: 5, seconds: 5 }];
  const journey = await api.post('/api/journeys', { name: 'J', trigger: { type: 'manual' }, steps }, 400);
  assert.equal(journey.body.issues[0].field, 'steps[0].secnds');
});

test('the response of a read may be sent back', async () => {
  const { id } = (await api.post('/api/lists', { name: 'A', description: 'x' })).body;
  const shown = (await api.get(`/api/lists/${id}`)).body;
  const { headers } = await api.put(`/api/lists/${id}`, shown);
  assert.equal(headers.get('warning'), null);
  assert.deepEqual((await api.get(`/api/lists/${id}`)).body, shown);
  const copy = await api.post('/api/lists', shown);
  assert.notEqual(copy.body.id, id);
});

test('stored JSON with unknown members may be sent back, also by PATCH', async () => {
  const post_submit_actions = [{ type: 'redirect', url: 'https://example.com/', delay: 3 }];
  const created = await api.post('/api/forms', { ...form, post_submit_actions });
  assert.match(created.headers.get('warning') ?? '', /post_submit_actions\[0\]\.delay/);
  const path = `/api/forms/${created.body.code}`;
  const shown = (await api.get(path)).body;
  assert.equal((await api.put(path, shown)).headers.get('warning'), null);
  await api.patch(path, shown);
});

test('a warning is safe and short, whatever the names', async () => {
  const names = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [`x${index}`, 1]));
  const body = { ...form, 'a"\r\nset-cookie: b\\ü': 1, ['y'.repeat(5000)]: 1, ...names };
  const { headers } = await api.post('/api/forms', body);
  const warning = headers.get('warning') ?? '';
  assert.match(warning, /^299 - "unknown member: a%22%0D%0Aset-cookie:%20b%5C%C3%BC", /);
  assert.match(warning, /, 299 - "42 more unknown names"$/);
  assert.ok(warning.length < 1500);
});

test('null for an optional member of a create counts as missing, at any depth', async () => {
  const { body } = await api.post('/api/forms', {
    ...form,
    challenge: null,
    business_unit: null,
    subscriber_mapping: { enabled: false, lists: null },
  });
  const shown = (await api.get(`/api/forms/${body.code}`)).body;
  assert.equal(shown.challenge, false);
  assert.equal('lists' in shown.subscriber_mapping, false);
  await api.post('/api/forms', { ...form, name: null }, 400);
  await api.post('/api/lists/list', { page: 1, limit: 20, search: null, filters: null });
  await api.post('/api/lists/list', { page: null, limit: 20 }, 400);
});

test('null for an optional member of a creating PUT counts as missing; an update rejects it', async () => {
  const path = '/api/pages/project_metadata/nulls';
  const project = { name: 'Shop', description: 'Sells things', is_template: null, preview_config: null };
  await api.put(path, project);
  assert.equal((await api.get(path)).body.is_template, false);
  const { body } = await api.put(path, project, 400);
  assert.deepEqual(body.issues, [{ field: 'is_template', message: 'must be boolean' }]);
  const model = { id: 'page', label: 'Page', format: 'page', repeatable: true, status: true, json: {} };
  await api.put('/api/pages/nulls/document-model', { ...model, metadata: null });
  await api.put('/api/pages/nulls/document-model', { ...model, id: 'other', label: null }, 400);
  const slice = { id: 'hero', type: 'SharedSlice', name: 'Hero', description: '', kind: null, origin: null };
  await api.put('/api/pages/nulls/slice-model', { ...slice, tags: null, variations: null });
});
