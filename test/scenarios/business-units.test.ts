/** The business unit rules (docs/specification/tenants.md#what-a-call-reaches), end to end. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Client } from '../harness/client.ts';
import { actingIn, createMember, createUnit } from '../harness/members.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm, formBody, goodAnswers, submit } from '../harness/sample-forms.ts';
import { startTestApp } from '../harness/test-app.ts';

const app = await startTestApp();
const receiver = await startReceiver();
const tenant = await app.createTenant();
const owner = tenant.api;
const byDefault = tenant.defaultUnitId;
const north = await createUnit(tenant, 'North');
const south = await createUnit(tenant, 'South');

const LISTS = ['/api/forms/list', '/api/form_themes/list', '/api/form_submissions/list'];
const page = { page: 1, limit: 100, filters: {} };

/** The records of one unit, created by the tenant's owner. */
interface UnitRecords {
  readonly form: string;
  readonly theme: string;
  readonly submission: string;
  readonly webhook: string;
}

function themeBody(more: object = {}): object {
  return { name: 'Theme', formBuilderThemeOptions: {}, ...more };
}

function webhookBody(form: string): object {
  const event = { event_type: 'form.submission', form_code: form };
  return { event, name: 'Hook', target: { url: receiver.url } };
}

async function createRecords(unit: string): Promise<UnitRecords> {
  const form = await createForm(owner, { business_unit: unit });
  const theme = (await owner.post('/api/form_themes', themeBody({ business_unit: unit }))).body.code;
  const webhook = (await owner.post('/api/webhooks', webhookBody(form))).body.id;
  return { form, theme, webhook, submission: await submit(owner, form) };
}

/** Paths to read the records of a unit. */
function pathsOf({ form, theme, webhook, submission }: UnitRecords): string[] {
  return [
    `/api/forms/${form}`,
    `/api/forms/${form}/schema`,
    `/api/form_themes/${theme}`,
    `/api/form_submissions/${submission}`,
    `/api/webhooks/${webhook}`,
    `/api/webhooks/${webhook}/deliveries`,
  ];
}

/** Kinds of history of a unit's records. */
function historyOf({ form, theme, webhook, submission }: UnitRecords): [string, string][] {
  return [
    ['form', form],
    ['form_theme', theme],
    ['webhook', webhook],
    ['form_submission', submission],
  ];
}

async function ownerOf(path: string): Promise<string> {
  return (await owner.get(path)).body.business_unit;
}

const inDefault = await createRecords(byDefault);
const inNorth = await createRecords(north);
const inSouth = await createRecords(south);

const viewer = (await createMember(tenant, [{ bu_id: north, role: 'viewer' }])).api;
const editor = (await createMember(tenant, [{ bu_id: north, role: 'editor' }])).api;
const admin = (await createMember(tenant, [{ bu_id: north, role: 'admin' }])).api;
const ungranted = (await createMember(tenant, [])).api;
const between = (
  await createMember(tenant, [
    { bu_id: north, role: 'editor' },
    { bu_id: south, role: 'viewer' },
  ])
).api;

/** Returns the sets of codes and ids in the client's lists. */
async function seenBy(client: Client, filters: object = {}): Promise<Set<string>> {
  const lists = await Promise.all(LISTS.map((path) => client.post(path, { ...page, filters })));
  const webhooks = await client.get('/api/webhooks');
  const rows = [...lists, webhooks].flatMap(({ body }) => body.results);
  return new Set(rows.map((row) => row.code ?? row.id));
}

test('rule 8: a read reaches all authorized units and no others', async () => {
  for (const client of [viewer, editor, admin]) {
    assert.deepEqual(await seenBy(client), new Set(Object.values(inNorth)));
    for (const path of pathsOf(inNorth)) await client.get(path);
    for (const records of [inDefault, inSouth])
      for (const path of pathsOf(records)) await client.get(path, 404);
  }
  assert.deepEqual(await seenBy(between), new Set([inNorth, inSouth].flatMap((unit) => Object.values(unit))));
});

test('rule 8: a member without authorization sees nothing', async () => {
  assert.deepEqual(await seenBy(ungranted), new Set());
  for (const path of pathsOf(inNorth)) await ungranted.get(path, 404);
});

test('rule 4: an owner reaches every active unit without a grant', async () => {
  const seen = await seenBy(owner);
  for (const records of [inDefault, inNorth, inSouth])
    for (const key of Object.values(records)) assert.ok(seen.has(key));
});

test('a read reaches all authorized units, whatever the Active unit is', async () => {
  const active = await actingIn(between, south);
  assert.deepEqual(await seenBy(active), await seenBy(between));
});

