import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import { createForm, goodAnswers, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();

suite('form submissions', async () => {
  const tenant = await app.createTenant();
  const form = await createForm(tenant.api);

  const post = (body: object, status: number) => tenant.api.post('/api/form_submissions', body, status);
  const fieldsOf = (body: { issues: { field: string }[] }) => body.issues.map((issue) => issue.field).sort();

  test('an accepted submission returns its id and can be read with all its data', async () => {
    const id = await submit(tenant.api, form);
    const { body } = await tenant.api.get(`/api/form_submissions/${id}`);
    assert.deepEqual(body.form_data, goodAnswers);
    assert.deepEqual(Object.keys(body).sort(), [
      'created_at',
      'email_address',
      'events',
      'form_code',
      'form_data',
      'form_name',
      'id',
      'ip_address',
      'journey_triggered',
      'submission_date',
      'subscriber_created',
      'updated_at',
      'user_agent',
      'version',
    ]);
    assert.deepEqual(
      [body.version, body.updated_at, body.subscriber_created, body.journey_triggered],
      [1, null, false, false],
    );
    assert.equal(body.submission_date, body.created_at);
    assert.deepEqual(Object.keys(body.events[0]).sort(), ['isError', 'message', 'timestamp', 'type']);
    const history = await tenant.api.get(
      `/api/entity/versions?entityType=form_submission&entitySortKey=${id}`,
    );
    assert.deepEqual(history.body[0].data, body);
  });

  test('a time zone is used if it exists', async () => {
    const body = { form_code: form, email_address: 'ada@example.com', form_data: goodAnswers };
    for (const time_zone of ['Europe/Berlin', 'UTC', 'Asia/Kolkata', undefined])
      await post({ ...body, time_zone }, 200);
    for (const time_zone of ['Europe/Atlantis', '', 'x'.repeat(101), 2]) {
      const refused = await post({ ...body, time_zone }, 400);
      assert.equal(refused.body.code, 'INVALID_SUBMISSION');
      assert.deepEqual(fieldsOf(refused.body), ['time_zone']);
    }
  });

  test('answers to hidden questions are dropped', async () => {
    const id = await submit(tenant.api, form, { ...goodAnswers, reason: 'was typed, then hidden' });
    const { body } = await tenant.api.get(`/api/form_submissions/${id}`);
    assert.equal('reason' in body.form_data, false);
  });

  for (const [what, change, fields] of [
    ['a required answer is missing', { full_name: undefined }, ['full_name']],
    ['a required answer is blank', { full_name: '' }, ['full_name']],
    ['a question that is required once visible is missing', { satisfied: 'no' }, ['reason']],
    ['an address is none', { email: 'nope' }, ['email']],
    ['a choice is none of the choices', { country: 'xx' }, ['country']],
    ['a checkbox holds no array', { topics: 'speed' }, ['topics']],
    ['a radiogroup holds an array', { satisfied: ['yes'] }, ['satisfied']],
    ['a question is unknown', { nobody_asked: 1 }, ['nobody_asked']],
    ['several answers are wrong at once', { email: 'nope', country: 'xx' }, ['country', 'email']],
  ] as const) {
    test(`is rejected when ${what}`, async () => {
      const { body } = await post(
        { form_code: form, email_address: 'a@example.com', form_data: { ...goodAnswers, ...change } },
        400,
      );
      assert.equal(body.code, 'INVALID_SUBMISSION');
      assert.deepEqual(fieldsOf(body), fields);
    });
  }

  test('a body with missing or invalid fields gets INVALID_SUBMISSION with their names', async () => {
    const { body } = await post({ email_address: 5, form_data: [] }, 400);
    assert.equal(body.code, 'INVALID_SUBMISSION');
    assert.deepEqual(fieldsOf(body), ['email_address', 'form_code', 'form_data']);
  });

  test("the respondent's address must be deliverable, and its errors are reported with those of the answers", async () => {
    const send = (email_address: string, form_data: object, status: number) =>
      post({ form_code: form, email_address, form_data }, status);
    await send('jörg@bücher.example', goodAnswers, 200);
    for (const address of ['nope', '', '"a b"@example.com', 'a@[127.0.0.1]', ' a@example.com']) {
      const { body } = await send(address, { ...goodAnswers, country: 'xx' }, 400);
      assert.equal(body.code, 'INVALID_SUBMISSION');
      assert.deepEqual(fieldsOf(body), ['country', 'email_address']);
    }
  });

  test('an unknown, inactive or deleted form accepts no submission', async () => {
    const inactive = await createForm(tenant.api, { active: false });
    const deleted = await createForm(tenant.api);
    await tenant.api.delete(`/api/forms/${deleted}`);
    for (const code of ['nothere', inactive, deleted]) {
      const { body } = await post({ form_code: code, email_address: 'a@example.com', form_data: {} }, 404);
      assert.equal(body.code, 'FORM_NOT_FOUND');
    }
  });

  test('an unknown or malformed id is not found', async () => {
    for (const id of ['nope', '018f0000-0000-7000-8000-000000000000']) {
      assert.equal((await tenant.api.get(`/api/form_submissions/${id}`, 404)).body.code, 'NOT_FOUND');
    }
  });

  test('checks use the current version of the form', async () => {
    const code = await createForm(tenant.api);
    await submit(tenant.api, code);
    const definition = {
      pages: [{ name: 'p', elements: [{ type: 'text', name: 'only', isRequired: true }] }],
    };
    const change = {
      name: 'x',
      allowed_origins: ['*'],
      active: true,
      form_type: 'embedded_form',
      formBuilderOptions: definition,
    };
    await tenant.api.put(`/api/forms/${code}`, change);
    await post({ form_code: code, email_address: 'a@example.com', form_data: goodAnswers }, 400);
    await submit(tenant.api, code, { only: 'this' });
  });

  test('the same Idempotency-Key stores one submission and replays its response', async () => {
    const code = await createForm(tenant.api);
    const once = tenant.api.with({ 'idempotency-key': 'abc' });
    const [first, second] = [await submit(once, code), await submit(once, code)];
    assert.equal(first, second);
    const conflict = await once.post(
      '/api/form_submissions',
      { form_code: code, email_address: 'b@example.com', form_data: goodAnswers },
      409,
    );
    assert.equal(conflict.body.code, 'IDEMPOTENCY_CONFLICT');
    const filters = { form_code: { operation: 'eq', value: code } };
    assert.equal(
      (await tenant.api.post('/api/form_submissions/list', { page: 1, limit: 10, filters })).body.total,
      1,
    );
  });

  test('other requests reach the database while answers are checked under an Idempotency-Key', async () => {
    const columns = Array.from({ length: 60 }, (_, index) => ({
      name: `c${index}`,
      cellType: 'text',
      visibleIf: '{row.c0} notempty',
    }));
    const matrix = { type: 'matrixdynamic', name: 'm', columns };
    const formBuilderOptions = { pages: [{ name: 'p', elements: [matrix] }] };
    const form_code = await createForm(tenant.api, { formBuilderOptions });
    const m = Array.from({ length: 500 }, () => Object.fromEntries(columns.map(({ name }) => [name, 'x'])));
    const ended: string[] = [];
    const once = tenant.api.with({ 'idempotency-key': 'slow' });
    const slow = once
      .post('/api/form_submissions', { form_code, email_address: 'a@example.com', form_data: { m } }, 400)
      .then(() => ended.push('check'));
    for (let reads = 0; reads < 20; reads += 1) await tenant.api.get(`/api/forms/${form}`);
    ended.push('reads');
    await slow;
    assert.deepEqual(ended, ['reads', 'check']);
  });

  test('a rejected call leaves its Idempotency-Key usable for a corrected one', async () => {
    const once = tenant.api.with({ 'idempotency-key': 'mended' });
    await once.post(
      '/api/form_submissions',
      { form_code: form, email_address: 'a@example.com', form_data: {} },
      400,
    );
    await submit(once, form);
  });
});

suite('the list of submissions', async () => {
  const tenant = await app.createTenant();
  const forms = [await createForm(tenant.api), await createForm(tenant.api)];
  for (const code of [forms[0], forms[0], forms[1]]) await submit(tenant.api, String(code));

  const list = async (filters: object, more: object = {}) =>
    (await tenant.api.post('/api/form_submissions/list', { page: 1, limit: 10, filters, ...more })).body;

  test('is newest first with exact counts, filtered or not', async () => {
    const all = await list({});
    assert.deepEqual([all.total, all.results.length, all.results[0].form_code], [3, 3, forms[1]]);
    const paged = await list({}, { limit: 2 });
    assert.deepEqual([paged.total, paged.totalPages, paged.results.length], [3, 2, 2]);
    const first = await list({ form_code: { operation: 'eq', value: forms[0] } }, { limit: 1 });
    assert.deepEqual([first.total, first.totalPages], [2, 2]);
    assert.equal(
      (await list({ form_code: { operation: 'ne', value: forms[0] } }, { limit: 1, page: 2 })).total,
      1,
    );
    assert.equal(
      (await list({ email_address: { operation: 'like', value: 'ADA@' } }, { limit: 1 })).total,
      3,
    );
    assert.equal((await list({ created_at: { operation: 'lt', value: '2020-01-01' } })).total, 0);
  });

  test('a form shows its number of submissions', async () => {
    const { body } = await tenant.api.post('/api/forms/list', { page: 1, limit: 10, filters: {} });
    const counts = body.results.map((form: { code: string; submission_count: number }) => [
      form.code,
      form.submission_count,
    ]);
    assert.deepEqual(counts, [
      [forms[1], 1],
      [forms[0], 2],
    ]);
  });

  test('filters are required and named when invalid', async () => {
    const missing = await tenant.api.post('/api/form_submissions/list', { page: 1, limit: 10 }, 400);
    assert.deepEqual([missing.body.code, missing.body.issues[0].field], ['INVALID_REQUEST', 'filters']);
    const wrong = { page: 1, limit: 10, filters: { form_data: { operation: 'eq', value: 1 } } };
    assert.equal(
      (await tenant.api.post('/api/form_submissions/list', wrong, 400)).body.issues[0].field,
      'filters.form_data',
    );
  });
});
