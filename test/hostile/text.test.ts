/** Texts that try to be SQL, markup, prototypes or headers: stored unchanged or rejected, never executed. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../harness/members.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm, formBody, goodAnswers } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';
import { acceptBefore } from './survivors.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const other = await app.createTenant();
const { api } = tenant;
const checkSurvivors = await acceptBefore(app, tenant);
const formCode = await createForm(api);

const TEXTS = [
  "'; drop table forms; --",
  "' or '1'='1",
  "\\'; select pg_sleep(10); --",
  '"; delete from tenants; --',
  '$$; set role postgres; $$',
  "') union select password_hash from users --",
  '%',
  '_',
  '\\',
  '%\\',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '{{constructor.constructor("return process")()}}',
  '<script>alert(1)</script>',
  '</script><img src=x onerror=alert(1)>',
  '\u202eevil\u2066',
  'a\ufeff\u200b',
  'İıſ\u0130',
  'a\u2028\u2029b',
  '\u0001\u0008\u001b[2J',
  '👩‍👩‍👧‍👦'.repeat(15),
  '=cmd|calc!A1',
  '../../../etc/passwd',
];

test('names, options, answers and test data store every text byte for byte', async () => {
  for (const text of TEXTS) {
    const theme = {
      name: text,
      formBuilderThemeOptions: {
        themeName: text,
        cssVariables: { [text === '__proto__' ? 'p' : text]: text },
      },
    };
    const { code } = (await api.post('/api/form_themes', theme)).body;
    const stored = (await api.get(`/api/form_themes/${code}`)).body;
    assert.deepEqual([stored.name, stored.formBuilderThemeOptions], [text, theme.formBuilderThemeOptions]);
    const form = await createForm(api, {
      name: text,
      formBuilderOptions: { title: text, pages: [{ elements: [{ type: 'comment', name: 'q' }] }] },
    });
    assert.equal((await api.get(`/api/forms/${form}`)).body.formBuilderOptions.title, text);
    const answers = { form_code: form, email_address: 'ada@example.com', form_data: { q: text } };
    const { submission_id } = (await api.post('/api/form_submissions', answers)).body;
    assert.equal((await api.get(`/api/form_submissions/${submission_id}`)).body.form_data.q, text);
    const history = await api.get(`/api/entity/versions?entityType=form&entitySortKey=${form}`);
    assert.equal(history.body[0].data.name, text);
  }
});

test('a search or filter finds exactly the rows with the text, without wildcards', async () => {
  const { api: fresh } = await app.createTenant();
  for (const text of TEXTS)
    await fresh.post('/api/form_themes', { name: `<<${text}>>`, formBuilderThemeOptions: {} });
  const names = TEXTS.map((text) => `<<${text}>>`);
  const list = async (body: object): Promise<string[]> =>
    (await fresh.post('/api/form_themes/list', { page: 1, limit: 100, ...body })).body.results
      .map(({ name }: { name: string }) => name)
      .sort();
  for (const text of TEXTS) {
    const exact = { name: { operation: 'eq', value: `<<${text}>>` } };
    assert.deepEqual(await list({ filters: exact }), [`<<${text}>>`]);
    const like = { name: { operation: 'like', value: text } };
    const holding = names.filter((name) => name.includes(text)).sort();
    const found = await list({ filters: like });
    for (const name of holding) assert.ok(found.includes(name), `${text} is not found`);
    if (/^[\\%_]+$/.test(text)) assert.deepEqual(found, holding, text);
    await list({ search: text });
  }
});

test('a filter with a hostile field, operation or value answers 400 or finds nothing', async () => {
  const { api: empty } = await app.createTenant();
  for (const path of ['/api/forms/list', '/api/form_themes/list', '/api/form_submissions/list']) {
    for (const text of TEXTS.filter((each) => each !== '__proto__')) {
      const refused = [
        { [text]: { operation: 'eq', value: 1 } },
        { created_at: { operation: text, value: 1 } },
        { created_at: { operation: 'gt', value: text } },
      ];
      for (const filters of refused) {
        const answer = await empty.post(path, { page: 1, limit: 10, filters }, 400);
        assert.equal(answer.body.code, 'INVALID_REQUEST');
      }
      const unit = { business_unit: { operation: 'in', value: [text, 'x'] } };
      assert.equal((await empty.post(path, { page: 1, limit: 10, filters: unit })).body.total, 0);
    }
  }
});

test('odd values of filters and paging get a list or a 400', async () => {
  const values = [
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    '',
    [],
    [[]],
    {},
    { value: 1 },
    [null, null],
    ['a', 1],
    '9999-99-99',
    '+275760-09-13',
    '0000-01-01',
    '-infinity',
    'now',
  ];
  const fields = ['name', 'active', 'created_at', 'business_unit'];
  const operations = ['eq', 'ne', 'like', 'gt', 'lte', 'in', 'between'];
  for (const field of fields) {
    await Promise.all(
      operations.flatMap((operation) =>
        values.map(async (value) => {
          const filters = { [field]: { operation, value } };
          const answer = await api.send('POST', '/api/forms/list', { body: { page: 1, limit: 1, filters } });
          assert.ok([200, 400].includes(answer.status), `${JSON.stringify(filters)}: ${answer.text}`);
        }),
      ),
    );
  }
  for (const [page, limit] of [
    [0, 1],
    [-1, 1],
    [1.5, 1],
    [1, 0],
    [1, 101],
    ['1', 1],
    [1, null],
    [1e300, 1],
  ])
    await api.post('/api/forms/list', { page, limit, filters: {} }, 400);
  const far = await api.post('/api/forms/list', { page: Number.MAX_SAFE_INTEGER, limit: 100, filters: {} });
  assert.deepEqual(far.body.results, []);
});

test('a body cannot set read-only members', async () => {
  const stolen = {
    tenant_id: other.tenantId,
    owner_bu_id: other.defaultUnitId,
    code: 'chosen',
    public_code: 'chosen',
    created_at: '2000-01-01T00:00:00.000Z',
    version: 99,
    constructor: { prototype: { isTenantAdmin: true } },
    prototype: { isTenantAdmin: true },
  };
  const code = await createForm(api, stolen);
  const form = (await api.get(`/api/forms/${code}`)).body;
  assert.notEqual(code, 'chosen');
  assert.deepEqual([form.business_unit, form.version], [tenant.defaultUnitId, 1]);
  assert.notEqual(form.public_code, 'chosen');
  assert.notEqual(form.created_at, stolen.created_at);
  await other.api.get(`/api/forms/${code}`, 404);
  assert.equal(Reflect.get({}, 'isTenantAdmin'), undefined);
});

test('webhook headers accept no line breaks and no framing headers', async () => {
  const bad: [string, string][] = [
    ['X-A', 'a\r\nX-B: b'],
    ['X-A', 'a\nb'],
    ['X-A', 'a\rb'],
    ['X-A', 'ключ'],
    ['X-A: b\r\nX-C', 'c'],
    ['X A', 'a'],
    ['', 'a'],
    [':path', 'a'],
    ...[
      'Host',
      'content-length',
      'Transfer-Encoding',
      'Connection',
      'Content-Type',
      'User-Agent',
      'Tessera-Attempt',
      'Proxy-Authorization',
    ].map((name): [string, string] => [name, 'x']),
  ];
  for (const [name, value] of bad) {
    for (const is_secret of [true, false]) {
      const target = { url: receiver.url, headers: [{ name, value, is_secret }] };
      const event = { event_type: 'form.submission', form_code: formCode };
      const answer = await api.post('/api/webhooks', { event, name: 'Hook', target }, 400);
      assert.match(answer.body.issues[0].field, /^target\.headers\[0\]/);
      assert.ok(!answer.text.includes('c\r\n'));
    }
  }
});

test('odd idempotency keys work like others', async () => {
  for (const key of ["' or 1=1 --", '__proto__', 'a,b', '"', '%00', 'x'.repeat(255)]) {
    const options = { headers: { 'idempotency-key': key } };
    const body = { name: 'Once', formBuilderThemeOptions: {} };
    const first = await api.post('/api/form_themes', body, 200, options);
    assert.equal((await api.post('/api/form_themes', body, 200, options)).text, first.text);
    assert.notEqual((await other.api.post('/api/form_themes', body, 200, options)).text, first.text);
  }
});

test('hostile names, addresses and slugs of members and units are stored unchanged or rejected', async () => {
  // Adding a member hashes a password, which is slow by design, so only every third text is used.
  for (const text of TEXTS.filter((_text, index) => index % 3 === 0)) {
    const unit = await api.post('/api/client/v1/business-units', { name: text });
    assert.match(unit.body.bu_id, /^[0-9a-f-]{36}$/);
    if (!/^[a-z0-9_-]+$/.test(text))
      await api.post('/api/client/v1/business-units', { name: 'x', slug: text }, 400);
    await api.post('/api/client/v1/memberships', { email: text, name: 'x' }, 400);
    const member = await createMember(tenant, [], { name: text });
    const { results } = (await api.get('/api/client/v1/memberships')).body;
    const stored = results.find(
      (each: { membership_id: string }) => each.membership_id === member.membershipId,
    );
    assert.equal(stored.name, text);
  }
});

test('an embed page contains no text of a form as markup', async () => {
  const title = '</script><script>alert(1)</script><!--';
  const code = await createForm(api, {
    ...formBody({ name: title }),
    formBuilderOptions: { title, pages: [{ elements: [{ type: 'text', name: 'a', title }] }] },
  });
  const { public_code } = (await api.get(`/api/forms/${code}`)).body;
  const page = await app.anonymous.get(`/embed/${public_code}`);
  assert.ok(!page.text.includes('<script>alert(1)'));
  assert.match(page.headers.get('content-security-policy') ?? '', /script-src/);
});

test('hostile headers of a submission are stored as texts', async () => {
  const body = { form_code: formCode, email_address: 'ada@example.com', form_data: goodAnswers };
  for (const agent of ["' or 1=1", 'x'.repeat(4000), '\u00ff\u00fe', '<script>']) {
    const sent = await api.post('/api/form_submissions', body, 200, { headers: { 'user-agent': agent } });
    const { body: stored } = await api.get(`/api/form_submissions/${sent.body.submission_id}`);
    assert.equal(stored.user_agent, agent);
  }
});

test('afterwards the process answers and has the accepted data', checkSurvivors);