test('lists narrow by filters.business_unit; a foreign, unknown or malformed unit matches nothing', async () => {
  for (const path of LISTS) {
    const listed = async (client: Client, value: unknown, operation = 'eq') =>
      (await client.post(path, { ...page, filters: { business_unit: { operation, value } } })).body.total;
    assert.equal(await listed(between, north), 1, path);
    assert.equal(await listed(between, [north, south], 'in'), 2, path);
    assert.equal(await listed(between, north, 'ne'), 1, path);
    for (const unit of [byDefault, randomUUID(), 'nowhere', "' or true --", ''])
      assert.equal(await listed(between, unit), 0, `${path} ${unit}`);
  }
});

test('rule 1: the Default unit cannot be renamed or archived', async () => {
  const path = `/api/client/v1/business-units/${byDefault}`;
  const rename = await owner.put(path, { name: 'Other' }, 409);
  assert.equal(rename.body.code, 'DEFAULT_BUSINESS_UNIT');
  assert.equal((await owner.post(`${path}/archive`, undefined, 409)).body.code, 'DEFAULT_BUSINESS_UNIT');
});

test('rules 1 and 5: a record that an owner creates without naming a unit belongs to Default', async () => {
  assert.equal(await ownerOf(`/api/forms/${await createForm(owner)}`), byDefault);
  const { code } = (await owner.post('/api/form_themes', themeBody())).body;
  assert.equal(await ownerOf(`/api/form_themes/${code}`), byDefault);
});

test('a new record belongs to the Active unit', async () => {
  const active = await actingIn(owner, south);
  assert.equal(await ownerOf(`/api/forms/${await createForm(active)}`), south);
  const { code } = (await active.post('/api/form_themes', themeBody())).body;
  assert.equal(await ownerOf(`/api/form_themes/${code}`), south);
});

test('a record created by a member of one unit belongs to that unit', async () => {
  assert.equal(await ownerOf(`/api/forms/${await createForm(editor)}`), north);
});

test('a record created by a member of Default and others belongs to Default', async () => {
  const { api } = await createMember(tenant, [
    { bu_id: south, role: 'admin' },
    { bu_id: byDefault, role: 'editor' },
  ]);
  assert.equal(await ownerOf(`/api/forms/${await createForm(api)}`), byDefault);
});

test('a member of several units without Default must name one', async () => {
  for (const [path, body] of [
    ['/api/forms', formBody()],
    ['/api/form_themes', themeBody()],
  ] as const) {
    assert.equal((await between.post(path, body, 400)).body.code, 'BUSINESS_UNIT_REQUIRED', path);
  }
  const chosen = await createForm(await actingIn(between, north));
  assert.equal(await ownerOf(`/api/forms/${chosen}`), north);
  assert.equal(await ownerOf(`/api/forms/${await createForm(between, { business_unit: north })}`), north);
});

test('an owner in the body, by id or slug, overrides the Active unit', async () => {
  const active = await actingIn(owner, south);
  for (const business_unit of [north, 'north']) {
    const { code } = (await active.post('/api/form_themes', themeBody({ business_unit }))).body;
    assert.equal(await ownerOf(`/api/form_themes/${code}`), north);
    assert.equal(await ownerOf(`/api/forms/${await createForm(active, { business_unit })}`), north);
  }
});

test('rule 3: naming an unauthorized or missing unit is FORBIDDEN', async () => {
  for (const business_unit of [south, 'south', byDefault, randomUUID(), 'no-such-unit', '']) {
    const form = await editor.post('/api/forms', formBody({ business_unit }), 403);
    const theme = await editor.post('/api/form_themes', themeBody({ business_unit }), 403);
    assert.deepEqual([form.body.code, theme.body.code], ['FORBIDDEN', 'FORBIDDEN']);
  }
  await between.post('/api/forms', formBody({ business_unit: south }), 403);
  const onlyReads = await actingIn(between, south);
  await onlyReads.post('/api/forms', formBody(), 403);
});

test('a member without any grant cannot create anything', async () => {
  for (const [path, body] of [
    ['/api/forms', formBody()],
    ['/api/form_themes', themeBody()],
    ['/api/webhooks', webhookBody(inNorth.form)],
    [
      '/api/form_submissions',
      { form_code: inNorth.form, email_address: 'ada@example.com', form_data: goodAnswers },
    ],
  ] as const) {
    assert.equal((await ungranted.post(path, body, 403)).body.code, 'FORBIDDEN', path);
  }
});

test('rule 6: no update moves a record to another unit; naming its own is allowed', async () => {
  for (const [path, body] of [
    [`/api/forms/${inNorth.form}`, formBody],
    [`/api/form_themes/${inNorth.theme}`, themeBody],
  ] as const) {
    for (const business_unit of [south, 'south', randomUUID()])
      assert.equal((await owner.put(path, body({ business_unit }), 409)).body.code, 'OWNER_IMMUTABLE');
    for (const business_unit of [north, 'north']) await owner.put(path, body({ business_unit }));
    await (await actingIn(owner, south)).put(path, body());
    assert.equal(await ownerOf(path), north);
  }
});

