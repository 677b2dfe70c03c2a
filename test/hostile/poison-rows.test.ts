/**
 * Items whose attempts always throw, in every work queue: each is tried eight times, then fails with a reason. The
 * breakage stands for unknown bugs.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { removeDeliveryLog } from '../../src/features/forms/webhooks/jobs.ts';
import { features } from '../../src/features/index.ts';
import { recordMessageEvents } from '../../src/features/mail/email-tracking/index.ts';
import { JOBS } from '../../src/jobs/job-rows.ts';
import { wholeTenant } from '../../src/tenancy/scope.ts';
import { becomes, computed, createAudience, membersOf } from '../harness/audiences.ts';
import { action, createAutomation } from '../harness/automations.ts';
import { createSentMessage } from '../harness/email-messages.ts';
import { createJourney, enter, getState } from '../harness/journeys.ts';
import { createMailTenant, readRecipientHistory, transmissionBody } from '../harness/mail.ts';
import { signIn } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createForm, submit } from '../harness/sample-forms.ts';
import { createSubscriber } from '../harness/subscribers.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];
export const neverRunsOn = ['cluster'];

const TRIES = 8;
/** Time for each attempt on a busy machine, in ms. */
const PATIENCE_MS = 60_000;

const app = await startOwnApp();
const { platform } = app.app;
const { query } = platform.database.everyTenant('tests');
const receiver = await startReceiver();
const tenant = await createMailTenant(app);

/** Replaces a part of the platform by one that throws; returns a function that restores it. */
function breakPart(part: object, name: string): () => void {
  const whole: unknown = Reflect.get(part, name);
  Reflect.set(part, name, () => {
    throw new Error('a fault of ours');
  });
  return () => Reflect.set(part, name, whole);
}

/** Renames an SQL function, as if it were broken; returns a function that restores it. */
async function breakFunction(name: string): Promise<() => Promise<void>> {
  const rename = async (from: string, to: string) => {
    await platform.database.ownerSession((run) => run(sql.raw(`alter function ${from} rename to ${to}`)));
  };
  await rename(name, `${name}_away`);
  return () => rename(`${name}_away`, name);
}

interface Row {
  readonly state: string;
  readonly attempts: number;
  readonly last_error: string | null;
}

/** Returns the newest row of the tenant, or of the platform. */
async function rowOf(table: string, tenantId = tenant.tenantId): Promise<Row | undefined> {
  const { rows } = await sql<Row>`select state, attempts, last_error from ${sql.table(table)}
    where tenant_id = ${tenantId} order by id desc limit 1`.execute(query);
  return rows[0];
}

/** Retries the row without waiting until it is not pending; returns its end. */
async function tryToTheLast(table: string, tenantId = tenant.tenantId): Promise<Row> {
  for (let tried = 1; ; tried += 1) {
    const row = await eventually(
      `try ${tried} of ${table}`,
      async () => {
        const now = await rowOf(table, tenantId);
        return now !== undefined && now.attempts >= tried ? now : null;
      },
      PATIENCE_MS,
    );
    if (row.state !== 'pending') return row;
    assert.ok(row.attempts < TRIES, `${table}: ${JSON.stringify(row)}`);
    await sql`update ${sql.table(table)} set due_at = ${new Date()}
      where tenant_id = ${tenantId} and state = 'pending'`.execute(query);
  }
}

function assertFailed(table: string, row: Row, words: RegExp, tries = TRIES): void {
  assert.deepEqual([row.state, row.attempts], ['failed', tries], `${table}: ${row.last_error}`);
  assert.match(row.last_error ?? '', words, table);
}

/** Creates a delivery of each kind. */
const OWE: Readonly<Record<string, () => Promise<unknown>>> = {
  'webhook-deliveries': async () => {
    const form_code = await createForm(tenant.api);
    const event = { event_type: 'form.submission', form_code };
    await tenant.api.post('/api/webhooks', { event, name: 'Receiver', target: { url: receiver.url } });
    await submit(tenant.api, form_code);
  },
  'entity-change-deliveries': async () => {
    const { bearer } = await signIn(tenant.api, tenant.ownerEmail);
    const name = `order_${randomUUID().slice(0, 8)}`;
    await tenant.api.post('/api/entities', { name, fields: [{ name: 'total', type: 'number' }] });
    await bearer.post('/api/webhooks', {
      url: receiver.url,
      events: [`${name}.created`],
      secret: 'a secret',
    });
    await bearer.post(`/api/${name}`, { total: 1 });
  },
  'email-event-deliveries': async () => {
    const webhook = { name: 'Events', target: receiver.url, events: ['open'], active: true };
    await tenant.api.put('/api/email_settings', {
      ...{ sender_identities: [], whitelist_recipient_rules: [], subscription_types: [] },
      ...{ subscriber_additional_fields: {}, event_webhooks: [webhook] },
    });
    const { tenantId, messageId } = await createSentMessage(app, tenant);
    await recordMessageEvents(platform, [{ tenantId, messageId, type: 'open', occurredAt: new Date() }]);
  },
};

