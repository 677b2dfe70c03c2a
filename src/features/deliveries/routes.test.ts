import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import type { Client } from '../../../test/harness/client.ts';
import { createSentMessage } from '../../../test/harness/email-messages.ts';
import { createMember, createUnit } from '../../../test/harness/members.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { type Receiver, startReceiver } from '../../../test/harness/receiver.ts';
import { createRecordsTenant } from '../../../test/harness/records.ts';
import { createForm, submit } from '../../../test/harness/sample-forms.ts';
import { createWebhook, submitMany } from '../../../test/harness/submission-load.ts';
import { startTestApp, type TestTenant } from '../../../test/harness/test-app.ts';
import { recordMessageEvents } from '../mail/email-tracking/index.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const { platform } = app.app;

interface Item {
  readonly id: string;
  readonly [member: string]: unknown;
}

async function list(api: Client, filters: object = {}, more: object = {}): Promise<Item[]> {
  const { body } = await api.post('/api/deliveries/list', { page: 1, limit: 100, filters, ...more });
  return body.results;
}

const idsOf = (items: readonly Item[]) => items.map(({ id }) => id);

/** Waits until this many deliveries match the filters; returns them. */
const found = (api: Client, count: number, filters: object) =>
  eventually(`${count} deliveries`, async () => {
    const items = await list(api, filters);
    return items.length === count && items;
  });

const FAILED = { status: { eq: 'failed' } };

function answerWith(receiver: Receiver, status: number): void {
  receiver.answer = (_request, response) => response.writeHead(status).end(`status ${status}`);
}

/** Creates a form with a webhook to a receiver that answers with a status. */
async function connect({ api }: Pick<TestTenant, 'api'>, status = 200, form: object = {}) {
  const receiver = await startReceiver();
  answerWith(receiver, status);
  const formCode = await createForm(api, form);
  return { formCode, receiver, id: await createWebhook(api, formCode, receiver.url) };
}

const redeliver = (api: Client, body: object, status = 200) =>
  api.post('/api/deliveries/redeliver', body, status);

/** Creates a tenant with one finished delivery of each kind of webhook. */
async function createAllKinds() {
  const order = { name: 'order', fields: [{ name: 'total', type: 'number' }] };
  const { owner, ...tenant } = await createRecordsTenant(app, [order]);
  const { api } = tenant;
  const form = await connect(tenant);
  await submit(api, form.formCode);
  const receiver = await startReceiver();
  const hook = { url: `${receiver.url}/orders`, events: ['order.created'], secret: 'a secret of records' };
  const { body: recordHook } = await owner.post('/api/webhooks', hook);
  await owner.post('/api/order', { total: 1 });
  const event_webhooks = [
    {
      name: 'Events',
      target: `${receiver.url}/events`,
      events: ['open'],
      active: true,
      secret: 'a secret of events',
    },
  ];
  await api.patch('/api/email_settings', { event_webhooks });
  const { tenantId, messageId } = await createSentMessage(app, tenant);
  await recordMessageEvents(platform, [{ tenantId, messageId, type: 'open', occurredAt: new Date() }]);
  const items = await found(api, 3, { status: { eq: 'success' } });
  const ofKind = (kind: string) => items.find((item) => item.kind === kind) ?? { id: '' };
  return { tenant, form, receiver, recordHook, items, ofKind };
}

test('deliveries of all kinds of webhooks are in one list, newest first, with their webhooks', async () => {
  const { tenant, form, recordHook, items, ofKind } = await createAllKinds();
  assert.deepEqual(idsOf(items), idsOf(items).toSorted().reverse());
  assert.deepEqual(ofKind('form'), {
    id: ofKind('form').id,
    kind: 'form',
    webhook_id: form.id,
    webhook_name: 'Receiver',
    business_unit: tenant.defaultUnitId,
    subject_id: ofKind('form').subject_id,
    status: 'success',
    attempt_count: 1,
    status_code: 200,
    error: null,
    next_attempt_at: null,
    created_at: ofKind('form').created_at,
  });
  const { webhook_name, business_unit } = ofKind('email_event');
  assert.deepEqual([webhook_name, business_unit], ['Events', null]);
  const { webhook_id, webhook_name: url } = ofKind('record');
  assert.deepEqual([webhook_id, url], [recordHook.id, recordHook.url]);
});

