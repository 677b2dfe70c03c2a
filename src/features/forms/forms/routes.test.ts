import assert from 'node:assert/strict';
import test, { suite } from 'node:test';
import { createJourney } from '../../../../test/harness/journeys.ts';
import { createForm, formBody, submit, twoPageDefinition } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();

suite('forms', async () => {
  const tenant = await app.createTenant();

  test('the settings list form types, post-submit actions and a licence key', async () => {
    const { body } = await tenant.api.get('/api/forms/settings');
    assert.deepEqual(
      body.formTypes.map((entry: { key: string }) => entry.key),
      ['embedded_form'],
    );
    assert.deepEqual(
      body.postSubmitActionTypes.map((entry: { key: string }) => entry.key),
      ['redirect', 'show_message', 'trigger_journey'],
    );
    for (const entry of [...body.formTypes, ...body.postSubmitActionTypes]) {
      assert.deepEqual(Object.keys(entry).sort(), ['description', 'key', 'name']);
    }
    assert.equal(typeof body.builderLicenseKey, 'string');
  });

  test('a create returns only the code, and the form is returned as written', async () => {
    const journey_id = await createJourney(tenant, [{ key: 'bye', type: 'exit' }]);
    const extra = {
      email_question: 'email',
      post_submit_actions: [
        { type: 'redirect', url: 'https://example.com/thanks' },
        { type: 'show_message', html: '<p>Thanks</p>' },
        { type: 'trigger_journey', journey_id },
      ],
      subscriber_mapping: { enabled: true, first_name: 'full_name', lists: ['l1'] },
      unknown_field: 'is ignored',
      code: 'read-only fields are ignored',
    };
    const created = await tenant.api.post('/api/forms', formBody(extra));
    assert.deepEqual(Object.keys(created.body), ['code']);
    const { body } = await tenant.api.get(`/api/forms/${created.body.code}`);
    assert.deepEqual(body.formBuilderOptions, twoPageDefinition);
    assert.deepEqual(body.post_submit_actions, extra.post_submit_actions);
    assert.deepEqual(body.subscriber_mapping, extra.subscriber_mapping);
    assert.equal(body.email_question, 'email');
    assert.equal(body.business_unit, tenant.defaultUnitId);
    assert.equal(body.version, 1);
    assert.match(body.created_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    assert.match(body.public_code, /^[a-z0-9]{22}$/);
    assert.equal('unknown_field' in body, false);
  });

  test('a definition is returned byte for byte, with key order, unknown keys and Unicode', async () => {
    const definition = {
      zeta: 1,
      alpha: { b: [1, null, 'ü💡'], a: true },
      ...twoPageDefinition,
      title: 'Ünïcode ',
    };
    const code = await createForm(tenant.api, { formBuilderOptions: definition });
    const { text } = await tenant.api.get(`/api/forms/${code}`);
    assert.ok(text.includes(`"formBuilderOptions":${JSON.stringify(definition)}`));
  });

  for (const [what, change, field] of [
    ['a missing name', { name: undefined }, 'name'],
    ['an empty name', { name: '' }, 'name'],
    ['a name that is no string', { name: 5 }, 'name'],
    ['origins that are no array', { allowed_origins: '*' }, 'allowed_origins'],
    ['an origin that is none', { allowed_origins: ['example.com'] }, 'allowed_origins[0]'],
    ['an origin that a policy cannot name', { allowed_origins: ['http://[::1]:8080'] }, 'allowed_origins[0]'],
    ['an origin that would end a directive', { allowed_origins: ['https://a;b'] }, 'allowed_origins[0]'],
    ['an origin with a path', { allowed_origins: ['*', 'https://example.com/x'] }, 'allowed_origins[1]'],
    ['active that is no boolean', { active: 'yes' }, 'active'],
    ['another form type', { form_type: 'popup' }, 'form_type'],
    ['options that are no object', { formBuilderOptions: [] }, 'formBuilderOptions'],
    ['options without pages', { formBuilderOptions: {} }, 'formBuilderOptions.pages'],
    ['no pages', { formBuilderOptions: { pages: [] } }, 'formBuilderOptions.pages'],
    [
      'an unknown element type',
      { formBuilderOptions: { pages: [{ name: 'p', elements: [{ type: 'nope', name: 'a' }] }] } },
      'formBuilderOptions.pages[0].elements[0].type',
    ],
    [
      'an element without name',
      { formBuilderOptions: { pages: [{ name: 'p', elements: [{ type: 'text' }] }] } },
      'formBuilderOptions.pages[0].elements[0].name',
    ],
    [
      'a bad expression',
      {
        formBuilderOptions: {
          pages: [{ name: 'p', elements: [{ type: 'text', name: 'a', visibleIf: '{b} = = (' }] }],
        },
      },
      'formBuilderOptions.pages[0].elements[0].visibleIf',
    ],
    [
      'a redirect to a script',
      { post_submit_actions: [{ type: 'redirect', url: 'javascript:alert(1)' }] },
      'post_submit_actions[0].url',
    ],
    ['an unknown action', { post_submit_actions: [{ type: 'explode' }] }, 'post_submit_actions[0].type'],
    ['text PostgreSQL cannot hold', { name: 'a\u0000b' }, 'name'],
  ] as const) {
    test(`${what} is rejected by name`, async () => {
      const { body } = await tenant.api.post('/api/forms', formBody(change), 400);
      assert.equal(body.code, 'INVALID_REQUEST');
      assert.ok(
        body.issues.some((issue: { field?: string }) => issue.field === field),
        JSON.stringify(body),
      );
    });
  }

  test('all errors of a body are reported at once', async () => {
    const { body } = await tenant.api.post('/api/forms', { name: 1, active: 'x' }, 400);
    const fields = body.issues.map((issue: { field: string }) => issue.field).sort();
    assert.deepEqual(fields, ['active', 'allowed_origins', 'formBuilderOptions', 'form_type', 'name']);
  });

  test('a form references an existing theme or none', async () => {
    const refused = await tenant.api.post('/api/forms', formBody({ theme_code: 'nothere' }), 422);
    assert.equal(refused.body.code, 'VALIDATION_ERROR');
    assert.equal(refused.body.issues[0].field, 'theme_code');
    const theme = await tenant.api.post('/api/form_themes', {
      name: 'Dark',
      formBuilderThemeOptions: { colorPalette: 'dark', cssVariables: { '--sjs-primary-backcolor': '#f00' } },
    });
    const code = await createForm(tenant.api, { theme_code: theme.body.code });
    const schema = await tenant.api.get(`/api/forms/${code}/schema`);
    assert.deepEqual(Object.keys(schema.body.form).sort(), [
      'code',
      'formBuilderOptions',
      'name',
      'public_code',
    ]);
    assert.equal(schema.body.theme.code, theme.body.code);
    assert.equal(schema.body.theme.formBuilderThemeOptions.colorPalette, 'dark');
  });

  test('the schema of a form without a theme has none', async () => {
    const code = await createForm(tenant.api);
    assert.equal((await tenant.api.get(`/api/forms/${code}/schema`)).body.theme, null);
  });

  test('a replace increments the version, keeps both codes, and adds each version to history', async () => {
    const code = await createForm(tenant.api);
    const before = (await tenant.api.get(`/api/forms/${code}`)).body;
    const answer = await tenant.api.put(`/api/forms/${code}`, formBody({ name: 'Renamed', version: 1 }));
    assert.deepEqual(answer.body, { success: true, code });
    const after = (await tenant.api.get(`/api/forms/${code}`)).body;
    assert.deepEqual([after.name, after.version, after.public_code], ['Renamed', 2, before.public_code]);
    const history = await tenant.api.get(`/api/entity/versions?entityType=form&entitySortKey=${code}`);
    assert.deepEqual(
      history.body.map((entry: { version: number; data: { name: string } }) => [
        entry.version,
        entry.data.name,
      ]),
      [
        [1, 'Feedback'],
        [2, 'Renamed'],
      ],
    );
    assert.deepEqual(history.body[1].data, after);
  });

  test('a replace with a stale version is a conflict and changes nothing', async () => {
    const code = await createForm(tenant.api);
    await tenant.api.put(`/api/forms/${code}`, formBody({ name: 'Second' }));
    const { body } = await tenant.api.put(`/api/forms/${code}`, formBody({ name: 'Third', version: 1 }), 409);
    assert.equal(body.code, 'VERSION_CONFLICT');
    assert.equal((await tenant.api.get(`/api/forms/${code}`)).body.name, 'Second');
  });

  test('a version in a create is read-only and ignored', async () => {
    await tenant.api.post('/api/forms', formBody({ version: 'x' }));
  });

  test('a missing form is FORM_NOT_FOUND for every operation', async () => {
    for (const code of ['nothere', 'not%20a%20code', "'%3B--"]) {
      assert.equal((await tenant.api.get(`/api/forms/${code}`, 404)).body.code, 'FORM_NOT_FOUND');
      assert.equal((await tenant.api.get(`/api/forms/${code}/schema`, 404)).body.code, 'FORM_NOT_FOUND');
      assert.equal((await tenant.api.put(`/api/forms/${code}`, formBody(), 404)).body.code, 'FORM_NOT_FOUND');
      assert.equal((await tenant.api.delete(`/api/forms/${code}`, 404)).body.code, 'FORM_NOT_FOUND');
    }
  });

  test('a deleted form is not found, its submissions and history stay, and it is listed as deleted', async () => {
    const code = await createForm(tenant.api);
    const submission = await submit(tenant.api, code);
    assert.deepEqual((await tenant.api.delete(`/api/forms/${code}`)).body, { code });
    await tenant.api.get(`/api/forms/${code}`, 404);
    await tenant.api.get(`/api/form_submissions/${submission}`);
    assert.equal(
      (await tenant.api.get(`/api/entity/versions?entityType=form&entitySortKey=${code}`)).body.length,
      1,
    );
    const deleted = (await tenant.api.get('/api/entity/deleted-records?entityType=form')).body;
    assert.ok(
      deleted.some(
        (entry: { sk: string; pk: string }) =>
          entry.sk === code && entry.pk === `${tenant.code}#form#DELETED`,
      ),
    );
  });
});

suite('the list of forms', async () => {
  const tenant = await app.createTenant();
  for (const name of ['Alpha one', 'Beta 100% sure', 'alpha Two']) {
    await createForm(tenant.api, { name, active: name !== 'alpha Two' });
  }

  const list = async (more: object, status = 200) =>
    (await tenant.api.post('/api/forms/list', { page: 1, limit: 10, filters: {}, ...more }, status)).body;
  const names = (body: { results: { name: string }[] }) => body.results.map((form) => form.name);

  test('is newest first, with counts', async () => {
    const body = await list({});
    assert.deepEqual(names(body), ['alpha Two', 'Beta 100% sure', 'Alpha one']);
    assert.deepEqual([body.total, body.totalPages], [3, 1]);
    assert.deepEqual([body.results[0].submission_count, body.results[0].conversion_rate], [0, 0]);
  });

  test('pages, and a page after the end is empty with the correct total', async () => {
    const second = await list({ page: 2, limit: 2 });
    assert.deepEqual([names(second), second.total, second.totalPages], [['Alpha one'], 3, 2]);
    const past = await list({ page: 9, limit: 2 });
    assert.deepEqual([past.results, past.total, past.totalPages], [[], 3, 2]);
    await list({ page: Number.MAX_SAFE_INTEGER, limit: 100 });
  });

  test('searches names: every word must match, in any letter case, with literal wildcards', async () => {
    assert.deepEqual(names(await list({ search: 'ALPHA' })), ['alpha Two', 'Alpha one']);
    assert.deepEqual(names(await list({ search: 'two alpha' })), ['alpha Two']);
    assert.deepEqual(names(await list({ search: '100%' })), ['Beta 100% sure']);
    assert.deepEqual(names(await list({ search: '_' })), []);
  });

  for (const [filters, expected] of [
    [{ name: { operation: 'eq', value: 'Alpha one' } }, ['Alpha one']],
    [{ name: { operation: 'ne', value: 'Alpha one' } }, ['alpha Two', 'Beta 100% sure']],
    [{ name: { operation: 'like', value: 'ALPHA' } }, ['alpha Two', 'Alpha one']],
    [{ name: { operation: 'in', value: ['Alpha one', 'alpha Two'] } }, ['alpha Two', 'Alpha one']],
    [{ name: { operation: 'in', value: [] } }, []],
    [{ name: { operation: 'between', value: ['A', 'C'] } }, ['Beta 100% sure', 'Alpha one']],
    [{ active: { operation: 'eq', value: false } }, ['alpha Two']],
    [
      { form_type: { operation: 'eq', value: 'embedded_form' }, active: { operation: 'ne', value: false } },
      ['Beta 100% sure', 'Alpha one'],
    ],
    [{ created_at: { operation: 'gt', value: '2020-01-01' } }, ['alpha Two', 'Beta 100% sure', 'Alpha one']],
    [{ created_at: { operation: 'lt', value: '2020-01-01T00:00:00Z' } }, []],
    [{ business_unit: { operation: 'eq', value: 'unknown' } }, []],
  ] as const) {
    test(`filters by ${JSON.stringify(filters)}`, async () => {
      const body = await list({ filters });
      assert.deepEqual([...names(body)].sort(), [...expected].sort());
      assert.equal(body.total, expected.length);
    });
  }

  for (const [more, field] of [
    [{ page: 0 }, 'page'],
    [{ page: 1.5 }, 'page'],
    [{ page: undefined }, 'page'],
    [{ limit: 101 }, 'limit'],
    [{ limit: 0 }, 'limit'],
    [{ filters: undefined }, 'filters'],
    [{ filters: { nope: { operation: 'eq', value: 1 } } }, 'filters.nope'],
    [{ filters: { __proto: { operation: 'eq', value: 1 } } }, 'filters.__proto'],
    [{ filters: { constructor: { operation: 'eq', value: 1 } } }, 'filters.constructor'],
    [{ filters: { name: { operation: 'nlike', value: 'a' } } }, 'filters.name.operation'],
    [{ filters: { name: 'Alpha' } }, 'filters.name'],
    [{ filters: { name: { operation: 'eq', value: { a: 1 } } } }, 'filters.name.value'],
    [{ filters: { active: { operation: 'eq', value: 'true' } } }, 'filters.active.value'],
    [{ filters: { created_at: { operation: 'gt', value: 'yesterday' } } }, 'filters.created_at.value'],
    [
      { filters: { created_at: { operation: 'between', value: ['2020-01-01'] } } },
      'filters.created_at.value',
    ],
  ] as const) {
    test(`rejects ${JSON.stringify(more)} naming ${field}`, async () => {
      const body = await list(more, 400);
      assert.equal(body.code, 'INVALID_REQUEST');
      assert.ok(
        body.issues.some((issue: { field: string }) => issue.field === field),
        JSON.stringify(body),
      );
    });
  }
});
