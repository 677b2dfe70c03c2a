import assert from 'node:assert/strict';
import test from 'node:test';
import { actingIn, createMember, createUnit } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await app.createTenant();
const { api } = tenant;
await app.admin.post(`/admin/tenants/${tenant.code}/sending-domains`, {
  domain: 'mail.test',
  verified: true,
});

const UNKNOWN = '00000000-0000-7000-8000-000000000000';

const templateBody = (more: object = {}) => ({
  name: 'Welcome',
  from_email: 'hello@mail.test',
  transactional: false,
  ...more,
});
const versionBody = (more: object = {}) => ({
  active: true,
  subject: 'Hi {{name}}',
  html_content: '<p>Hi {{name}}</p>',
  ...more,
});

async function create(more: object = {}, client = api): Promise<string> {
  return (await client.post('/api/templates', templateBody(more))).body.id;
}

async function addVersion(templateId: string, more: object = {}) {
  return (await api.post(`/api/templates/${templateId}/versions`, versionBody(more))).body;
}

async function versionsOf(templateId: string) {
  return (await api.get(`/api/templates/${templateId}/versions`)).body.results;
}

test('a template is returned as written, with its defaults', async () => {
  const id = await create();
  const { body } = await api.get(`/api/templates/${id}`);
  assert.deepEqual(body, {
    id,
    version: 1,
    created_at: body.created_at,
    updated_at: body.created_at,
    name: 'Welcome',
    from_email: 'hello@mail.test',
    from_name: null,
    reply_to: null,
    description: null,
    type: null,
    transactional: false,
    open_tracking: false,
    click_tracking: false,
    shared: false,
    business_unit: tenant.defaultUnitId,
  });
});

test('addresses keep their letter case', async () => {
  const id = await create({ from_email: ' News@Mail.test', reply_to: 'Help@Mail.test ' });
  const { from_email, reply_to } = (await api.get(`/api/templates/${id}`)).body;
  assert.deepEqual([from_email, reply_to], ['News@Mail.test', 'Help@Mail.test']);
});

test('a replace returns the id and adds a version of the record to history', async () => {
  const id = await create();
  const put = await api.put(`/api/templates/${id}`, templateBody({ name: 'New', type: 'a', version: 1 }));
  assert.deepEqual(put.body, { id });
  const stale = await api.put(`/api/templates/${id}`, templateBody({ version: 1 }), 409);
  assert.equal(stale.body.error.code, 'VERSION_CONFLICT');
  assert.deepEqual((await api.delete(`/api/templates/${id}`)).body, { id });
  const query = `entityType=email_template&entitySortKey=${id}`;
  const history = (await api.get(`/api/entity/versions?${query}`)).body;
  const versions = Array.isArray(history) ? history : history.results;
  assert.deepEqual(
    versions.map(({ data }: { data: { name: string } }) => data.name),
    ['Welcome', 'New'],
  );
});

test("a missing template is TEMPLATE_NOT_FOUND in the area's envelope, for every call", async () => {
  for (const id of [UNKNOWN, 'x', "'--"]) {
    const path = `/api/templates/${encodeURIComponent(id)}`;
    for (const answer of [
      await api.get(path, 404),
      await api.put(path, templateBody(), 404),
      await api.delete(path, 404),
      await api.post(`${path}/versions`, versionBody(), 404),
      await api.get(`${path}/versions`, 404),
      await api.get(`${path}/versions/${UNKNOWN}`, 404),
      await api.put(`${path}/versions/${UNKNOWN}`, versionBody(), 404),
      await api.delete(`${path}/versions/${UNKNOWN}`, 404),
    ])
      assert.deepEqual(answer.body, {
        error: { code: 'TEMPLATE_NOT_FOUND', message: 'The template does not exist.', details: [] },
      });
  }
  const clone = await api.post('/api/templates/clone', { template_id: UNKNOWN, name: 'x' }, 404);
  assert.equal(clone.body.error.code, 'TEMPLATE_NOT_FOUND');
});

