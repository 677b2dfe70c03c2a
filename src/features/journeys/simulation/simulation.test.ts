import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { branch, createJourney, createTemplate, listStates } from '../../../../test/harness/journeys.ts';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { defineTypes, subscriptionType } from '../../../../test/harness/preferences.ts';
import { createSubscriber, getSubscriber } from '../../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;
await defineTypes(tenant, [subscriptionType('news')]);
const template_id = await createTemplate(tenant);
const START = '2026-01-05T12:00:00.000Z';
const DAY = 86_400;

interface Step {
  readonly step: string;
  readonly type: string;
  readonly at: string;
  readonly outcome: string;
  readonly error?: string;
  readonly email?: { readonly subject: string; readonly html: string };
  readonly request?: object;
}

async function simulate(steps: readonly object[], body: object, more: object = {}) {
  const id = await createJourney(tenant, steps, { active: false, ...more });
  const answer = await api.post(`/api/journeys/${id}/simulate`, { start_at: START, ...body });
  return { id, ...(answer.body as { status: string; finished_at: string; steps: Step[] }) };
}

const outcomes = ({ steps }: { steps: readonly Step[] }) =>
  steps.map(({ step, outcome, at }) => `${at.slice(0, 16)} ${step}:${outcome}`);

const series = [
  { key: 'hello', type: 'send_email', template_id },
  {
    key: 'opened',
    type: 'wait_for',
    event: 'open',
    step: 'hello',
    timeout_seconds: 3 * DAY,
    on_timeout: 'again',
  },
  { key: 'week', type: 'wait', seconds: 7 * DAY },
  branch('clicked', { engagement: { clicked_since_days: 30 } }, { met: 'bye' }),
  { key: 'again', type: 'send_email', template_id, subject: 'Again' },
  { key: 'bye', type: 'exit' },
];

test('a simulation runs a journey on a virtual clock and renders each mail, without effects', async () => {
  const events = [
    { after_seconds: DAY, type: 'open', step: 'hello' },
    { after_seconds: 2 * DAY, type: 'click' },
  ];
  const simulated = await simulate(series, { subscriber: { first_name: 'Grace' }, events });
  assert.deepEqual(outcomes(simulated), [
    '2026-01-05T12:00 hello:sent',
    '2026-01-06T12:00 opened:event',
    '2026-01-13T12:00 week:waited',
    '2026-01-13T12:00 clicked:then',
    '2026-01-13T12:00 bye:exited',
  ]);
  assert.deepEqual([simulated.status, simulated.finished_at], ['exited', '2026-01-13T12:00:00.000Z']);
  const [mail] = simulated.steps;
  assert.equal(mail?.type, 'send_email');
  assert.equal(mail?.email?.subject, 'Welcome Grace');
  assert.match(mail?.email?.html ?? '', /Hello Grace/);
  assert.deepEqual(await listStates(tenant, simulated.id), []);
});

test('without the event the wait times out, and the other branch is taken', async () => {
  const simulated = await simulate(series, { subscriber: {} });
  assert.deepEqual(outcomes(simulated), [
    '2026-01-05T12:00 hello:sent',
    '2026-01-08T12:00 opened:timeout',
    '2026-01-08T12:00 again:sent',
    '2026-01-08T12:00 bye:exited',
  ]);
  assert.equal(simulated.steps[2]?.email?.subject, 'Again');
});

test('later steps see the changes of earlier ones; the stored subscriber does not change', async () => {
  const { id: list } = (await api.post('/api/lists', { name: 'L' })).body;
  const { id } = await createSubscriber({ api }, { additional_fields_data: { level: 'tin' } });
  const before = await getSubscriber({ api }, id);
  const simulated = await simulate(
    [
      {
        ...{
          key: 'mark',
          type: 'update_subscriber',
          additional_fields_data: { level: 'gold' },
          add_lists: [list],
        },
        subscription_updates: [{ subscription_type_id: 'news', subscribe: false }],
      },
      branch(
        'gold',
        { 'additional_fields_data.level': { operation: 'eq', value: 'gold' } },
        { unmet: 'bye' },
      ),
      branch('in', { lists: { operation: 'in', value: [list] } }, { unmet: 'bye' }),
      branch('named', { email: { operation: 'eq', value: before.email } }, { unmet: 'bye' }),
      { key: 'news', type: 'send_email', template_id, subscription_type_id: 'news' },
      { key: 'call', type: 'http_request', method: 'POST', url: 'https://{{subscriber.level}}.example/' },
      { key: 'bye', type: 'exit' },
    ],
    { subscriber_id: id },
  );
  assert.deepEqual(
    simulated.steps.map(({ step, outcome }) => `${step}:${outcome}`),
    ['mark:done', 'gold:then', 'in:then', 'named:then', 'news:skipped', 'call:done', 'bye:exited'],
  );
  assert.deepEqual(simulated.steps[5]?.request, { method: 'POST', url: 'https://gold.example/' });
  assert.deepEqual(await getSubscriber({ api }, id), before);
});

