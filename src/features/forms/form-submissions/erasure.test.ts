import assert from 'node:assert/strict';
import test from 'node:test';
import type { Client } from '../../../../test/harness/client.ts';
import { createMember, createUnit } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm, goodAnswers, submit } from '../../../../test/harness/sample-forms.ts';
import { createWebhook } from '../../../../test/harness/submission-load.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { eraseByAddress } from './erasure.ts';
import { eraseExpiredSubmissions } from './jobs.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { platform } = app.app;
const all = platform.database.everyTenant('tests').query;
const DAY_MS = 86_400_000;

/** Submits valid answers from an address. */
async function submitFrom(api: Client, form_code: string, email_address: string): Promise<string> {
  const body = { form_code, email_address, form_data: goodAnswers };
  return (await api.post('/api/form_submissions', body)).body.submission_id;
}

const erase = async (api: Client, email_address: string): Promise<number> =>
  (await api.post('/api/form_submissions/erase', { email_address })).body.erased;

async function list(api: Client, form_code: string) {
  const filters = { form_code: { operation: 'eq', value: form_code } };
  const { body } = await api.post('/api/form_submissions/list', { page: 1, limit: 100, filters });
  const ids: string[] = body.results.map(({ id }: { id: string }) => id);
  return { ids, total: body.total };
}

const countOf = async (api: Client, form: string): Promise<number> => {
  const { body } = await api.post('/api/forms/list', { page: 1, limit: 100, filters: {} });
  return body.results.find(({ code }: { code: string }) => code === form).submission_count;
};

const versionsOf = async (api: Client, id: string) =>
  (await api.get(`/api/entity/versions?entityType=form_submission&entitySortKey=${id}`)).body;

const deletedOf = async (api: Client) =>
  (await api.get('/api/entity/deleted-records?entityType=form_submission')).text;

const deliveriesOf = async (api: Client, webhook: string) =>
  (await api.get(`/api/webhooks/${webhook}/deliveries`)).body.results;

test('a deleted submission disappears from reads and counts, and stays in history', async () => {
  const { api } = await app.createTenant();
  const form = await createForm(api);
  const [id, remaining] = [await submit(api, form), await submit(api, form)];
  assert.deepEqual((await api.delete(`/api/form_submissions/${id}`)).body, { id });
  await api.get(`/api/form_submissions/${id}`, 404);
  await api.delete(`/api/form_submissions/${id}`, 404);
  assert.deepEqual(await list(api, form), { ids: [remaining], total: 1 });
  assert.equal(await countOf(api, form), 1);
  assert.equal((await versionsOf(api, id)).length, 1);
  assert.match(await deletedOf(api), new RegExp(id));
});

test('pending notifications of a deleted submission are dropped', async () => {
  const { api } = await app.createTenant();
  const form = await createForm(api);
  const receiver = await startReceiver();
  receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  const webhook = await createWebhook(api, form, receiver.url);
  const id = await submit(api, form);
  const [delivery] = await eventually('the failure', async () => {
    const found = await deliveriesOf(api, webhook);
    return found[0]?.attempts === 1 && found;
  });
  await api.delete(`/api/form_submissions/${id}`);
  await api.post(`/api/webhooks/${webhook}/deliveries/${delivery.id}/redeliver`, undefined);
  await eventually('the drop', async () => (await deliveriesOf(api, webhook)).length === 0);
  assert.equal(receiver.received.length, 1);
});

