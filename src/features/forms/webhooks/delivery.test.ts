import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import test, { type TestContext } from 'node:test';
import { sql } from 'kysely';
import { pino } from 'pino';
import { v7 as uuidv7 } from 'uuid';
import { eventually } from '../../../../test/harness/poll.ts';
import { type Receiver, startReceiver } from '../../../../test/harness/receiver.ts';
import { createForm, submit } from '../../../../test/harness/sample-forms.ts';
import { startTestApp, type TestTenant } from '../../../../test/harness/test-app.ts';
import { startApp } from '../../../app.ts';
import { loadConfig } from '../../../config.ts';
import { webhookDeliveries } from './delivery.ts';
import { deliveryLogRetention } from './jobs.ts';

export const runsOn = ['embedded', 'server'];

// The last wait is long enough for a test to change something before the last attempt.
const app = await startTestApp({
  WEBHOOK_TIMEOUT_SECONDS: '3',
  WEBHOOK_BACKOFF_SECONDS: '0.05,0.05,0.05,3',
});
const { platform } = app.app;
const tenant = await app.createTenant();

/** Creates a form, a receiver and a webhook between them. */
async function connect({ api }: TestTenant = tenant, more: object = {}, target: object = {}) {
  const form = await createForm(api);
  const receiver = await startReceiver();
  const { body } = await api.post('/api/webhooks', {
    event: { event_type: 'form.submission', form_code: form },
    name: 'Receiver',
    target: { url: `${receiver.url}/hook`, ...target },
    ...more,
  });
  return { form, receiver, id: String(body.id) };
}

async function read(id: string) {
  return (await tenant.api.get(`/api/webhooks/${id}`)).body;
}

async function log(id: string) {
  return (await tenant.api.get(`/api/webhooks/${id}/deliveries`)).body.results;
}

/** Waits until the webhook's only delivery has this status; returns it. */
async function ended(id: string, status: string) {
  return eventually(`a delivery that is ${status}`, async () => {
    const [delivery] = await log(id);
    return delivery?.status === status && delivery;
  });
}

function answerWith(receiver: Receiver, ...statuses: number[]) {
  receiver.answer = (_request, response) => {
    response.writeHead(statuses.shift() ?? 200).end();
  };
}

async function change(id: string, more: object) {
  const { name, target } = await read(id);
  await tenant.api.put(`/api/webhooks/${id}`, { name, target, ...more });
}

test('a submission is delivered as GET returns it, with the configured headers', async () => {
  const headers = [
    { name: 'X-Plain', value: 'p' },
    { name: 'Authorization', value: 'Bearer s3cret', is_secret: true },
  ];
  const { form, receiver, id } = await connect(tenant, {}, { headers });
  const submission = await submit(tenant.api, form);
  const delivery = await ended(id, 'success');
  const [sent] = receiver.received;
  const { body: record } = await tenant.api.get(`/api/form_submissions/${submission}`);
  assert.deepEqual(sent?.body, { data: record });
  assert.equal('business_unit' in sent.body.data, false);
  assert.deepEqual(
    [sent.method, sent.path, sent.headers['x-plain'], sent.headers.authorization],
    ['POST', '/hook', 'p', 'Bearer s3cret'],
  );
  assert.deepEqual(
    [sent.headers['content-type'], sent.headers['tessera-delivery-id'], sent.headers['tessera-attempt']],
    ['application/json', delivery.id, '1'],
  );
  assert.match(sent.headers['user-agent'] ?? '', /^Tessera\/\d/);
  assert.deepEqual(delivery, {
    id: delivery.id,
    submission_id: submission,
    status: 'success',
    attempts: 1,
    last_status_code: 200,
    last_error: null,
    next_attempt_at: null,
    created_at: record.created_at,
  });
  const webhook = await read(id);
  assert.equal(webhook.last_attempt_status, 'success');
  assert.ok(webhook.last_attempt_at >= record.created_at);
  assert.equal(webhook.version, 1);
});

