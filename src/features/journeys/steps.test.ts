import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import {
  branch,
  createJourney,
  createTemplate,
  enter,
  getState,
  outcomesOf,
  passTime,
  untilEnded,
  untilState,
} from '../../../test/harness/journeys.ts';
import { createMailTenant, mailsTo } from '../../../test/harness/mail.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { defineTypes, subscriptionType } from '../../../test/harness/preferences.ts';
import { startReceiver } from '../../../test/harness/receiver.ts';
import { startRelay } from '../../../test/harness/relay.ts';
import { createSubscriber, getSubscriber, subscriberBody } from '../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { reserveMemory } from '../../memory/reserve-memory.ts';
import { recallRows } from '../../work-queue/work-queue-queries.ts';
import { journeyCalls } from './running/queue.ts';

export const runsOn = ['embedded', 'server'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const { api } = tenant;
await defineTypes(tenant, [subscriptionType('news')]);
const receiver = await startReceiver();
const template_id = await createTemplate(tenant);

/** Enrolls a subscriber in a journey with these steps; returns the ended enrollment. */
async function goThrough(steps: readonly object[], subscriberId: string) {
  const journeyId = await createJourney(tenant, steps);
  return untilEnded(tenant, journeyId, await enter(tenant, journeyId, subscriberId));
}

/** Returns the only mail to an address. */
const mailTo = (address: string) =>
  eventually(`a mail to ${address}`, async () => {
    const mails = await mailsTo(relay, address);
    return mails.length === 1 ? mails[0] : null;
  });

test("a mail is like one of a campaign: tracked, with unsubscribe links, and with the trigger's data", async () => {
  const { id, body } = await createSubscriber({ api }, { additional_fields_data: { pet: 'cat' } });
  const version = {
    html_content:
      '<p>{{subscriber.pet}} {{journey.name}} {{trigger.type}}</p><a href="https://shop.example/?a=1">S</a> <a href="{{unsubscribe_url}}">U</a> <a href="{{preferences_url}}">P</a> <a href="{{view_in_browser_url}}">V</a>',
  };
  const template = await createTemplate(tenant, { version });
  const steps = [
    { key: 'hello', type: 'send_email', template_id: template, subject: 'Dear {{subscriber.first_name}}' },
  ];
  const state = await goThrough(steps, id);
  assert.deepEqual([state.status, state.error, outcomesOf(state)], ['completed', null, 'hello:sent']);
  const mail = await mailTo(body.email);
  assert.equal(mail?.subject, 'Dear Ada');
  assert.match(String(mail?.html), /cat Welcome manual/);
  assert.match(String(mail?.html), /\/t\/c\//);
  assert.match(String(mail?.html), /\/t\/o\//);
  assert.ok(mail?.headers.has('list'));
  const view = /href="[^"]*(\/view\/[^"]+)"/.exec(String(mail?.html))?.[1];
  const page = await app.anonymous.get(view ?? '');
  assert.match(page.text, /cat Welcome manual/);
});

test('unsubscribed and suppressed subscribers are skipped, but get transactional mail', async () => {
  const { id, body } = await createSubscriber({ api });
  await api.put(`/api/subscribers/${id}`, {
    ...body,
    subscription_updates: [{ subscription_type_id: 'news', subscribe: false }],
  });
  const urgent = await createTemplate(tenant, { template: { transactional: true } });
  const state = await goThrough(
    [
      { key: 'news', type: 'send_email', template_id, subscription_type_id: 'news' },
      { key: 'urgent', type: 'send_email', template_id: urgent, subscription_type_id: 'news' },
    ],
    id,
  );
  assert.equal(outcomesOf(state), 'news:skipped urgent:sent');
  await mailTo(body.email);
  const { id: other, body: left } = await createSubscriber({ api });
  await api.post('/api/email_settings/suppressions', { recipient: left.email, type: 'unsubscribe' });
  const steps = [{ key: 'mail', type: 'send_email', template_id }];
  assert.equal(outcomesOf(await goThrough(steps, other)), 'mail:skipped');
});

test('a step uses the template version that is active when it runs', async () => {
  const { id, body } = await createSubscriber({ api });
  const changing = await createTemplate(tenant);
  const journeyId = await createJourney(tenant, [
    { key: 'pause', type: 'wait', seconds: 60 },
    { key: 'mail', type: 'send_email', template_id: changing },
  ]);
  const stateId = await enter(tenant, journeyId, id);
  const newer = { active: true, subject: 'Newer', html_content: '<p>Newer</p>' };
  await api.post(`/api/templates/${changing}/versions`, newer);
  await passTime(app, tenant, [journeyId, stateId], 60);
  await untilEnded(tenant, journeyId, stateId);
  assert.equal((await mailTo(body.email))?.subject, 'Newer');
});

test('a mail that cannot be rendered, or without a template, fails the enrollment', async () => {
  const broken = await createTemplate(tenant, { version: { subject: 'Hello {{subscriber.nothing}}' } });
  const { id } = await createSubscriber({ api });
  const state = await goThrough([{ key: 'mail', type: 'send_email', template_id: broken }], id);
  assert.deepEqual([state.status, state.current_step, outcomesOf(state)], ['failed', 'mail', 'mail:failed']);
  assert.match(state.error, /nothing/);
  const gone = await createTemplate(tenant);
  const steps = [
    { key: 'pause', type: 'wait', seconds: 60 },
    { key: 'mail', type: 'send_email', template_id: gone },
  ];
  const journeyId = await createJourney(tenant, steps);
  const stateId = await enter(tenant, journeyId, id);
  const journey = { name: 'Off', active: false, trigger: { type: 'manual' }, steps };
  await api.put(`/api/journeys/${journeyId}`, journey);
  await api.delete(`/api/templates/${gone}`);
  // Its references no longer exist, so another definition activates it: the enrollment keeps its version.
  await api.put(`/api/journeys/${journeyId}`, {
    ...journey,
    active: true,
    steps: [{ key: 'a', type: 'exit' }],
  });
  await passTime(app, tenant, [journeyId, stateId], 60);
  const failed = await untilEnded(tenant, journeyId, stateId);
  assert.deepEqual([failed.status, failed.error], ['failed', 'The email template no longer exists.']);
});

test('an update merges, creates one version, and is visible to the next branch', async () => {
  const make = async () => String((await api.post('/api/lists', { name: 'L' })).body.id);
  const [kept, left, joined] = [await make(), await make(), await make()];
  const data = { pet: 'cat', age: 3 };
  const { id } = await createSubscriber({ api }, { lists: [kept, left], additional_fields_data: data });
  const isGold = { 'additional_fields_data.level': { operation: 'eq', value: 'gold' } };
  const state = await goThrough(
    [
      {
        ...{ key: 'mark', type: 'update_subscriber', add_lists: [joined], remove_lists: [left] },
        additional_fields_data: { level: 'gold', who: '{{subscriber.first_name}}', why: '{{trigger.none}}' },
        subscription_updates: [{ subscription_type_id: 'news', subscribe: false }],
      },
      branch('gold', isGold, { met: 'yes' }),
      { key: 'no', type: 'exit' },
      branch('yes', { lists: { operation: 'in', value: [joined] } }, {}),
    ],
    id,
  );
  assert.equal(outcomesOf(state), 'mark:done gold:then yes:then');
  const person = await getSubscriber({ api }, id);
  assert.deepEqual(person.additional_fields_data, { ...data, level: 'gold', who: 'Ada' });
  assert.deepEqual([...person.lists].sort(), [kept, joined].sort());
  assert.equal(person.version, 2);
  assert.equal(person.subscription_preferences[0].subscribed, false);
});

test('an update that exceeds the maximum number of fields fails the enrollment', async () => {
  const fields = (from: number, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`f${from + n}`, n]));
  const { id } = await createSubscriber({ api }, { additional_fields_data: fields(0, 999) });
  const update = (from: number) => ({
    ...{ key: `from${from}`, type: 'update_subscriber', additional_fields_data: fields(from, 1) },
  });
  const state = await goThrough([update(998), update(999), update(1000)], id);
  assert.equal(outcomesOf(state), 'from998:done from999:done from1000:failed');
  assert.match(state.error, /must have at most 1000 values/);
});

test('an enrollment with large data waits for memory without delaying others', async () => {
  const { platform } = app.app;
  const share = { tenantId: tenant.tenantId, bytes: 64 * 1024 * 1024, lane: 0, maxWaitMs: 10_000 };
  const leave = await reserveMemory(platform, 'outgoingWork', share);
  const steps = [{ key: 'pause', type: 'wait', seconds: 0 }, branch('big', {}, {})];
  const journeyId = await createJourney(tenant, steps);
  const large = await createSubscriber({ api }, { additional_fields_data: { notes: 'x'.repeat(40_000) } });
  const [largeId, smallId] = [
    await enter(tenant, journeyId, large.id),
    await enter(tenant, journeyId, (await createSubscriber({ api })).id),
  ];
  await untilEnded(tenant, journeyId, smallId);
  const waiting = await getState(tenant, journeyId, largeId);
  assert.deepEqual([waiting.status, outcomesOf(waiting)], ['active', '']);
  leave?.();
  assert.equal(outcomesOf(await untilEnded(tenant, journeyId, largeId)), 'pause:waited big:then');
});

test('a branch without a target continues with the next step, and reads engagement and computed audiences', async () => {
  const { id: audience } = (
    await api.post('/api/audiences', {
      name: 'Graces',
      filters: { first_name: { operation: 'eq', value: 'Grace' } },
    })
  ).body;
  const { id } = await createSubscriber({ api }, { first_name: 'Grace' });
  await eventually(
    'the audience',
    async () => (await api.get(`/api/audiences/${audience}`)).body.subscriber_count === 1,
  );
  const state = await goThrough(
    [
      branch('computed', { audiences: { operation: 'in', value: [audience] } }, {}),
      branch('opened', { engagement: { opened_since_days: 3 } }, { met: 'never' }),
      branch('quiet', { engagement: { not_opened_since_days: 3 } }, { unmet: 'never' }),
      { key: 'bye', type: 'exit' },
      { key: 'never', type: 'exit' },
    ],
    id,
  );
  assert.equal(outcomesOf(state), 'computed:then opened:else quiet:then bye:exited');
});

test('a split leads a subscriber to the same branch each time, and subscribers by its percents', async () => {
  const steps = [
    {
      key: 'half',
      type: 'split',
      branches: [
        { percent: 50, to: 'a' },
        { percent: 50, to: 'b' },
      ],
    },
    { key: 'a', type: 'exit' },
    { key: 'b', type: 'exit' },
  ];
  const journeyId = await createJourney(tenant, steps, { re_entry: 'after_exit' });
  const goOnce = async (id: string) => {
    const state = await untilEnded(tenant, journeyId, await enter(tenant, journeyId, id));
    return String(state.history[0].outcome);
  };
  const people = await Promise.all(Array.from({ length: 12 }, () => createSubscriber({ api })));
  const ways = await Promise.all(people.map(({ id }) => goOnce(id)));
  assert.deepEqual(await Promise.all(people.map(({ id }) => goOnce(id))), ways);
  assert.deepEqual([...new Set(ways)].sort(), ['a', 'b']);
});

test("a call contains the subscriber's data, and is retried with the same key until it succeeds", async () => {
  const { id, body } = await createSubscriber({ api });
  const path = `/${randomUUID()}`;
  let tries = 0;
  receiver.answer = (_request, response) => {
    tries += 1;
    response.statusCode = tries < 3 ? 500 : 200;
    response.end();
  };
  const state = await goThrough(
    [
      { key: 'pause', type: 'wait', seconds: 0 },
      {
        ...{ key: 'call', type: 'http_request', method: 'POST', url: `${receiver.url}${path}` },
        headers: { 'X-Who': '{{subscriber.email}}' },
        body: { who: '{{subscriber.first_name}}', age: '{{subscriber.age}}', of: '{{trigger.type}}' },
      },
      { key: 'after', type: 'exit' },
    ],
    id,
  );
  assert.equal(outcomesOf(state), 'pause:waited call:done after:exited');
  const calls = receiver.received.filter((call) => call.path === path);
  assert.equal(calls.length, 3);
  assert.deepEqual(calls[0]?.body, { who: 'Ada', age: null, of: 'manual' });
  assert.equal(calls[0]?.headers['x-who'], body.email);
  const keys = new Set(calls.map(({ headers }) => headers['idempotency-key']));
  assert.equal(keys.size, 1);
});

test("a call is retried after the receiver's Retry-After, up to an hour, also when leases are reset", async () => {
  const { id } = await createSubscriber({ api });
  const { platform } = app.app;
  const { query } = platform.database.everyTenant('tests');
  for (const [asked, expected] of [
    ['3000', 3000],
    ['7200', 3600],
  ] as const) {
    receiver.answer = (_request, response) => {
      response.writeHead(503, { 'Retry-After': asked });
      response.end();
    };
    const call = { key: 'call', type: 'http_request', method: 'GET', url: `${receiver.url}/${randomUUID()}` };
    const before = Date.now();
    const journeyId = await createJourney(tenant, [call]);
    const stateId = await enter(tenant, journeyId, id);
    const waited = async () => {
      const row = await query
        .selectFrom('journey_states')
        .select(['due_at', 'attempts'])
        .where('id', '=', stateId)
        .executeTakeFirstOrThrow();
      return row.attempts === 1 ? (new Date(row.due_at).getTime() - before) / 1000 : null;
    };
    const waits = await eventually('the call to have failed', waited);
    assert.ok(waits >= expected && waits < expected + 600, `${waits} s`);
    await recallRows(platform, journeyCalls, new Date(), 0);
    assert.equal(await waited(), waits);
    await api.post(`/api/journeys/${journeyId}/states/${stateId}/exit`, undefined);
  }
});

test('a call that fails by its own fault ends the enrollment immediately', async () => {
  receiver.answer = (_request, response) => void response.end();
  const { query } = app.app.platform.database.everyTenant('tests');
  const path = `/${randomUUID()}`;
  const calls = [
    { headers: { Host: 'inner' } },
    { headers: { 'Content-Length': '5' } },
    { headers: { Connection: 'close' } },
    { headers: { 'Webhook-Signature': 'v1,x' } },
    { headers: { 'Proxy-A': 'x' } },
    { headers: { 'a b': 'x' } },
    { headers: { 'X-Name': '{{subscriber.first_name}}' } },
    { url: '{{subscriber.first_name}}' },
    { url: 'https://{{subscriber.first_name}}/' },
    { url: 'http://{{subscriber.last_name}}/' },
  ];
  const { id } = await createSubscriber({ api }, { first_name: 'a Ł', last_name: '169.254.169.254' });
  for (const more of calls) {
    const call = { ...{ key: 'call', type: 'http_request', method: 'GET' }, url: `${receiver.url}${path}` };
    const state = await goThrough([{ ...call, ...more }], id);
    assert.deepEqual([state.status, outcomesOf(state)], ['failed', 'call:failed'], JSON.stringify(more));
    const row = query.selectFrom('journey_states').select('attempts').where('id', '=', state.id);
    assert.equal((await row.executeTakeFirstOrThrow()).attempts, 1, JSON.stringify(more));
  }
  assert.equal(receiver.received.filter((call) => call.path === path).length, 0);
});

test('keys with any characters are written in brackets, and values are encoded for URLs', async () => {
  receiver.answer = (_request, response) => void response.end();
  const path = `/${randomUUID()}`;
  const { id } = await createSubscriber({ api }, { first_name: 'Ann & Bob' });
  const journeyId = await createJourney(tenant, [
    {
      ...{ key: 'call', type: 'http_request', method: 'POST' },
      url: `${receiver.url}${path}?q={{urlencode subscriber["first_name"]}}`,
      body: { name: "{{subscriber['first_name']}}", first: '{{subscriber.lists[0]}}' },
    },
  ]);
  await untilState(
    tenant,
    journeyId,
    await enter(tenant, journeyId, id),
    ({ status }) => status !== 'active',
  );
  const sent = receiver.received.find((call) => call.path.startsWith(path));
  assert.equal(sent?.path, `${path}?q=Ann%20%26%20Bob`);
  assert.deepEqual(sent?.body, { name: 'Ann & Bob', first: null });
});

test('a call without a response finally fails the enrollment', async () => {
  receiver.answer = (_request, response) => {
    response.statusCode = 503;
    response.end();
  };
  const { id } = await createSubscriber({ api });
  const path = `/${randomUUID()}`;
  const state = await goThrough(
    [{ key: 'call', type: 'http_request', method: 'GET', url: `${receiver.url}${path}` }],
    id,
  );
  assert.deepEqual([state.status, outcomesOf(state)], ['failed', 'call:failed']);
  assert.match(state.error, /503/);
  assert.equal(receiver.received.filter((call) => call.path === path).length, 5);
});

test('an enrollment in an endless loop ends after a thousand steps', async () => {
  const { id } = await createSubscriber({ api });
  const state = await goThrough(
    [
      { key: 'a', type: 'wait', seconds: 0 },
      { key: 'b', type: 'wait', seconds: 0, next: 'a' },
    ],
    id,
  );
  assert.equal(state.status, 'failed');
  assert.match(state.error, /1000 steps/);
  assert.equal(state.history.length, 1001);
});

test('a wait ends at the next matching local time', async () => {
  const { id } = await createSubscriber({ api });
  const journeyId = await createJourney(tenant, [
    { key: 'past', type: 'wait', until: '2020-01-01T00:00:00Z' },
    { key: 'monday', type: 'wait', at: '09:00', timezone: 'Australia/Sydney', weekdays: [1] },
  ]);
  const stateId = await enter(tenant, journeyId, id);
  const state = await untilState(tenant, journeyId, stateId, ({ current_step }) => current_step === 'monday');
  assert.equal(outcomesOf(state), 'past:waited');
  const shown = new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone: 'Australia/Sydney', weekday: 'long', hour: '2-digit', minute: '2-digit' },
  }).format(new Date(state.due_at));
  assert.match(shown, /^Monday.*09:00$/);
  assert.ok(new Date(state.due_at) > new Date());
});