for (const [what, field, more] of [
  ['no name', 'name', { name: undefined }],
  ['no transactional', 'transactional', { transactional: undefined }],
  ['a sender that is no address', 'from_email', { from_email: 'hello' }],
  ['a sender on an unknown domain', 'from_email', { from_email: 'a@other.test' }],
  ['a sender below a verified domain', 'from_email', { from_email: 'a@sub.mail.test' }],
  ['a sender name with a line break', 'from_name', { from_name: 'A\r\nBcc: b@c.test' }],
  ['a reply-to that is no address', 'reply_to', { reply_to: 'nobody' }],
] as const) {
  test(`a template with ${what} is INVALID_TEMPLATE, naming ${field}`, async () => {
    const { body } = await api.post('/api/templates', templateBody(more), 400);
    assert.equal(body.error.code, 'INVALID_TEMPLATE');
    assert.deepEqual(
      body.error.details.map((issue: { field: string }) => issue.field),
      [field],
    );
  });
}

test("errors of every kind have the area's envelope", async () => {
  const anonymous = await app.anonymous.get('/api/templates', 401);
  assert.equal(anonymous.body.error.code, 'UNAUTHORIZED');
  const broken = await api.post('/api/templates', undefined, 400, { rawBody: '{' });
  assert.equal(broken.body.error.code, 'INVALID_TEMPLATE');
  for (const query of ['limit=101', 'page=0', `search=${'x'.repeat(1001)}`])
    assert.equal((await api.get(`/api/templates?${query}`, 400)).body.error.code, 'INVALID_REQUEST');
});

test('lists filter by name, type and words, newest first', async () => {
  const other = await app.createTenant();
  await app.admin.post(`/admin/tenants/${other.code}/sending-domains`, { domain: 'b.test', verified: true });
  const from_email = 'x@b.test';
  const ids: string[] = [];
  for (const more of [
    { name: 'Spring sale', type: 'promo' },
    { name: 'Receipt', type: 'order', description: 'for a Spring order' },
    { name: 'Reset 100%', type: 'promo' },
  ])
    ids.push(await create({ ...more, from_email }, other.api));
  const found = async (query: string) =>
    (await other.api.get(`/api/templates?${query}`)).body.results.map(({ id }: { id: string }) =>
      ids.indexOf(id),
    );
  assert.deepEqual(await found(''), [2, 1, 0]);
  assert.deepEqual(await found('name=SALE'), [0]);
  assert.deepEqual(await found('name=%25'), [2]);
  assert.deepEqual(await found('type=promo'), [2, 0]);
  assert.deepEqual(await found('search=order%20spring'), [1]);
  const page = (await other.api.get('/api/templates?page=2&limit=2')).body;
  assert.deepEqual([page.results.length, page.total, page.totalPages], [1, 3, 2]);
  assert.deepEqual((await other.api.get('/api/templates?page=9')).body, {
    results: [],
    total: 3,
    totalPages: 1,
  });
});

test('version numbers start at 1 per template and are never reused', async () => {
  const id = await create();
  const first = await addVersion(id);
  const second = await addVersion(id);
  assert.deepEqual([first.version, second.version], [1, 2]);
  assert.deepEqual((await api.delete(`/api/templates/${id}/versions/${second.id}`)).body, { id: second.id });
  assert.equal((await addVersion(id)).version, 3);
  assert.equal((await addVersion(await create())).version, 1);
});

test('the version number in a body is ignored', async () => {
  const id = await create();
  const first = await addVersion(id, { version: '9' });
  const path = `/api/templates/${id}/versions/${first.id}`;
  const replaced = (await api.put(path, versionBody({ version: null }))).body;
  assert.deepEqual([first.version, replaced.version], [1, 1]);
});

test('concurrently created versions get different numbers, and one of them is active', async () => {
  const id = await create();
  const created = await Promise.all(Array.from({ length: 6 }, () => addVersion(id)));
  assert.deepEqual(created.map(({ version }) => version).sort(), [1, 2, 3, 4, 5, 6]);
  assert.equal((await versionsOf(id)).filter(({ active }: { active: boolean }) => active).length, 1);
});

test('a version is returned as written', async () => {
  const id = await create();
  const rich = {
    plain_content: 'Hi',
    generate_plain_content: true,
    template_builder_content: { z: 1, a: [null] },
    test_data: { name: 'T' },
    data_fields_schema: [{ key: 'name' }],
    attachments: [{ name: 'a.pdf', type: 'application/pdf', url: 'https://x.test/a.pdf' }],
  };
  const created = await addVersion(id, rich);
  const { body, text } = await api.get(`/api/templates/${id}/versions/${created.id}`);
  assert.deepEqual(body, {
    ...versionBody(rich),
    plain_content: 'Hi {{name}}',
    id: created.id,
    template_id: id,
    version: 1,
    created_at: body.created_at,
    updated_at: body.created_at,
  });
  assert.match(text, /"template_builder_content":\{"z":1,"a":\[null\]\}/);
  const plain = await addVersion(id);
  const read = (await api.get(`/api/templates/${id}/versions/${plain.id}`)).body;
  assert.deepEqual(
    [read.plain_content, read.generate_plain_content, read.template_builder_content, read.test_data],
    [null, false, null, null],
  );
  assert.deepEqual([read.data_fields_schema, read.attachments], [[], []]);
});