const TABLES: Readonly<Record<string, string>> = {
  'webhook-deliveries': 'webhook_deliveries',
  'entity-change-deliveries': 'entity_change_deliveries',
  'email-event-deliveries': 'email_event_deliveries',
};

const LOADS: Readonly<Record<string, string>> = {
  'webhook-deliveries': 'tessera_load_deliveries',
  'entity-change-deliveries': 'tessera_load_entity_change_deliveries',
  'email-event-deliveries': 'tessera_load_event_deliveries',
};

/** Work queues that tests of this file break. */
const broken = new Set<string>();

for (const [workQueue, owe] of Object.entries(OWE)) {
  const table = TABLES[workQueue] ?? '';
  test(`a delivery of ${workQueue} whose attempts throw fails after eight`, async () => {
    broken.add(workQueue);
    const mend = breakPart(platform.outbound, 'send');
    try {
      await owe();
      assertFailed(table, await tryToTheLast(table), /a fault of ours/);
    } finally {
      mend();
    }
  });

  test(`a delivery of ${workQueue} that cannot be read fails after eight`, async () => {
    const mend = await breakFunction(LOADS[workQueue] ?? '');
    try {
      await owe();
      assertFailed(table, await tryToTheLast(table), /does not exist/);
    } finally {
      await mend();
    }
  });
}

const IN_A_CENTURY = { date: '2126-01-01T09:00:00', timezone: 'UTC' };

/** Corrupts a scheduled message and lets every attempt run. Returns how its transmission and its history end. */
async function sendSpoilt(transactional: boolean, spoil: (id: string) => unknown) {
  const address = `${randomUUID()}@example.com`;
  const body = transmissionBody(tenant, {
    recipients: [{ address }],
    content: { from: `shop@${tenant.domain}`, subject: 'x', html: '<a href="https://x.example">x</a>' },
    options: { transactional, click_tracking: true, scheduled_time: IN_A_CENTURY },
  });
  const id = String((await tenant.api.post('/api/transmissions', body)).body.transactionId);
  await spoil(id);
  await sql`update email_messages set due_at = ${new Date()} where transmission_id = ${id}`.execute(query);
  const row = await tryToTheLast('email_messages');
  const { state, counts } = (await tenant.api.get(`/api/transmissions/${id}`)).body;
  return { row, state, failed: counts.failed, history: await readRecipientHistory(tenant.api, id, address) };
}

/** Replaces the JSON of a transmission's content. */
const spoilContent = (path: string, value: string) => (id: string) =>
  sql`update transmissions set content = jsonb_set(content::jsonb, ${path}::text[], ${value}::jsonb)::json
    where id = ${id}`.execute(query);

/** Ways to break a message, and the number of its attempts; a message that ends a renderer thread is not retried. */
const SPOILT = [
  {
    what: 'the renderer',
    spoil: spoilContent('{html}', '5'),
    tries: 1,
    words: /Rendering failed because of an internal error: /,
  },
  {
    what: 'the builder of messages',
    spoil: spoilContent('{from,address}', '5'),
    words: /could not be rendered/,
  },
  // The function that creates tracked links.
  { what: 'the rewriting of links', spoil: () => mends.push(breakPart(platform, 'publicUrl')) },
  { what: 'the hand-over', spoil: () => mends.push(breakPart(platform.mail, 'send')) },
];
const mends: (() => void)[] = [];

for (const lane of ['transactional', 'bulk'])
  for (const { what, spoil, tries = TRIES, words = /a fault of ours/ } of SPOILT)
    test(`a ${lane} message that breaks ${what} fails after ${tries} tries, and its transmission ends`, async () => {
      broken.add(`${lane}-messages`);
      const { row, state, failed, history } = await sendSpoilt(lane === 'transactional', spoil).finally(
        () => {
          for (const mend of mends.splice(0)) mend();
        },
      );

      assertFailed(what, row, words, tries);
      assert.deepEqual([state, failed, history.status], ['failed', 1, 'failed'], what);
      assert.equal(history.error, row.last_error);
    });

test('messages whose transmissions cannot be read fail after eight tries', async () => {
  const rename = (from: string, to: string) =>
    platform.database.ownerSession((run) =>
      run(sql.raw(`alter table transmissions rename column ${from} to ${to}`)),
    );
  const { row } = await sendSpoilt(true, async () => {
    await rename('message_bytes', 'away');
    mends.push(() => {});
  }).catch((error) => error);
  await rename('away', 'message_bytes');
  assertFailed('email_messages', row, /message_bytes/);
});