test("each active webhook of the form gets a delivery; inactive ones and other forms' get none", async () => {
  const { form, receiver, id } = await connect();
  const other = await connect();
  const event = { event_type: 'form.submission', form_code: form };
  const body = (active: boolean) => ({ event, name: 'More', target: { url: receiver.url }, active });
  const second = (await tenant.api.post('/api/webhooks', body(true))).body.id;
  const inactive = (await tenant.api.post('/api/webhooks', body(false))).body.id;
  await submit(tenant.api, form);
  const ids = [(await ended(id, 'success')).id, (await ended(second, 'success')).id];
  assert.notEqual(ids[0], ids[1]);
  assert.deepEqual([await log(inactive), await log(other.id)], [[], []]);
});

test('a failed delivery is retried under the same id until the receiver accepts it', async () => {
  const { form, receiver, id } = await connect();
  answerWith(receiver, 500, 404, 204);
  await submit(tenant.api, form);
  const delivery = await ended(id, 'success');
  assert.deepEqual([delivery.attempts, delivery.last_status_code, delivery.last_error], [3, 204, null]);
  const sent = receiver.received.map(({ headers }) => [
    headers['tessera-delivery-id'],
    headers['tessera-attempt'],
  ]);
  assert.deepEqual(sent, [
    [delivery.id, '1'],
    [delivery.id, '2'],
    [delivery.id, '3'],
  ]);
});

test('a delivery fails after five attempts', async () => {
  const { form, receiver, id } = await connect();
  answerWith(receiver, 500, 500, 500, 500, 503);
  await submit(tenant.api, form);
  const delivery = await ended(id, 'failed');
  assert.deepEqual([delivery.attempts, delivery.last_status_code, delivery.next_attempt_at], [5, 503, null]);
  assert.match(delivery.last_error, /503/);
  assert.equal(receiver.received.length, 5);
  assert.equal((await read(id)).last_attempt_status, 'failed');
});

test('410 ends a delivery immediately', async () => {
  const { form, receiver, id } = await connect();
  answerWith(receiver, 410);
  await submit(tenant.api, form);
  const delivery = await ended(id, 'failed');
  assert.deepEqual([delivery.attempts, delivery.last_status_code], [1, 410]);
  assert.equal(receiver.received.length, 1);
});

test('a redirect is a failure and is not followed', async () => {
  const { form, receiver, id } = await connect();
  receiver.answer = (request, response) => {
    const isFirst = request.headers['tessera-attempt'] === '1';
    response.writeHead(isFirst ? 307 : 200, { location: '/elsewhere' }).end();
  };
  await submit(tenant.api, form);
  assert.equal((await ended(id, 'success')).attempts, 2);
  assert.deepEqual(
    receiver.received.map(({ path }) => path),
    ['/hook', '/hook'],
  );
});

/** Returns the wait in ms before the second attempt of a webhook's only delivery. */
async function waitAfterFailure(id: string) {
  const delivery = await eventually('a failure', async () => {
    const [entry] = await log(id);
    return entry?.attempts === 1 && entry;
  });
  assert.equal(delivery.status, 'pending');
  const { last_attempt_at } = await read(id);
  return Date.parse(delivery.next_attempt_at) - Date.parse(last_attempt_at);
}

for (const [what, header, least, most] of [
  ['in seconds', () => '120', 119_000, 121_000],
  ['as a date', () => new Date(Date.now() + 600_000).toUTCString(), 540_000, 601_000],
  ['of more than an hour, up to an hour', () => '86400', 3_599_000, 3_601_000],
] as const) {
  test(`Retry-After ${what} is honoured`, async () => {
    const { form, receiver, id } = await connect();
    receiver.answer = (_request, response) => response.writeHead(429, { 'retry-after': header() }).end();
    await submit(tenant.api, form);
    const wait = await waitAfterFailure(id);
    assert.ok(wait >= least && wait <= most, `waits ${wait} ms`);
  });
}

const unusable: [string, (response: ServerResponse) => void, RegExp][] = [
  ['never answers', () => {}, /within 3 seconds/],
  ['drips its answer', drip, /within 3 seconds/],
  ['hangs up', (response) => response.destroy(), /closed/],
];

function drip(response: ServerResponse) {
  response.writeHead(200);
  const timer = setInterval(() => response.write('.'), 50);
  response.on('close', () => clearInterval(timer));
}