test('at most one version is active, the one activated last', async () => {
  const id = await create();
  const first = await addVersion(id);
  const second = await addVersion(id);
  const active = async () =>
    (await versionsOf(id))
      .filter((version: { active: boolean }) => version.active)
      .map((v: { id: string }) => v.id);
  assert.deepEqual(await active(), [second.id]);
  const put = await api.put(`/api/templates/${id}/versions/${first.id}`, versionBody());
  assert.deepEqual(put.body, { id: first.id, version: 1 });
  assert.deepEqual(await active(), [first.id]);
  await api.put(`/api/templates/${id}/versions/${first.id}`, versionBody({ active: false }));
  assert.deepEqual(await active(), []);
});

test('the only version of a template cannot be deleted', async () => {
  const id = await create();
  const { id: versionId } = await addVersion(id);
  const { body } = await api.delete(`/api/templates/${id}/versions/${versionId}`, 409);
  assert.equal(body.error.code, 'VERSION_CONFLICT');
});

test('deleting the active version activates the previous one', async () => {
  const id = await create();
  const first = await addVersion(id, { active: false });
  const second = await addVersion(id, { active: false });
  const third = await addVersion(id);
  const activeId = async () => (await versionsOf(id)).find(({ active }: { active: boolean }) => active)?.id;
  await api.delete(`/api/templates/${id}/versions/${third.id}`);
  assert.equal(await activeId(), second.id);
  await api.put(`/api/templates/${id}/versions/${first.id}`, versionBody());
  await api.delete(`/api/templates/${id}/versions/${first.id}`);
  assert.equal(await activeId(), second.id);
});

test('a version whose plain text is generated shows it', async () => {
  const id = await create();
  const { id: versionId } = await addVersion(id, {
    html_content: '<p>Hello {{name}}, <a href="https://shop.example/{{code}}">seeds</a></p>',
    generate_plain_content: true,
  });
  const path = `/api/templates/${id}/versions/${versionId}`;
  const { body } = await api.get(path);
  assert.match(body.plain_content, /Hello \{\{name\}\}.*https:\/\/shop\.example\/\{\{code\}\}/s);
  await api.put(path, { ...body, html_content: '<p>Bye</p>' });
  assert.equal((await api.get(path)).body.plain_content.trim(), 'Bye');
});

test('a version can only be read through its own template', async () => {
  const id = await create();
  const { id: versionId } = await addVersion(id);
  const other = await create();
  assert.equal(
    (await api.get(`/api/templates/${other}/versions/${versionId}`, 404)).body.error.code,
    'TEMPLATE_NOT_FOUND',
  );
  await api.put(`/api/templates/${other}/versions/${versionId}`, versionBody(), 404);
  await api.delete(`/api/templates/${other}/versions/${versionId}`, 404);
});

for (const [what, field, more] of [
  ['an open block', 'html_content', { html_content: '<p>{{#if x}}</p>' }],
  ['a broken subject', 'subject', { subject: '{{name' }],
  ['a broken text', 'plain_content', { plain_content: '{{/if}}' }],
  ['an unknown function', 'html_content', { html_content: '{{evil x}}' }],
  [
    'an attachment without a web address',
    'attachments[0].url',
    { attachments: [{ name: 'a', type: 'b', url: 'file:///etc' }] },
  ],
  [
    'an attachment whose address has a password',
    'attachments[0].url',
    { attachments: [{ name: 'a', type: 'b', url: 'https://user:pw@example.com/f.pdf' }] },
  ],
  ['no subject', 'subject', { subject: undefined }],
] as const) {
  test(`a version with ${what} is INVALID_TEMPLATE, naming ${field}`, async () => {
    const id = await create();
    const { body } = await api.post(`/api/templates/${id}/versions`, versionBody(more), 400);
    assert.equal(body.error.code, 'INVALID_TEMPLATE');
    assert.equal(body.error.details[0].field, field);
    assert.deepEqual(await versionsOf(id), []);
  });
}