test('a delivery of each kind shows its request and attempts, without secrets and signatures', async () => {
  const { tenant, receiver, form, ofKind } = await createAllKinds();
  const read = async (kind: string) => (await tenant.api.get(`/api/deliveries/${ofKind(kind).id}`)).body;
  const [ofForm, ofEvent, ofRecord] = [await read('form'), await read('email_event'), await read('record')];
  assert.deepEqual(JSON.parse(ofForm.request.body), form.receiver.received[0]?.body);
  assert.equal(ofForm.request.url, form.receiver.url);
  const sent = receiver.received.find(({ path }) => path === '/events');
  assert.deepEqual(JSON.parse(ofEvent.request.body), sent?.body);
  assert.equal(ofEvent.request.headers['webhook-signature'], '[secret]');
  assert.equal(ofEvent.request.headers['webhook-id'], sent?.headers['webhook-id']);
  const record = JSON.parse(ofRecord.request.body);
  assert.deepEqual([record.event, record.data.total, record.signature], ['order.created', 1, '[secret]']);
  assert.equal(ofRecord.request.headers['X-Signature'], '[secret]');
  for (const { attempts } of [ofForm, ofEvent, ofRecord]) {
    const [attempt] = attempts;
    assert.deepEqual(attempts, [
      {
        n: 1,
        started_at: attempt.started_at,
        duration_ms: attempt.duration_ms,
        status_code: 200,
        error: null,
        blocked_by: null,
        response_headers: attempt.response_headers,
        response_body: attempt.response_body,
      },
    ]);
    assert.match(attempt.started_at, /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  }
});

test('each attempt of a failing receiver is kept with its answer, also after a redelivery', async () => {
  const tenant = await app.createTenant();
  const { formCode, receiver } = await connect(tenant);
  const statuses = [500, 404, 500, 503, 500];
  receiver.answer = (_request, response) => {
    const status = statuses.shift() ?? 200;
    response.writeHead(status, { 'x-node': 'a', 'set-cookie': 'session=1' }).end(`status ${status}`);
  };
  await submit(tenant.api, formCode);
  const [delivery] = await found(tenant.api, 1, FAILED);
  const path = `/api/deliveries/${delivery?.id}`;
  const { attempts } = (await tenant.api.get(path)).body;
  const answers = attempts.map((each: Item) => [each.n, each.status_code, each.response_body, each.error]);
  assert.deepEqual(
    answers,
    [500, 404, 500, 503, 500].map((status, index) => [
      index + 1,
      status,
      `status ${status}`,
      `The receiver answered with status ${status}.`,
    ]),
  );
  const { 'x-node': node, 'set-cookie': cookie } = attempts[0].response_headers;
  assert.deepEqual([node, cookie], ['a', '[secret]']);
  await redeliver(tenant.api, { filters: { id: { eq: delivery?.id } }, expected_count: 1 });
  await found(tenant.api, 1, { status: { eq: 'success' } });
  const { body } = await tenant.api.get(path);
  assert.deepEqual([body.attempt_count, body.attempts.length], [1, 6]);
  assert.deepEqual([body.attempts[5].n, body.attempts[5].status_code], [6, 200]);
});

test('an attempt without a response says why', async () => {
  const tenant = await app.createTenant();
  const formCode = await createForm(tenant.api);
  const id = await createWebhook(tenant.api, formCode, 'http://127.0.0.1/');
  // A name can lead to another address later; a test has no such name.
  const { query } = platform.database.everyTenant('tests');
  const url = 'http://169.254.169.254/';
  await query
    .updateTable('webhooks')
    .set({ url })
    .where('tenant_id', '=', tenant.tenantId)
    .where('id', '=', id)
    .execute();
  const refused = await connect(tenant);
  await refused.receiver.close();
  await Promise.all([submit(tenant.api, formCode), submit(tenant.api, refused.formCode)]);
  const items = await found(tenant.api, 2, FAILED);
  const details = await Promise.all(
    items.map(async ({ id }) => (await tenant.api.get(`/api/deliveries/${id}`)).body.attempts[0]),
  );
  const blocked = details.find(({ blocked_by }) => blocked_by === 'outbound_policy');
  assert.match(blocked.error, /cloud metadata/);
  const other = details.find(({ blocked_by }) => blocked_by === null);
  assert.deepEqual([other.status_code, other.response_body], [null, null]);
  assert.match(other.error, /refused/);
});

test('values of secret headers are in no part of a delivery, and long answers are cut', async () => {
  const tenant = await app.createTenant();
  const receiver = await startReceiver();
  const secret = 'Bearer s3cret-value';
  receiver.answer = ({ headers }, response) =>
    response
      .writeHead(200, { 'x-echo': String(headers.authorization) })
      .end(`${headers.authorization} ${'ä'.repeat(100_000)}`);
  const formCode = await createForm(tenant.api);
  const header = { name: 'Authorization', value: secret, is_secret: true };
  await createWebhook(tenant.api, formCode, receiver.url, [header]);
  await submit(tenant.api, formCode);
  const [delivery] = await found(tenant.api, 1, { status: { eq: 'success' } });
  const { text, body } = await tenant.api.get(`/api/deliveries/${delivery?.id}`);
  assert.ok(!text.includes('s3cret-value'));
  assert.equal(body.request.headers.Authorization, '[secret]');
  const [{ response_headers, response_body }] = body.attempts;
  assert.equal(response_headers['x-echo'], '[secret]');
  assert.match(response_body, /^\[secret\] ä+$/);
  assert.ok(Buffer.byteLength(response_body) <= 64 * 1024);
});

test('filters select by kind, webhook, status, status code and time, alone and together', async () => {
  const tenant = await app.createTenant();
  const { api } = tenant;
  const [good, bad, gone] = [
    await connect(tenant, 201),
    await connect(tenant, 500),
    await connect(tenant, 410),
  ];
  for (const { formCode } of [good, good, bad, gone]) await submit(api, formCode);
  await found(api, 2, FAILED);
  await found(api, 2, { status: { eq: 'success' } });
  const totalOf = async (filters: object) =>
    (await api.post('/api/deliveries/list', { page: 1, limit: 1, filters })).body.total;
  const [newest] = await list(api);
  const at = newest?.created_at;
  const cases: readonly (readonly [filters: object, total: number])[] = [
    [{}, 4],
    [{ kind: { eq: 'form' } }, 4],
    [{ kind: { in: ['record', 'email_event'] } }, 0],
    [{ webhook_id: { eq: good.id } }, 2],
    [{ webhook_id: { in: [good.id, bad.id] } }, 3],
    [{ webhook_id: { ne: good.id } }, 2],
    [{ webhook_id: { eq: 'unknown' } }, 0],
    [{ status: { ne: 'failed' } }, 2],
    [{ status_code: { eq: 410 } }, 1],
    [{ status_code: { gte: 400, lt: 500 } }, 1],
    [{ status_code: { in: [201, 500] } }, 3],
    [{ status_code: { empty: true } }, 0],
    [{ ...FAILED, webhook_id: { eq: bad.id } }, 1],
    [{ ...FAILED, webhook_id: { eq: good.id } }, 0],
    [{ ...FAILED, status_code: { eq: 500 }, kind: { eq: 'form' } }, 1],
    [{ created_at: { eq: at }, webhook_id: { eq: newest?.webhook_id } }, 1],
    [{ created_at: { gte: at } }, 1],
    [{ created_at: { gt: at } }, 0],
    [{ created_at: { lt: at } }, 3],
    [{ created_at: { lte: at } }, 4],
    [{ created_at: { between: ['2020-01-01', '9999-01-01'] } }, 4],
    [{ created_at: { gte: '9999-01-01' } }, 0],
    [{ id: { eq: newest?.id } }, 1],
  ];
  for (const [filters, total] of cases) assert.equal(await totalOf(filters), total, JSON.stringify(filters));
});

test('pages by cursor have every delivery once, with filters and without', async () => {
  const tenant = await app.createTenant();
  const [one, two] = [await connect(tenant), await connect(tenant, 410)];
  await Promise.all(
    [one, two].map(({ formCode }) => submitMany(tenant.api, formCode, { count: 7, concurrency: 4 })),
  );
  await found(tenant.api, 0, { status: { eq: 'pending' } });
  for (const filters of [{}, { status: { in: ['success', 'failed'] } }])
    for (const sort of ['created_at', '-created_at']) {
      const seen: string[] = [];
      let after: object = {};
      for (let n = 0; n < 10; n += 1) {
        const { body } = await tenant.api.post('/api/deliveries/list', {
          ...(n === 0 ? { page: 1 } : {}),
          ...{ limit: 4, sort, filters, count: false, ...after },
        });
        seen.push(...idsOf(body.results));
        if (body.next === null) break;
        after = { after: body.next };
      }
      const sorted = seen.toSorted();
      assert.deepEqual(seen, sort === 'created_at' ? sorted : sorted.reverse());
      assert.equal(new Set(seen).size, 14);
    }
});

test('a member sees and repeats the deliveries of its units, and nobody those of another tenant', async () => {
  const tenant = await app.createTenant();
  const north = await createUnit(tenant, 'North');
  const [own, other] = [await connect(tenant, 410, { business_unit: north }), await connect(tenant, 410)];
  for (const { formCode } of [own, other]) await submit(tenant.api, formCode);
  const items = await found(tenant.api, 2, FAILED);
  const idOf = (webhook: string) => items.find(({ webhook_id }) => webhook_id === webhook)?.id ?? '';
  const { api: viewer } = await createMember(tenant, [{ bu_id: north, role: 'viewer' }]);
  const { api: editor } = await createMember(tenant, [{ bu_id: north, role: 'editor' }]);
  const { api: outsider } = await app.createTenant();
  for (const filters of [{}, FAILED, { webhook_id: { in: [own.id, other.id] } }]) {
    assert.deepEqual(idsOf(await list(viewer, filters)), [idOf(own.id)]);
    assert.deepEqual(await list(outsider, filters), []);
  }
  assert.equal((await viewer.get(`/api/deliveries/${idOf(own.id)}`)).body.webhook_id, own.id);
  await viewer.get(`/api/deliveries/${idOf(other.id)}`, 404);
  for (const { id } of items) await outsider.get(`/api/deliveries/${id}`, 404);
  await viewer.get(`/api/deliveries/${randomUUID()}`, 404);
  await viewer.get('/api/deliveries/no-id', 404);
  const dryRun = { filters: {}, dry_run: true };
  await redeliver(viewer, dryRun, 403);
  const { count, skipped, sample } = (await redeliver(editor, dryRun)).body;
  assert.deepEqual([count, skipped, sample[0].webhook_id], [1, [], own.id]);
  assert.equal((await redeliver(outsider, dryRun)).body.count, 0);
  await redeliver(editor, { filters: {}, expected_count: 1 });
  await eventually('the second attempt', () => own.receiver.received.length === 2);
  assert.equal(other.receiver.received.length, 1);
});

test('members see deliveries of event webhooks; only owners see those of record webhooks', async () => {
  const { tenant } = await createAllKinds();
  const { api } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'editor' }]);
  const kinds = (await list(api)).map(({ kind }) => kind);
  assert.deepEqual(kinds.toSorted(), ['email_event', 'form']);
  // Email settings need an admin of the default unit.
  const { count, skipped } = (await redeliver(api, { filters: {}, dry_run: true })).body;
  assert.deepEqual([count, skipped], [2, [{ reason: 'FORBIDDEN', count: 1 }]]);
  const { api: admin } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'admin' }]);
  assert.deepEqual((await redeliver(admin, { filters: {}, dry_run: true })).body.skipped, []);
  assert.equal((await redeliver(tenant.api, { filters: {}, dry_run: true })).body.count, 3);
});