test('deactivation and erasure end an enrollment, and an erasure removes its data', async () => {
  const journeyId = await createJourney(tenant, [{ key: 'day', type: 'wait', seconds: 86_400 }]);
  const [gone, off] = [await createSubscriber({ api }), await createSubscriber({ api })];
  const [goneId, offId] = [await enter(tenant, journeyId, gone.id), await enter(tenant, journeyId, off.id)];
  await api.put(
    `/api/subscribers/${off.id}`,
    subscriberBody({ email: off.body.email, active: false, inactive_reason: 'Asked' }),
  );
  assert.equal((await untilEnded(tenant, journeyId, offId)).status, 'exited');
  await api.delete(`/api/subscribers/${gone.id}`);
  const state = await getState(tenant, journeyId, goneId);
  assert.equal(state.status, 'exited');
  const key = `entityType=user_journey_state&entitySortKey=${goneId}`;
  assert.deepEqual((await api.get(`/api/entity/versions?${key}`)).body, []);
});

test('an erasure removes the history of enrollments in deleted journeys', async () => {
  const journeyId = await createJourney(tenant, [{ key: 'day', type: 'wait', seconds: 86_400 }]);
  const { id } = await createSubscriber({ api });
  const stateId = await enter(tenant, journeyId, id);
  await api.delete(`/api/journeys/${journeyId}`);
  const db = app.app.platform.database.everyTenant('tests').query;
  await eventually('the state to be forgotten', async () => {
    const states = await db.selectFrom('journey_states').select('id').where('id', '=', stateId).execute();
    return states.length === 0;
  });
  const versions = `/api/entity/versions?entityType=user_journey_state&entitySortKey=${stateId}`;
  assert.equal((await api.get(versions)).body.at(-1).data.subscriber_id, id);
  const isAmongDeleted = async () => {
    const deleted = (await api.get('/api/entity/deleted-records?entityType=user_journey_state')).body;
    return deleted.some(({ sk }: { sk: string }) => sk.includes(stateId));
  };
  assert.equal(await isAmongDeleted(), true);
  await api.delete(`/api/subscribers/${id}`);
  assert.deepEqual((await api.get(versions)).body, []);
  assert.equal(await isAmongDeleted(), false);
});