test('a clone has the given name and the active version', async () => {
  const id = await create({ description: 'd', click_tracking: true });
  await addVersion(id, { subject: 'one' });
  await addVersion(id, { subject: 'two', test_data: { a: 1 } });
  const { body } = await api.post('/api/templates/clone', { template_id: id, name: 'Copy' });
  const copy = (await api.get(`/api/templates/${body.id}`)).body;
  assert.deepEqual([copy.name, copy.description, copy.click_tracking, copy.version], ['Copy', 'd', true, 1]);
  const [version, ...others] = await versionsOf(body.id);
  assert.deepEqual(others, []);
  assert.deepEqual([version.id, version.version, version.active], [body.version_id, 1, true]);
  assert.deepEqual([version.subject, version.test_data], ['two', { a: 1 }]);
  assert.equal((await addVersion(body.id)).version, 2);
});

test('a clone belongs to the named unit, if the caller may write there', async () => {
  const id = await create();
  const north = await createUnit(tenant, 'Copies');
  const named = { template_id: id, name: 'Copy', business_unit: north };
  const { body } = await api.post('/api/templates/clone', named);
  assert.equal((await api.get(`/api/templates/${body.id}`)).body.business_unit, north);
  const editor = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  await editor.api.post('/api/templates/clone', named, 403);
});

test('a clone of a template without an active version has none', async () => {
  const id = await create();
  await addVersion(id, { active: false });
  const { body } = await api.post('/api/templates/clone', { template_id: id, name: 'Copy' });
  assert.equal(body.version_id, null);
  assert.deepEqual(await versionsOf(body.id), []);
});

test('deleting a template deletes its versions', async () => {
  const id = await create();
  const { id: versionId } = await addVersion(id);
  await api.delete(`/api/templates/${id}`);
  await api.get(`/api/templates/${id}`, 404);
  await api.get(`/api/templates/${id}/versions/${versionId}`, 404);
});

test('every unit can read a shared template, only owners can write it', async () => {
  const north = await createUnit(tenant, 'North');
  const member = await createMember(tenant, [{ bu_id: north, role: 'admin' }]);
  const ungranted = await createMember(tenant, []);
  const own = await create();
  const id = await create({ shared: true });
  const { id: versionId } = await addVersion(id);
  await member.api.get(`/api/templates/${own}`, 404);
  assert.equal((await member.api.get(`/api/templates/${id}`)).body.shared, true);
  assert.equal((await member.api.get(`/api/templates/${id}/versions`)).body.total, 1);
  assert.equal(
    (await member.api.get('/api/templates?limit=100')).body.results.some((t: { id: string }) => t.id === id),
    true,
  );
  await ungranted.api.get(`/api/templates/${id}`, 404);
  for (const answer of [
    await member.api.put(`/api/templates/${id}`, templateBody(), 403),
    await member.api.delete(`/api/templates/${id}`, 403),
    await member.api.post(`/api/templates/${id}/versions`, versionBody(), 403),
    await member.api.put(`/api/templates/${id}/versions/${versionId}`, versionBody(), 403),
    await member.api.delete(`/api/templates/${id}/versions/${versionId}`, 403),
    await member.api.post('/api/templates', templateBody({ shared: true }), 403),
  ])
    assert.equal(answer.body.error.code, 'FORBIDDEN');
  const clone = await member.api.post('/api/templates/clone', { template_id: id, name: 'Mine' });
  const copy = (await member.api.get(`/api/templates/${clone.body.id}`)).body;
  assert.deepEqual([copy.shared, copy.business_unit], [false, north]);
});

test('a shared template of an archived unit still belongs to the tenant', async () => {
  const south = await createUnit(tenant, 'South');
  const id = await create({ shared: true }, await actingIn(api, south));
  const own = await create({}, await actingIn(api, south));
  await api.post(`/api/client/v1/business-units/${south}/archive`, undefined);
  await api.get(`/api/templates/${own}`, 404);
  await api.put(`/api/templates/${id}`, templateBody({ name: 'Still ours' }));
  const read = (await api.get(`/api/templates/${id}`)).body;
  assert.deepEqual([read.name, read.shared], ['Still ours', true]);
  await api.delete(`/api/templates/${id}`);
});