test('a viewer can read and cannot write', async () => {
  const { form, theme, webhook } = inNorth;
  const writes = [
    viewer.post('/api/forms', formBody(), 403),
    viewer.put(`/api/forms/${form}`, formBody(), 403),
    viewer.delete(`/api/forms/${form}`, 403),
    viewer.put(`/api/form_themes/${theme}`, themeBody(), 403),
    viewer.delete(`/api/form_themes/${theme}`, 403),
    viewer.post('/api/webhooks', webhookBody(form), 403),
    viewer.put(`/api/webhooks/${webhook}`, { name: 'New', target: { url: receiver.url } }, 403),
    viewer.post(`/api/webhooks/${webhook}/test`, undefined, 403),
    viewer.delete(`/api/webhooks/${webhook}`, 403),
  ];
  for (const answer of await Promise.all(writes)) assert.equal(answer.body.code, 'FORBIDDEN');
  const submission = { form_code: form, email_address: 'ada@example.com', form_data: goodAnswers };
  await viewer.post('/api/form_submissions', submission, 403);
});

test('a role applies only in its own unit: writing readable records of others is FORBIDDEN', async () => {
  const { form, theme, webhook } = inSouth;
  for (const client of [between, await actingIn(between, north)]) {
    await client.put(`/api/forms/${form}`, formBody(), 403);
    await client.put(`/api/form_themes/${theme}`, themeBody(), 403);
    await client.put(`/api/webhooks/${webhook}`, { name: 'New', target: { url: receiver.url } }, 403);
    await client.post(`/api/webhooks/${webhook}/test`, undefined, 403);
    await client.post('/api/webhooks', webhookBody(form), 403);
    const submission = { form_code: form, email_address: 'ada@example.com', form_data: goodAnswers };
    await client.post('/api/form_submissions', submission, 403);
  }
  const mixed = (
    await createMember(tenant, [
      { bu_id: south, role: 'editor' },
      { bu_id: north, role: 'admin' },
    ])
  ).api;
  await mixed.put(`/api/forms/${form}`, formBody());
  for (const path of [`/api/forms/${form}`, `/api/form_themes/${theme}`, `/api/webhooks/${webhook}`])
    assert.equal((await mixed.delete(path, 403)).body.code, 'FORBIDDEN', path);
});

test('an editor can write but not delete; an admin can also delete', async () => {
  const own = await createRecords(north);
  const replace = { name: 'New', target: { url: receiver.url } };
  for (const client of [editor, admin]) {
    await client.put(`/api/forms/${own.form}`, formBody());
    await client.put(`/api/form_themes/${own.theme}`, themeBody());
    await client.put(`/api/webhooks/${own.webhook}`, replace);
    await client.post(`/api/webhooks/${own.webhook}/test`, undefined);
    await submit(client, own.form);
  }
  const paths = [`/api/webhooks/${own.webhook}`, `/api/form_themes/${own.theme}`, `/api/forms/${own.form}`];
  for (const path of paths) await editor.delete(path, 403);
  for (const path of paths) await admin.delete(path);
  for (const path of paths) await owner.get(path, 404);
});

test('an update reaches every unit for which the caller has the role, whatever the Active unit is', async () => {
  const { api } = await createMember(tenant, [
    { bu_id: north, role: 'editor' },
    { bu_id: south, role: 'editor' },
  ]);
  const active = await actingIn(api, south);
  await active.put(`/api/forms/${inNorth.form}`, formBody());
  assert.equal(await ownerOf(`/api/forms/${inNorth.form}`), north);
});

test("submissions and webhooks belong to their form's unit, whatever the Active unit is", async () => {
  const active = await actingIn(owner, south);
  const submission = await submit(active, inNorth.form);
  const webhook = (await active.post('/api/webhooks', webhookBody(inNorth.form))).body.id;
  const outside = (await createMember(tenant, [{ bu_id: south, role: 'admin' }])).api;
  for (const path of [`/api/form_submissions/${submission}`, `/api/webhooks/${webhook}`]) {
    await viewer.get(path);
    await outside.get(path, 404);
  }
  await outside.post('/api/webhooks', webhookBody(inNorth.form), 422);
});

test("a visitor's submission belongs to its form's unit", async () => {
  const { public_code } = (await owner.get(`/api/forms/${inNorth.form}`)).body;
  const answers = { email_address: 'eva@example.com', form_data: goodAnswers };
  const sent = await app.anonymous.post(`/embed/${public_code}/submissions`, answers);
  await viewer.get(`/api/form_submissions/${sent.body.submission_id}`);
  const outside = (await createMember(tenant, [{ bu_id: south, role: 'admin' }])).api;
  await outside.get(`/api/form_submissions/${sent.body.submission_id}`, 404);
});