test('the first open and click of each mail count, also if a step has sent several', async () => {
  const mail = { key: 'mail', type: 'send_email', template_id };
  const open = (days: number, more: object = {}) => ({ after_seconds: days * DAY, type: 'open', ...more });
  const twice = await simulate(
    [
      mail,
      { key: 'long', type: 'wait', seconds: 21 * DAY },
      branch('lately', { engagement: { opened_since_days: 7 } }, { unmet: 'bye' }),
      { key: 'bye', type: 'exit' },
    ],
    { subscriber: {}, events: [open(1), open(20)] },
  );
  assert.equal(twice.steps[2]?.outcome, 'else');
  const changed = await simulate(
    [
      mail,
      { key: 'day', type: 'wait', seconds: 2 * DAY },
      { ...mail, key: 'second', subject: 'Second' },
      branch('opened', { engagement: { opened_since_days: 30 } }, { unmet: 'bye' }),
      { key: 'bye', type: 'exit' },
    ],
    { subscriber: {}, events: [open(1, { step: 'mail' }), open(9)] },
  );
  assert.equal(changed.steps[3]?.outcome, 'then');
  // Opened before the second mail of the step was sent, and checked after it.
  const late = await simulate(
    [
      mail,
      { key: 'short', type: 'wait', seconds: 3600 },
      branch('opened', { engagement: { opened_since_days: 30 } }, { met: 'bye', unmet: 'pause' }),
      { key: 'pause', type: 'wait', seconds: DAY, next: 'mail' },
      { key: 'bye', type: 'exit' },
    ],
    { subscriber: {}, events: [{ after_seconds: 7200, type: 'open', step: 'mail' }] },
  );
  assert.deepEqual(
    late.steps.map(({ step, outcome }) => `${step}:${outcome}`),
    [
      ...['mail:sent', 'short:waited', 'opened:else', 'pause:waited'],
      ...['mail:sent', 'short:waited', 'opened:then', 'bye:exited'],
    ],
  );
});

test('`updated_at` of a subscriber includes changes by steps', async () => {
  const { id } = await createSubscriber({ api });
  const isOld = (key: string) =>
    branch(key, { updated_at: { operation: 'lt', value: '2030-01-01T00:00:00Z' } }, { unmet: 'bye' });
  const simulated = await simulate(
    [
      isOld('before'),
      { key: 'mark', type: 'update_subscriber', additional_fields_data: { level: 'gold' } },
      isOld('after'),
      { key: 'bye', type: 'exit' },
    ],
    { subscriber_id: id, start_at: '2031-01-01T00:00:00Z' },
  );
  assert.deepEqual(
    simulated.steps.map(({ step, outcome }) => `${step}:${outcome}`),
    ['before:then', 'mark:done', 'after:else', 'bye:exited'],
  );
});

test('a split leads a virtual subscriber to the same branch each time, and others to the other branch', async () => {
  const steps = [
    {
      ...{ key: 'half', type: 'split' },
      branches: [
        { percent: 50, to: 'a' },
        { percent: 50, to: 'b' },
      ],
    },
    { key: 'a', type: 'exit' },
    { key: 'b', type: 'exit' },
  ];
  const id = await createJourney(tenant, steps, { active: false });
  const wayOf = async (email: string) => {
    const subscriber = { email, last_name: null, additional_fields_data: null };
    return (await api.post(`/api/journeys/${id}/simulate`, { subscriber })).body.steps.at(-1).step;
  };
  const emails = Array.from({ length: 20 }, (_, index) => `somebody${index}@example.com`);
  const ways = await Promise.all(emails.map(wayOf));
  assert.deepEqual(await Promise.all(emails.map(wayOf)), ways);
  assert.equal(await wayOf('Somebody0@Example.com'), ways[0]);
  assert.deepEqual([...new Set(ways)].sort(), ['a', 'b']);
});