test('an owner can write a shared template of an archived unit, also after a call by a member of other units', async () => {
  const own = await app.createTenant();
  const domain = { domain: 'mail.test', verified: true };
  await app.admin.post(`/admin/tenants/${own.code}/sending-domains`, domain);
  const member = await createMember(own, [{ bu_id: own.defaultUnitId, role: 'admin' }]);
  const west = await createUnit(own, 'West');
  const id = await create({ shared: true }, await actingIn(own.api, west));
  await own.api.post(`/api/client/v1/business-units/${west}/archive`, undefined);
  await member.api.get(`/api/templates/${id}`);
  await own.api.put(`/api/templates/${id}`, templateBody({ name: 'Still ours' }));
  await own.api.delete(`/api/templates/${id}`);
  await own.api.get(`/api/templates/${id}`, 404);
});

test('only an owner shares and unshares', async () => {
  const north = await createUnit(tenant, 'East');
  const member = await createMember(tenant, [{ bu_id: north, role: 'admin' }]);
  const { id } = (await member.api.post('/api/templates', templateBody())).body;
  await member.api.put(`/api/templates/${id}`, templateBody({ shared: true }), 403);
  await api.put(`/api/templates/${id}`, templateBody({ shared: true }));
  await member.api.put(`/api/templates/${id}`, templateBody(), 403);
  await api.put(`/api/templates/${id}`, templateBody({ shared: false }));
  await member.api.put(`/api/templates/${id}`, templateBody());
});

async function preview(content: object, substitution_data?: object, status = 200) {
  const body = { content: { from: 'a@b.test', ...content }, substitution_data };
  return (await api.post('/api/templates/preview/inline', body, status)).body;
}

test('a preview renders subject and HTML with the data', async () => {
  assert.deepEqual(await preview({ subject: 'Hi {{n}}', html: '<b>{{n}}</b>' }, { n: 'A&B' }), {
    subject: 'Hi A&B',
    html: '<b>A&amp;B</b>',
  });
  assert.deepEqual(await preview({ html: 'x', text: '{{n}}' }, { n: '<' }), {
    subject: '',
    html: 'x',
    text: '<',
  });
});

test('a preview keeps style sheets, like a transmission by default', async () => {
  const html = '<style>p { color: red }</style><p>Hi</p>';
  assert.equal((await preview({ html })).html, html);
});

test('a preview with an undefined variable names variable, line and column', async () => {
  const { error } = await preview({ html: '<p>\n{{who}}</p>' }, {}, 422);
  assert.equal(error.code, 'TEMPLATE_RENDER_ERROR');
  assert.match(error.message, /"who" is not defined \(line 2, column 3\)/);
  assert.deepEqual(error.details, [
    { field: 'content.html', message: error.message, variable: 'who', line: 2, column: 3 },
  ]);
});

test('a preview that does not parse, or has no from, is INVALID_TEMPLATE', async () => {
  assert.equal((await preview({ html: '{{#each x}}' }, {}, 400)).error.code, 'INVALID_TEMPLATE');
  assert.equal(
    (await preview({ html: 'x', from: undefined }, {}, 400)).error.details[0].field,
    'content.from',
  );
});

test('a preview includes the named snippets, and names an unknown one', async () => {
  await api.post('/api/template_snippets', { name: 'outer', content: '[{{{snippet inner}}}]' });
  await api.post('/api/template_snippets', { name: 'inner', content: '{{n}}' });
  assert.equal((await preview({ html: '{{{snippet outer}}}' }, { n: '<' })).html, '[&lt;]');
  const { error } = await preview({ html: '{{{snippet gone}}}' }, {}, 422);
  assert.equal(error.code, 'TEMPLATE_RENDER_ERROR');
  assert.match(error.message, /snippet "gone" does not exist/);
});

test('a preview cannot exceed its time and output', async () => {
  const rows = Array.from({ length: 2000 }, () => 'x'.repeat(10));
  const bomb = '{{#each rows}}{{#each ../rows}}{{#each ../../rows}}{{/each}}{{/each}}{{/each}}';
  assert.match((await preview({ html: bomb }, { rows }, 422)).error.message, /longer than 1000 ms/);
  const large = '{{#each rows}}{{@root.text}}{{/each}}';
  const data = { rows, text: 'x'.repeat(10_000) };
  assert.match((await preview({ html: large }, data, 422)).error.message, /larger than 10 MiB/);
});

test('repeating a create with its Idempotency-Key creates one version', async () => {
  const id = await create();
  const options = { headers: { 'idempotency-key': 'version-once' } };
  const first = await api.post(`/api/templates/${id}/versions`, versionBody(), 200, options);
  const second = await api.post(`/api/templates/${id}/versions`, versionBody(), 200, options);
  assert.deepEqual(first.body, second.body);
  assert.equal((await versionsOf(id)).length, 1);
});