for (const [what, answer, error] of unusable) {
  test(`a receiver that ${what} fails the attempt with a clear error`, async () => {
    const { form, receiver, id } = await connect();
    // The second attempt waits until the log has been read.
    const second = Promise.withResolvers<ServerResponse>();
    receiver.answer = (request, response) => {
      if (request.headers['tessera-attempt'] === '1') answer(response);
      else second.resolve(response);
    };
    await submit(tenant.api, form);
    const failed = await eventually('a failure', async () => {
      const [entry] = await log(id);
      return entry?.last_error !== null && entry;
    });
    (await second.promise).end();
    assert.match(failed.last_error, error);
    assert.equal(failed.last_status_code, null);
    assert.equal((await ended(id, 'success')).attempts, 2);
  });
}

test('a huge response is not read completely, and its status counts', async () => {
  const { form, receiver, id } = await connect();
  let written = 0;
  receiver.answer = (_request, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const more = () => {
      while (!response.destroyed && written < 1e9) {
        written += chunk.length;
        if (!response.write(chunk)) break;
      }
    };
    response.writeHead(200).on('drain', more);
    more();
  };
  await submit(tenant.api, form);
  assert.equal((await ended(id, 'success')).attempts, 1);
  assert.ok(written < 1e8);
});

test('a refused connection is retried until it is accepted', async () => {
  const { form, receiver, id } = await connect();
  await receiver.close();
  await submit(tenant.api, form);
  await eventually('a failure', async () => (await log(id))[0]?.attempts > 0);
  await startReceiver(receiver.port);
  await ended(id, 'success');
});

test('an unresponsive receiver with a backlog does not delay another', async () => {
  const slow = await connect();
  const pending: ServerResponse[] = [];
  slow.receiver.answer = (_request, response) => {
    pending.push(response);
  };
  await Promise.all(Array.from({ length: 50 }, () => submit(tenant.api, slow.form)));
  await eventually('the slow receiver is busy', () => pending.length > 0);
  const quick = await connect();
  await submit(tenant.api, quick.form);
  await ended(quick.id, 'success');
  assert.ok((await log(slow.id)).every((entry: { status: string }) => entry.status !== 'success'));
  slow.receiver.answer = (_request, response) => response.end();
  for (const response of pending) response.end();
});

/** Makes a webhook's deliveries due. */
async function makeDue(webhookId: string) {
  await sql`update webhook_deliveries set due_at = now() where target_id = ${webhookId}`.execute(
    platform.database.everyTenant('tests').query,
  );
}

test('a waiting retry uses the current target', async () => {
  const { form, receiver, id } = await connect();
  receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await submit(tenant.api, form);
  await eventually('a failure', async () => (await log(id))[0]?.attempts === 1);
  const moved = await startReceiver();
  await change(id, { target: { url: `${moved.url}/new`, headers: [{ name: 'X-New', value: 'n' }] } });
  await makeDue(id);
  await ended(id, 'success');
  assert.deepEqual([moved.received[0]?.path, moved.received[0]?.headers['x-new']], ['/new', 'n']);
  assert.equal(receiver.received.length, 1);
});

test('deactivating a webhook drops its waiting deliveries, and reactivating it does not restore them', async () => {
  const { form, receiver, id } = await connect();
  receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await submit(tenant.api, form);
  await eventually('a failure', async () => (await log(id))[0]?.attempts === 1);
  await change(id, { active: false });
  await change(id, { active: true });
  await submit(tenant.api, form);
  await eventually('the second delivery', () => receiver.received.length === 2);
  await eventually('the drop', async () => (await log(id)).length === 1);
  assert.equal(receiver.received.length, 2);
});

test('deleting a webhook removes its log and drops waiting deliveries', async () => {
  const { form, receiver, id } = await connect();
  answerWith(receiver, 200);
  await submit(tenant.api, form);
  await ended(id, 'success');
  receiver.answer = (_request, response) => response.writeHead(503, { 'retry-after': '3600' }).end();
  await submit(tenant.api, form);
  await eventually('a failure', async () => (await log(id))[0]?.attempts === 1);
  await tenant.api.delete(`/api/webhooks/${id}`);
  await eventually('an empty log', async () => (await countRows(id)) === 0);
});