test('an erasure removes exactly the submissions of an address, in all forms', async () => {
  const { api } = await app.createTenant();
  const forms = [await createForm(api), await createForm(api)] as const;
  const receiver = await startReceiver();
  const webhook = await createWebhook(api, forms[0], receiver.url);
  const expired = [
    await submitFrom(api, forms[0], 'ada@example.com'),
    await submitFrom(api, forms[0], 'Ada@Example.COM'),
    await submitFrom(api, forms[1], 'ada@example.com'),
  ];
  const deletedBefore = await submitFrom(api, forms[1], 'ada@example.com');
  await api.delete(`/api/form_submissions/${deletedBefore}`);
  const remaining = await submitFrom(api, forms[0], 'bob.ada@example.com');
  await eventually('the deliveries', () => receiver.received.length === 3);

  assert.equal(await erase(api, ' ADA@example.com '), 4);

  for (const id of [...expired, deletedBefore]) {
    await api.get(`/api/form_submissions/${id}`, 404);
    assert.deepEqual(await versionsOf(api, id), []);
  }
  assert.equal(await deletedOf(api), '[]');
  assert.deepEqual(await list(api, forms[0]), { ids: [remaining], total: 1 });
  assert.deepEqual([await countOf(api, forms[0]), await countOf(api, forms[1])], [1, 0]);
  const log = await deliveriesOf(api, webhook);
  assert.deepEqual(
    log.map(({ submission_id }: { submission_id: string }) => submission_id),
    [remaining],
  );
  assert.equal((await versionsOf(api, remaining)).length, 1);
  assert.equal(await erase(api, 'ada@example.com'), 0);
});

test('an address is found in every spelling of its domain', async () => {
  const { api } = await app.createTenant();
  const form = await createForm(api);
  for (const address of ['jörg@bücher.example', 'jörg@xn--bcher-kva.example']) {
    await submitFrom(api, form, 'jörg@bücher.example');
    await submitFrom(api, form, 'jörg@xn--bcher-kva.example');
    assert.equal(await erase(api, address), 2);
  }
});

test('an address is found in any letter case and Unicode composition', async () => {
  const { api } = await app.createTenant();
  const form = await createForm(api);
  const decomposed = 'jörg@bücher.example'.normalize('NFD');
  for (const address of ['JÖRG@BÜCHER.example', decomposed]) await submitFrom(api, form, address);
  assert.equal(await erase(api, 'Jörg@Bücher.example'), 2);
});

test('more submissions than fit in one transaction are all erased', async () => {
  const { api, tenantId } = await app.createTenant();
  const form = await createForm(api);
  for (let n = 0; n < 5; n += 1) await submit(api, form);
  const small = { ...platform, config: { ...platform.config, jobBatchSize: 2 } };
  const db = platform.scoped({ tenantId, read: 'all', write: 'all', remove: 'all', shared: 'write' });
  const caller = {
    ...{ tenantId, membershipId: '', userId: '', isTenantAdmin: false },
    ...{ units: [], reachesAllUnits: true, activeUnitId: null },
  };
  assert.deepEqual(await eraseByAddress({ platform: small, db, caller }, 'ada@example.com'), { erased: 5 });
  assert.deepEqual(await list(api, form), { ids: [], total: 0 });
});

test('an erasure reaches the units in which the caller is an admin, and no other tenant', async () => {
  const tenant = await app.createTenant();
  const other = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  const own = await createForm(tenant.api, { business_unit: north });
  const visible = await createForm(tenant.api);
  const foreign = await createForm(other.api);
  for (const [api, form] of [
    [tenant.api, own],
    [tenant.api, visible],
    [other.api, foreign],
  ] as const)
    await submit(api, form);
  const { api: admin } = await createMember(tenant, [
    { bu_id: north, role: 'admin' },
    { bu_id: tenant.defaultUnitId, role: 'editor' },
  ]);
  assert.equal(await erase(admin, 'ada@example.com'), 1);
  assert.equal((await list(tenant.api, own)).total, 0);
  assert.equal((await list(tenant.api, visible)).total, 1);
  assert.equal((await list(other.api, foreign)).total, 1);
  const [submission] = (await list(tenant.api, visible)).ids;
  await admin.delete(`/api/form_submissions/${submission}`, 403);
});