test('the search finds a delivery of any kind by its id, for callers who see it', async () => {
  const { tenant, items } = await createAllKinds();
  const { api } = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const outsiders = [(await createMember(tenant, [])).api, (await app.createTenant()).api];
  const isFound = async (client: Client, query: string) =>
    (await client.post('/api/search', { query })).body.results.length === 1;
  for (const { id, kind } of items) {
    assert.ok(await isFound(tenant.api, id));
    assert.equal(await isFound(api, id), kind !== 'record');
    for (const client of outsiders) assert.ok(!(await isFound(client, id)));
  }
});

test('all failed deliveries are sent again; a dry run only counts them', async () => {
  const tenant = await app.createTenant();
  const { formCode, receiver } = await connect(tenant, 410);
  const paused = await connect(tenant, 410);
  await submitMany(tenant.api, formCode, { count: 30, concurrency: 8 });
  await submit(tenant.api, paused.formCode);
  await found(tenant.api, 31, FAILED);
  const { body: webhook } = await tenant.api.get(`/api/webhooks/${paused.id}`);
  await tenant.api.put(`/api/webhooks/${paused.id}`, { name: 'P', target: webhook.target, active: false });
  const { count, skipped, sample } = (await redeliver(tenant.api, { filters: FAILED, dry_run: true })).body;
  assert.deepEqual([count, skipped, sample.length], [31, [{ reason: 'PAUSED', count: 1 }], 5]);
  assert.equal(receiver.received.length, 30);
  answerWith(receiver, 200);
  await redeliver(tenant.api, { filters: FAILED, expected_count: 31 });
  await found(tenant.api, 30, { status: { eq: 'success' } });
  assert.equal(receiver.received.length, 60);
  const [left] = await found(tenant.api, 1, FAILED);
  assert.equal((await tenant.api.get(`/api/deliveries/${left?.id}`)).body.request, null);
});