async function countRows(webhookId: string): Promise<number> {
  const rows = await platform.database
    .everyTenant('tests')
    .query.selectFrom('webhook_deliveries')
    .select('id')
    .where('target_id', '=', webhookId)
    .execute();
  return rows.length;
}

/** Inserts a delivery like a submission's transaction, without the submission. */
async function insertRow(webhookId: string, row: { created_at?: Date; [column: string]: unknown } = {}) {
  const values = {
    tenant_id: tenant.tenantId,
    id: uuidv7({ msecs: (row.created_at ?? new Date()).getTime() }),
    target_id: webhookId,
    submission_id: crypto.randomUUID(),
    state: 'pending' as const,
    due_at: new Date(),
    attempts: 0,
    created_at: new Date(),
    ...row,
  };
  await platform.database
    .everyTenant('tests')
    .query.insertInto('webhook_deliveries')
    .values(values)
    .execute();
  return values.id;
}

test('a delivery whose webhook or submission is deleted is dropped', async () => {
  const { receiver, id } = await connect();
  const missing = crypto.randomUUID();
  await insertRow(id);
  await insertRow(missing);
  await eventually('the drop', async () => (await countRows(id)) + (await countRows(missing)) === 0);
  assert.equal(receiver.received.length, 0);
});

test('a delivery whose process died is repeated after its lease', async () => {
  const { form, receiver, id } = await connect();
  const submission = await submit(tenant.api, form);
  await ended(id, 'success');
  await sql`update webhook_deliveries set state = 'pending', attempts = 0,
    claim_id = ${crypto.randomUUID()}, due_at = now() + interval '500 milliseconds' where target_id = ${id}`.execute(
    platform.database.everyTenant('tests').query,
  );
  await eventually('the second delivery', () => receiver.received.length === 2);
  assert.equal(receiver.received[1]?.body.data.id, submission);
  await ended(id, 'success');
});

test('an ended delivery can be repeated, with five new attempts', async () => {
  const { form, receiver, id } = await connect();
  answerWith(receiver, 410, 500, 200);
  await submit(tenant.api, form);
  const { id: delivery } = await ended(id, 'failed');
  const path = `/api/webhooks/${id}/deliveries/${delivery}/redeliver`;
  assert.deepEqual((await tenant.api.post(path, undefined)).body, { id: delivery });
  assert.equal((await ended(id, 'success')).attempts, 2);
  assert.deepEqual(
    receiver.received.map(({ headers }) => headers['tessera-attempt']),
    ['1', '1', '2'],
  );
});

test('a waiting delivery can be attempted immediately', async () => {
  const { form, receiver, id } = await connect();
  receiver.answer = (request, response) => {
    const isFirst = request.headers['tessera-attempt'] === '1';
    response.writeHead(isFirst ? 503 : 200, { 'retry-after': '3600' }).end();
  };
  await submit(tenant.api, form);
  const [delivery] = await eventually('a failure', async () => {
    const entries = await log(id);
    return entries[0]?.attempts === 1 && entries;
  });
  await tenant.api.post(`/api/webhooks/${id}/deliveries/${delivery.id}/redeliver`, undefined);
  assert.equal((await ended(id, 'success')).attempts, 2);
});

test('a delivery of an inactive webhook cannot be repeated', async () => {
  const { form, id } = await connect();
  await submit(tenant.api, form);
  const { id: delivery } = await ended(id, 'success');
  await change(id, { active: false });
  const path = `/api/webhooks/${id}/deliveries/${delivery}/redeliver`;
  assert.equal((await tenant.api.post(path, undefined, 422)).body.code, 'VALIDATION_ERROR');
  assert.equal((await ended(id, 'success')).id, delivery);
});

test("another webhook's delivery is not found", async () => {
  const [one, other] = [await connect(), await connect()];
  await submit(tenant.api, one.form);
  const { id } = await ended(one.id, 'success');
  await tenant.api.post(`/api/webhooks/${other.id}/deliveries/${id}/redeliver`, undefined, 404);
});