test('an owner erases also in archived units, where nobody else can', async () => {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  const form = await createForm(tenant.api, { business_unit: north });
  const id = await submit(tenant.api, form);
  const { api: admin } = await createMember(tenant, [
    { bu_id: north, role: 'admin' },
    { bu_id: tenant.defaultUnitId, role: 'admin' },
  ]);
  await tenant.api.post(`/api/client/v1/business-units/${north}/archive`, undefined);
  assert.equal(await erase(admin, 'ada@example.com'), 0);
  assert.equal(await erase(tenant.api, 'ada@example.com'), 1);
  const left = await all.selectFrom('record_history').select('sort_key').where('sort_key', '=', id).execute();
  assert.deepEqual(left, []);
});

test('an invalid address is rejected, and partial addresses and patterns find nothing', async () => {
  const { api } = await app.createTenant();
  const form = await createForm(api);
  await submit(api, form);
  for (const email_address of ['', 'ada', '%', "' or 1=1 --", 5, null, ['ada@example.com']]) {
    const { body } = await api.post('/api/form_submissions/erase', { email_address }, 400);
    assert.deepEqual([body.code, body.issues[0].field], ['INVALID_REQUEST', 'email_address']);
  }
  for (const address of ['%@example.com', 'ad_@example.com', 'a@example.com'])
    assert.equal(await erase(api, address), 0);
  assert.equal((await list(api, form)).total, 1);
});

/** Backdates a submission by some days. */
async function age(id: string, days: number): Promise<void> {
  const created_at = new Date(Date.now() - days * DAY_MS);
  await all.updateTable('form_submissions').set({ created_at }).where('id', '=', id).execute();
}

test("submissions past their form's retention are erased, others stay", async () => {
  const { api } = await app.createTenant();
  const [short, long, ever] = [
    await createForm(api, { retention_days: 30 }),
    await createForm(api, { retention_days: 365 }),
    await createForm(api),
  ];
  assert.equal((await api.get(`/api/forms/${short}`)).body.retention_days, 30);
  assert.equal((await api.get(`/api/forms/${ever}`)).body.retention_days, null);
  const [expired, deleted] = [await submit(api, short), await submit(api, short)];
  for (const id of [expired, deleted]) await age(id, 31);
  await api.delete(`/api/form_submissions/${deleted}`);
  const remaining = await submit(api, short);
  await age(remaining, 29);
  for (const form of [long, ever]) await age(await submit(api, form), 31);
  const deletedLately = await submit(api, short);
  await api.delete(`/api/form_submissions/${deletedLately}`);

  await eraseExpiredSubmissions.runChecked(platform, {});

  assert.deepEqual(await list(api, short), { ids: [remaining], total: 1 });
  for (const id of [expired, deleted]) assert.deepEqual(await versionsOf(api, id), []);
  assert.equal((await versionsOf(api, deletedLately)).length, 1);
  assert.deepEqual([(await list(api, long)).total, (await list(api, ever)).total], [1, 1]);
});

test('the retention of a deleted form still applies to its submissions', async () => {
  const { api } = await app.createTenant();
  const form = await createForm(api, { retention_days: 30 });
  const [expired, remaining] = [await submit(api, form), await submit(api, form)];
  await age(expired, 31);
  await api.delete(`/api/forms/${form}`);
  await eraseExpiredSubmissions.runChecked(platform, {});
  await api.get(`/api/form_submissions/${expired}`, 404);
  await api.get(`/api/form_submissions/${remaining}`);
});

test('the retention is a whole number of days', async () => {
  const { api } = await app.createTenant();
  for (const retention_days of [0, -1, 1.5, 36_501, '30', true]) {
    const body = { name: 'x', allowed_origins: [], active: true, form_type: 'embedded_form', retention_days };
    const definition = { formBuilderOptions: { pages: [{ elements: [{ type: 'text', name: 'q' }] }] } };
    const { issues } = (await api.post('/api/forms', { ...body, ...definition }, 400)).body;
    assert.equal(issues[0].field, 'retention_days');
  }
});