/** Makes the database reject these subscribers in any audience, but no others. */
function refuseInGroups(...subscriberIds: readonly string[]): Promise<void> {
  const refused = subscriberIds.map((id) => `'${id}'`).join();
  return platform.database.ownerSession(async (run) => {
    await run(
      sql.raw(`create or replace function refuse_poison() returns trigger language plpgsql as $$ begin
        if new.subscriber_id::text in (${refused}) then raise 'poison' using errcode = '22003'; end if;
        return new;
      end $$`),
    );
    await run(
      sql`create or replace trigger poison before insert on subscriber_group_members
        for each row execute function refuse_poison()`,
    );
  });
}

function refuseNobody(): Promise<void> {
  return platform.database.ownerSession(async (run) => {
    await run(sql`drop function refuse_poison() cascade`);
  });
}

const inCity = (city: string) => ({ 'additional_fields_data.city': { operation: 'eq', value: city } });
const from = (city: string) => ({ additional_fields_data: { city } });

test('a subscriber that cannot be processed fails after eight tries without affecting others', async () => {
  broken.add('audience-changes');
  const audience = await createAudience(tenant, inCity('London'));
  await computed(tenant, audience);
  const subscribers: Awaited<ReturnType<typeof createSubscriber>>[] = [];
  for (const first_name of ['Ada', 'Poison', 'Bob', 'Cy'])
    subscribers.push(await createSubscriber(tenant, { first_name, ...from('Rome') }));
  const ids = subscribers.map(({ id }) => id);
  const countChanges = async (leastAttempts: number) => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from audience_changes
      where tenant_id = ${tenant.tenantId} and attempts >= ${leastAttempts}`.execute(query);
    return rows[0]?.n;
  };
  // Their creation has been processed; the database rejects their move.
  await eventually('a look at all who are new', async () => (await countChanges(0)) === 0);
  try {
    // All wait for another attempt and are then processed together.
    await refuseInGroups(...ids);
    for (const { id, body } of subscribers)
      await tenant.api.put(`/api/subscribers/${id}`, { ...body, ...from('London') });
    await eventually('the first try of all', async () => (await countChanges(1)) === subscribers.length);
    await refuseInGroups(String(ids[1]));
    await sql`update audience_changes set due_at = ${new Date()} where tenant_id = ${tenant.tenantId}`.execute(
      query,
    );
    await becomes(tenant, audience, ['Ada', 'Bob', 'Cy']);
    assertFailed('audience_changes', await tryToTheLast('audience_changes'), /poison/);
    assert.deepEqual(await membersOf(tenant, audience), ['Ada', 'Bob', 'Cy']);
  } finally {
    await refuseNobody();
  }
});

test('a computation that always fails at one subscriber fails after eight tries', async () => {
  broken.add('audience-computations');
  const { id } = await createSubscriber(tenant, from('Paris'));
  await refuseInGroups(id);
  try {
    await createAudience(tenant, inCity('Paris'));
    assertFailed('audience_computations', await tryToTheLast('audience_computations'), /poison/);
  } finally {
    await refuseNobody();
  }
});

/** Makes the database reject a change of a table as bad data; returns a function that restores it. */
async function refuseChange(table: string, change: string): Promise<() => Promise<void>> {
  await platform.database.ownerSession(async (run) => {
    await run(
      sql.raw(`create function refuse_change() returns trigger language plpgsql as $$ begin
        raise 'poison' using errcode = '22003'; end $$`),
    );
    await run(
      sql.raw(
        `create trigger refused before ${change} on ${table} for each row execute function refuse_change()`,
      ),
    );
  });
  return () =>
    platform.database.ownerSession(async (run) => {
      await run(sql`drop function refuse_change() cascade`);
    });
}

const callAction = action('call', 'httpRequest', { method: 'GET', url: receiver.url });

/** Ways to break a run: during its attempt, and while its automation is read. */
const RUN_FAULTS = [
  {
    what: 'attempts break',
    spoil: async () => breakPart(platform.outbound, 'send'),
    words: /a fault of ours/,
  },
  {
    what: 'work cannot be read',
    spoil: () => breakFunction('tessera_load_automations'),
    words: /does not exist/,
  },
];

for (const [nth, { what, spoil, words }] of RUN_FAULTS.entries())
  test(`a run of an automation whose ${what} fails after eight tries`, async () => {
    broken.add('automation-runs');
    const key = `poison${nth}`;
    await createAutomation(tenant.api, key, { triggerType: 'webhook', actions: [callAction] });
    const mend = await spoil();
    try {
      await tenant.api.post(`/api/automations/${key}/run`, {}, 202);
      assertFailed('automation_runs', await tryToTheLast('automation_runs'), words);
    } finally {
      await mend();
    }
  });

test('a schedule that throws starts again later after eight tries, because it ends only with its automation', async () => {
  broken.add('automation-schedules');
  const triggerParams = { cronExpression: '0 0 1 1 *' };
  await createAutomation(tenant.api, 'poison_time', {
    triggerType: 'cronJob',
    triggerParams,
    actions: [],
  });
  const past = new Date(Date.now() - 60_000);
  await sql`update automation_schedules set planned_at = ${past} where tenant_id = ${tenant.tenantId}`.execute(
    query,
  );
  const mend = await refuseChange('automation_schedules', 'update of planned_at');
  try {
    for (let tried = 0; tried < TRIES; tried += 1) {
      await sql`update automation_schedules set due_at = ${past} where tenant_id = ${tenant.tenantId}`.execute(
        query,
      );
      const row = await eventually(
        `look ${tried + 1}`,
        async () => {
          const now = await rowOf('automation_schedules');
          return now?.last_error && now.attempts === (tried + 1) % TRIES ? now : null;
        },
        PATIENCE_MS,
      );
      assert.deepEqual([row.state, /poison/.test(row.last_error ?? '')], ['pending', true]);
    }
    const { rows } = await sql<{ is_later: boolean }>`select due_at > ${new Date()} as is_later
      from automation_schedules where tenant_id = ${tenant.tenantId}`.execute(query);
    assert.deepEqual(rows, [{ is_later: true }]);
  } finally {
    await mend();
  }
});

test('a queue message that cannot be processed fails after eight tries', async () => {
  broken.add('queue-outbox');
  const mend = await refuseChange('queue_messages', 'insert');
  try {
    const { tenantId } = tenant;
    // A message that was accepted while there was a broker.
    await sql`insert into queue_outbox (tenant_id, id, target_id, state, due_at, attempts, queue, body, chain)
      values (${tenantId}, ${randomUUID()}, ${randomUUID()}, 'pending', ${new Date()}, 0, 'nobody', '1', '[]')`.execute(
      query,
    );
    assertFailed('queue_outbox', await tryToTheLast('queue_outbox'), /poison/);
  } finally {
    await mend();
  }
});

/** Ways to break an enrollment: during its call, and while the change of a subscriber is written. */
const STATE_FAULTS = [
  {
    workQueue: 'journey-calls',
    step: { key: 'call', type: 'http_request', method: 'GET', url: receiver.url },
    spoil: async () => breakPart(platform.outbound, 'send'),
    words: /a fault of ours/,
  },
  {
    workQueue: 'journey-steps',
    step: { key: 'change', type: 'update_subscriber', additional_fields_data: { city: 'Rome' } },
    spoil: () => refuseChange('subscribers', 'update'),
    words: /poison/,
  },
];

for (const { workQueue, step, spoil, words } of STATE_FAULTS)
  test(`an enrollment of ${workQueue} that throws fails after eight tries and reports it`, async () => {
    broken.add(workQueue);
    const { id } = await createSubscriber(tenant, from('Oslo'));
    const journey = await createJourney(tenant, [step]);
    const mend = await spoil();
    try {
      const state = await enter(tenant, journey, id);
      assertFailed('journey_states', await tryToTheLast('journey_states'), words);
      const { status, error } = await getState(tenant, journey, state);
      assert.equal(status, 'failed');
      assert.match(error, words);
    } finally {
      await mend();
    }
  });

test('a signal that can enroll nobody fails after eight tries', async () => {
  broken.add('subscriber-signals');
  const { id: list_id } = (await tenant.api.post('/api/lists', { name: 'Poison' })).body;
  const wait = { key: 'wait', type: 'wait', seconds: 1 };
  await createJourney(tenant, [wait], { trigger: { type: 'list_joined', list_id } });
  const mend = await refuseChange('journey_states', 'insert');
  try {
    await createSubscriber(tenant, { ...from('Oslo'), lists: [list_id] });
    assertFailed('subscriber_signals', await tryToTheLast('subscriber_signals'), /poison/);
  } finally {
    await mend();
  }
});

test('a job that rejects its payload fails after eight tries', async () => {
  broken.add(JOBS.name);
  const db = platform.scoped(wholeTenant(tenant.tenantId));
  await db.transaction((tx) => platform.jobs.enqueue(tx, removeDeliveryLog, { webhookId: 5 }));
  assertFailed('jobs', await tryToTheLast('jobs'), /./);
});

test('this file breaks every work queue', () => {
  const all = [JOBS, ...features.flatMap(({ workQueues = [] }) => workQueues)];
  assert.deepEqual(
    all.map(({ name }) => name).filter((name) => !broken.has(name)),
    [],
  );
});