test('the log is paged, newest first', async () => {
  const { id } = await connect();
  const ids: string[] = [];
  for (let n = 0; n < 5; n += 1) {
    const created_at = new Date(Date.UTC(2030, 0, 1, 0, 0, n));
    ids.unshift(await insertRow(id, { state: 'failed', created_at }));
  }
  const page = async (query: string) => (await tenant.api.get(`/api/webhooks/${id}/deliveries${query}`)).body;
  const shown = (body: { results: { id: string }[] }) => body.results.map((entry) => entry.id);
  assert.deepEqual(shown(await page('')), ids);
  const second = await page('?page=2&limit=2');
  assert.deepEqual([shown(second), second.total, second.totalPages], [ids.slice(2, 4), 5, 3]);
  const beyond = await page('?page=9&limit=2');
  assert.deepEqual([beyond.results, beyond.total], [[], 5]);
  await tenant.api.get(`/api/webhooks/${id}/deliveries?limit=101`, 400);
  await tenant.api.get(`/api/webhooks/${id}/deliveries?page=0`, 400);
});

test('deliveries that ended more than 30 days ago are deleted, waiting ones stay', async () => {
  const { id } = await connect();
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const later = new Date(Date.now() + 86_400_000);
  await insertRow(id, { state: 'success', created_at: daysAgo(31) });
  await insertRow(id, { state: 'failed', created_at: daysAgo(40) });
  const remaining = [
    await insertRow(id, { state: 'success', created_at: daysAgo(29) }),
    await insertRow(id, { created_at: daysAgo(31), due_at: later }),
  ];
  await deliveryLogRetention.removeOld({ ...platform, config: { ...platform.config, jobBatchSize: 1 } });
  assert.deepEqual(
    (await log(id)).map((entry: { id: string }) => entry.id),
    remaining,
  );
});

test('a target whose address is no longer allowed fails as blocked by policy', async () => {
  const strict = await startTestApp({ OUTBOUND_ALLOW_PRIVATE: 'false' });
  const { api } = await strict.createTenant();
  const form = await createForm(api);
  const receiver = await startReceiver();
  const target = { url: 'https://hooks.invalid/' };
  const event = { event_type: 'form.submission', form_code: form };
  const { id } = (await api.post('/api/webhooks', { event, name: 'Moved', target })).body;
  await sql`update webhooks set url = ${receiver.url} where id = ${id}`.execute(
    strict.app.platform.database.everyTenant('tests').query,
  );
  await submit(api, form);
  const failed = await eventually('the end', async () => {
    const [entry] = (await api.get(`/api/webhooks/${id}/deliveries`)).body.results;
    return entry?.status === 'failed' && entry;
  });
  assert.equal(failed.attempts, 5);
  assert.match(failed.last_error, /blocked by policy/);
  assert.equal((await api.get(`/api/webhooks/${id}`)).body.last_attempt_status, 'failed');
  assert.equal(receiver.received.length, 0);
});

test('two processes on one database make each delivery once', async (t: TestContext) => {
  if (app.database.kind === 'embedded') return t.skip('one process alone works the embedded database');
  const worker = await startApp(loadConfig({ ...app.env, ROLE: 'worker' }), {
    log: pino({ level: 'silent' }),
  });
  try {
    const { form, receiver, id } = await connect();
    await Promise.all(Array.from({ length: 100 }, () => submit(tenant.api, form)));
    worker.platform.workQueues.wake(webhookDeliveries);
    await eventually('all deliveries', async () => {
      const { body } = await tenant.api.get(`/api/webhooks/${id}/deliveries?limit=100`);
      return body.results.every((entry: { status: string }) => entry.status === 'success');
    });
    // On a busy machine an attempt may exceed its lease and be repeated, but the same attempt is never made twice.
    const ids = receiver.received.map(({ headers }) => headers['tessera-delivery-id']);
    const attempts = receiver.received.map(({ headers }, n) => `${ids[n]} ${headers['tessera-attempt']}`);
    assert.deepEqual([new Set(ids).size, new Set(attempts).size], [100, attempts.length]);
  } finally {
    await worker.stop();
  }
});