test('a form accepts no theme of a unit that the caller cannot read', async () => {
  await editor.post('/api/forms', formBody({ theme_code: inSouth.theme }), 422);
  await editor.post('/api/forms', formBody({ theme_code: inNorth.theme }));
});

test('history is as isolated as the records', async () => {
  const inside = (records: UnitRecords, client: Client) =>
    Promise.all(
      historyOf(records).map(async ([type, key]) => {
        const query = `entityType=${type}&entitySortKey=${key}`;
        const all = (await client.get(`/api/entity/versions?${query}`)).body;
        const one = await client.send('GET', `/api/entity/versions/1?${query}`);
        assert.equal(one.status, all.length === 0 ? 404 : 200);
        return all.length > 0;
      }),
    );
  assert.deepEqual(new Set(await inside(inNorth, viewer)), new Set([true]));
  for (const records of [inSouth, inDefault])
    assert.deepEqual(new Set(await inside(records, viewer)), new Set([false]));
  assert.deepEqual(new Set(await inside(inNorth, ungranted)), new Set([false]));
});

test('only the authorized unit can list its deleted records', async () => {
  const { form } = await createRecords(north);
  await admin.delete(`/api/forms/${form}`);
  const deleted = async (client: Client) =>
    (await client.get('/api/entity/deleted-records?entityType=form')).body.map(
      ({ sk }: { sk: string }) => sk,
    );
  assert.ok((await deleted(viewer)).includes(form));
  const outside = (await createMember(tenant, [{ bu_id: south, role: 'admin' }])).api;
  assert.ok(!(await deleted(outside)).includes(form));
  assert.deepEqual(await deleted(ungranted), []);
});

test('only owners manage units and grants', async () => {
  await admin.post('/api/client/v1/business-units', { name: 'Own' }, 403);
  await admin.put(`/api/client/v1/business-units/${north}`, { name: 'Mine' }, 403);
  await admin.post(`/api/client/v1/business-units/${north}/archive`, undefined, 403);
  for (const client of [viewer, editor, admin]) {
    const { body } = await client.get('/api/client/v1/business-units');
    assert.deepEqual(
      body.business_units.map(({ bu_id }: { bu_id: string }) => bu_id),
      [north],
    );
    assert.equal(body.is_tenant_admin, false);
    await client.post(`/api/client/v1/business-units/${south}/activate`, undefined, 404);
  }
});

test('the records of an archived unit disappear permanently for everybody', async () => {
  const west = await createUnit(tenant, 'West');
  const inWest = await createRecords(west);
  const member = (await createMember(tenant, [{ bu_id: west, role: 'admin' }])).api;
  const active = await actingIn(member, west);
  for (const path of pathsOf(inWest)) await member.get(path);
  const before = await seenBy(owner);
  await owner.post(`/api/client/v1/business-units/${west}/archive`, undefined);
  for (const client of [owner, member]) {
    for (const path of pathsOf(inWest)) await client.get(path, 404);
    const seen = await seenBy(client);
    for (const key of Object.values(inWest)) assert.ok(!seen.has(key), key);
  }
  assert.deepEqual(new Set([...(await seenBy(owner)), ...Object.values(inWest)]), before);
  await active.get('/api/forms/settings', 403);
  await owner.put(`/api/forms/${inWest.form}`, formBody(), 404);
  await owner.delete(`/api/forms/${inWest.form}`, 404);
  await owner.post('/api/forms', formBody({ business_unit: west }), 403);
  await owner.post(`/api/client/v1/business-units/${west}/activate`, undefined, 404);
  const { body } = await owner.get('/api/client/v1/business-units');
  assert.ok(!body.business_units.some(({ bu_id }: { bu_id: string }) => bu_id === west));
  // Its name and slug stay reserved, so that no later unit gets its records.
  const again = await createUnit(tenant, 'West');
  assert.notEqual(again, west);
  for (const path of pathsOf(inWest)) await owner.get(path, 404);
});

test('the public page and submissions of a form end with its unit', async () => {
  const east = await createUnit(tenant, 'East');
  const { form } = await createRecords(east);
  const { public_code } = (await owner.get(`/api/forms/${form}`)).body;
  await app.anonymous.get(`/embed/${public_code}`);
  await owner.post(`/api/client/v1/business-units/${east}/archive`, undefined);
  await app.anonymous.get(`/embed/${public_code}`, 404);
  const answers = { email_address: 'eva@example.com', form_data: goodAnswers };
  await app.anonymous.post(`/embed/${public_code}/submissions`, answers, 404);
});