test('waits follow the local time of the zone, in summer and winter', async () => {
  const at = (key: string) => ({ key, type: 'wait', at: '09:00', timezone: 'Australia/Sydney' });
  // The clocks there are set back on Sunday, 5 April 2026.
  const simulated = await simulate([at('a'), at('b'), at('c')], {
    ...{ subscriber: {}, start_at: '2026-04-03T12:00:00Z' },
  });
  assert.deepEqual(outcomes(simulated), [
    '2026-04-03T22:00 a:waited',
    '2026-04-04T23:00 b:waited',
    '2026-04-05T23:00 c:waited',
  ]);
});

test('mails can use the trigger, and a mail without the data that it needs fails', async () => {
  const template = await createTemplate(tenant, {
    version: { subject: 'About {{trigger.form_data.topic}}' },
  });
  const steps = [{ key: 'mail', type: 'send_email', template_id: template }];
  const trigger = { form_data: { topic: 'lamps' } };
  const simulated = await simulate(steps, { subscriber: {}, trigger });
  assert.equal(simulated.steps[0]?.email?.subject, 'About lamps');
  const failed = await simulate(steps, { subscriber: {} });
  assert.deepEqual([failed.status, failed.steps[0]?.outcome], ['failed', 'failed']);
  assert.match(failed.steps[0]?.error ?? '', /trigger/);
});

test('the virtual clock ends with the year 9999, and an invalid start is refused', async () => {
  const wait = { key: 'long', type: 'wait', seconds: 3000 * DAY };
  const body = { subscriber: {}, start_at: '9990-01-01T00:00:00Z' };
  const simulated = await simulate([wait, { ...wait, key: 'longer' }], body);
  assert.deepEqual(outcomes(simulated), ['9998-03-20T00:00 long:waited', '9998-03-20T00:00 longer:failed']);
  assert.equal(simulated.status, 'failed');
  assert.match(simulated.steps[1]?.error ?? '', /year 9999/);
  const daily = { key: 'daily', type: 'wait', at: '09:00', timezone: 'Asia/Tokyo', next: 'daily' };
  const nine = await simulate([daily], { subscriber: {}, start_at: '9999-12-30T12:00:00Z' });
  assert.deepEqual(
    nine.steps.map(({ at, outcome }) => `${at} ${outcome}`),
    ['9999-12-31T00:00:00.000Z waited', '9999-12-31T00:00:00.000Z failed'],
  );
  const first = await simulate(series, { subscriber: {}, start_at: '0001-01-01T00:00:00Z' });
  assert.equal(first.status, 'exited');
  const path = `/api/journeys/${simulated.id}/simulate`;
  for (const start_at of ['10000-01-01', '9999-12-31T23:00:00-02:00', '0000-01-01', '2026-02-30', ''])
    await api.post(path, { subscriber: {}, start_at }, 400);
});

test('mails beyond 16 MiB are omitted from the reply, but their steps are listed', async () => {
  const html_content = `<p>${'x'.repeat(1024 * 1024)}</p>`;
  const large = await createTemplate(tenant, { version: { html_content } });
  const steps = Array.from({ length: 18 }, (_, n) => ({
    ...{ key: `mail${n}`, type: 'send_email', template_id: large },
  }));
  const simulated = await simulate(steps, { subscriber: {} });
  assert.ok(simulated.steps.every(({ outcome }) => outcome === 'sent'));
  assert.deepEqual([simulated.status, simulated.steps.length], ['completed', 18]);
  const shown = simulated.steps.filter(({ email }) => email !== undefined);
  assert.equal(shown.length, 15);
  assert.ok(shown.every(({ email }) => email?.html.includes(html_content)));
});

test('a cyclic journey ends, and an unknown subscriber is rejected', async () => {
  const circle = [
    { key: 'a', type: 'wait', seconds: 60 },
    { key: 'b', type: 'wait', seconds: 0, next: 'a' },
  ];
  const simulated = await simulate(circle, { subscriber: {} });
  assert.deepEqual([simulated.status, simulated.steps.length], ['failed', 1001]);
  const path = `/api/journeys/${simulated.id}/simulate`;
  await api.post(path, { subscriber_id: randomUUID() }, 404);
  for (const body of [
    {},
    { subscriber: {}, subscriber_id: randomUUID() },
    { subscriber: {}, start_at: 'soon' },
  ])
    assert.equal((await api.post(path, body, 400)).body.code, 'INVALID_REQUEST');
});