test('a redelivery changes nothing if the number of deliveries is not the expected one', async () => {
  const tenant = await app.createTenant();
  const { formCode, receiver } = await connect(tenant, 410);
  await submitMany(tenant.api, formCode, { count: 3, concurrency: 3 });
  await found(tenant.api, 3, FAILED);
  const { body } = await redeliver(tenant.api, { filters: FAILED, expected_count: 2 }, 409);
  assert.equal(body.code, 'COUNT_CHANGED');
  assert.deepEqual([body.issues[0].field, body.issues[0].count], ['expected_count', 3]);
  await found(tenant.api, 3, FAILED);
  assert.equal(receiver.received.length, 3);
  const missing = await redeliver(tenant.api, { filters: FAILED }, 400);
  assert.equal(missing.body.issues[0].field, 'expected_count');
  await redeliver(tenant.api, { filters: { gone: { eq: 1 } }, dry_run: true }, 400);
});

test('attempts are deleted with their delivery', async () => {
  const tenant = await app.createTenant();
  const { formCode, id } = await connect(tenant);
  await submitMany(tenant.api, formCode, { count: 2, concurrency: 1 });
  await found(tenant.api, 2, { status: { eq: 'success' } });
  const { query } = platform.database.everyTenant('tests');
  const count = async () =>
    (
      await query
        .selectFrom('delivery_attempts')
        .select('delivery_id')
        .where('tenant_id', '=', tenant.tenantId)
        .execute()
    ).length;
  assert.equal(await count(), 2);
  await tenant.api.post('/api/form_submissions/erase', { email_address: 'n0@example.com' });
  assert.equal(await count(), 1);
  await tenant.api.delete(`/api/webhooks/${id}`);
  await eventually('the deletion of the attempts', async () => (await count()) === 0);
});
