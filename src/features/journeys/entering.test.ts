import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { createAutomation, endedRuns, LOG_TRIGGER } from '../../../test/harness/automations.ts';
import { createCampaign, createEmail, createListOf } from '../../../test/harness/campaigns.ts';
import {
  createJourney,
  createTemplate,
  enter,
  journeyBody,
  listStates,
  outcomesOf,
  passTime,
  untilEnded,
  untilState,
} from '../../../test/harness/journeys.ts';
import { createMailTenant, mailsTo } from '../../../test/harness/mail.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { defineTypes, subscriptionType } from '../../../test/harness/preferences.ts';
import { startRelay } from '../../../test/harness/relay.ts';
import { createForm, goodAnswers } from '../../../test/harness/sample-forms.ts';
import { createSubscriber, getSubscriber } from '../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const tenant = await createMailTenant(app);
const { api } = tenant;
await defineTypes(tenant, [subscriptionType('news'), subscriptionType('offers')]);
const template_id = await createTemplate(tenant);
const day = { key: 'day', type: 'wait', seconds: 86_400 };
const BROWSER = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/130.0' };

const newList = async () => String((await api.post('/api/lists', { name: 'L' })).body.id);

/** Waits until `count` subscribers are enrolled; returns their ids. */
const entered = (journeyId: string, count: number, withinMs?: number): Promise<string[]> =>
  eventually(
    `${count} people in the journey`,
    async () => {
      const found = await listStates(tenant, journeyId);
      return found.length >= count
        ? found.map((state: { subscriber_id: string }) => state.subscriber_id)
        : null;
    },
    withinMs,
  );

/** Waits until all signals are processed: a subscriber who joins later has entered. */
async function allProcessed(): Promise<void> {
  const list = await newList();
  const journeyId = await createJourney(tenant, [day], { trigger: { type: 'list_joined', list_id: list } });
  await createSubscriber({ api }, { lists: [list] });
  await entered(journeyId, 1);
}

/** Returns the paths of the links in a mail to an address. */
async function linksTo(address: string): Promise<string[]> {
  const mail = await eventually(
    `a mail to ${address}`,
    async () => (await mailsTo(relay, address))[0] ?? null,
  );
  return [...String(mail.html).matchAll(/(?:href|src)="([^"]+)"/g)].map(
    ([, url = '']) => new URL(url).pathname,
  );
}

const linkOf = async (address: string, kind: string) =>
  (await linksTo(address)).find((path) => path.startsWith(`/t/${kind}/`)) ?? '';

test('a subscriber who joins a list is enrolled once, whether created, changed or imported with it', async () => {
  const list = await newList();
  const trigger = { type: 'list_joined', list_id: list };
  const before = await createSubscriber({ api }, { lists: [list] });
  const journeyId = await createJourney(tenant, [day], { trigger });
  const created = await createSubscriber({ api }, { lists: [list] });
  const changed = await createSubscriber({ api });
  await api.put(`/api/subscribers/${changed.id}`, { ...changed.body, lists: [list] });
  await api.put(`/api/subscribers/${changed.id}`, { ...changed.body, lists: [list], last_name: 'L' });
  const asleep = await createSubscriber({ api }, { lists: [list], active: false, inactive_reason: 'Asleep' });
  assert.deepEqual((await entered(journeyId, 2)).sort(), [created.id, changed.id].sort());
  await allProcessed();
  const inside = await entered(journeyId, 2);
  assert.ok(!inside.includes(before.id) && !inside.includes(asleep.id));
  await api.put(`/api/subscribers/${asleep.id}`, { ...asleep.body, lists: [list], active: true });
  assert.ok(
    (await entered(journeyId, 3)).includes(asleep.id),
    'who joined while inactive enters when active',
  );
});

test('an import enrolls all subscribers that it adds to the list', async () => {
  const other = await newList();
  await createJourney(tenant, [day], { trigger: { type: 'list_joined', list_id: other } });
  const subscribers = 300;
  const { id: list } = (await api.post('/api/lists', { name: 'Imported' })).body;
  const journeyId = await createJourney(tenant, [day], { trigger: { type: 'list_joined', list_id: list } });
  const lines = Array.from({ length: subscribers }, (_, n) => `i${n}@import.example,I${n}`);
  await api.post(`/api/subscribers/import?mode=insert&list_id=${list}`, undefined, 200, {
    rawBody: `email,first_name\n${lines.join('\n')}\n`,
    headers: { 'content-type': 'text/csv' },
  });
  await eventually('everybody to enter', async () => {
    const { counts } = (await api.get(`/api/journeys/${journeyId}`)).body;
    return counts.active === subscribers;
  });
});

test('joining an audience enrolls a subscriber, computed or not; existing members are not enrolled', async () => {
  const filters = { last_name: { operation: 'eq', value: 'Audience' } };
  const { id: computed } = (await api.post('/api/audiences', { name: 'C', filters })).body;
  const { id: named } = (await api.post('/api/audiences', { name: 'N' })).body;
  await createSubscriber({ api }, { last_name: 'Audience' });
  await eventually(
    'the audience',
    async () => (await api.get(`/api/audiences/${computed}`)).body.subscriber_count === 1,
  );
  const of = (audience_id: string) => ({ trigger: { type: 'audience_entered', audience_id } });
  const [first, second] = [
    await createJourney(tenant, [day], of(computed)),
    await createJourney(tenant, [day], of(named)),
  ];
  const { id } = await createSubscriber({ api }, { last_name: 'Audience', audiences: [named] });
  assert.deepEqual(await entered(first, 1), [id]);
  assert.deepEqual(await entered(second, 1), [id]);
});

test('members of an audience that is still being computed when the journey is activated are not enrolled', async () => {
  const filters = { last_name: { operation: 'eq', value: 'Early' } };
  for (let created = 0; created < 3; created += 1) await createSubscriber({ api }, { last_name: 'Early' });
  const { id } = (await api.post('/api/audiences', { name: 'Early', filters })).body;
  const trigger = { type: 'audience_entered', audience_id: id };
  const journeyId = await createJourney(tenant, [day], { trigger });
  const counted = (count: number) =>
    eventually(
      `${count} in the audience`,
      async () => (await api.get(`/api/audiences/${id}`)).body.subscriber_count === count,
    );
  await counted(3);
  const { id: late } = await createSubscriber({ api }, { last_name: 'Early' });
  assert.deepEqual(await entered(journeyId, 1), [late]);
  await allProcessed();
  assert.deepEqual(await entered(journeyId, 1), [late]);
  // Other filters add the subscribers who meet only these.
  const other = await createSubscriber({ api }, { last_name: 'Other' });
  const either = { last_name: { operation: 'in', value: ['Early', 'Other'] } };
  await api.put(`/api/audiences/${id}`, { name: 'Early', filters: either });
  assert.ok((await entered(journeyId, 2)).includes(other.id));
});

test('joining before the activation of a journey does not enroll when the signal is processed afterwards', async () => {
  const list = await newList();
  const before = await createSubscriber({ api });
  const journeyId = await createJourney(tenant, [day], { trigger: { type: 'list_joined', list_id: list } });
  const joined = new Date(Date.now() - 60_000);
  await app.app.platform.database.everyTenant('tests').raw(sql`
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at)
    values (${tenant.tenantId}, ${randomUUID()}, ${tenant.tenantId}, 'pending', 'epoch', 0, 'list_joined', ${before.id}, ${list},
      ${joined})`);
  const after = await createSubscriber({ api }, { lists: [list] });
  await entered(journeyId, 1);
  await allProcessed();
  assert.deepEqual(await entered(journeyId, 1), [after.id]);
});

test('a reactivated subscriber is not enrolled for joining before the activation, nor twice', async () => {
  const list = await newList();
  const { id: audience } = (await api.post('/api/audiences', { name: 'N' })).body;
  const named = {
    ...{ lists: [list], audiences: [audience] },
    subscription_updates: [{ subscription_type_id: 'news', subscribe: true }],
  };
  const before = await createSubscriber({ api }, named);
  const journeys: string[] = [];
  for (const trigger of [
    { type: 'list_joined', list_id: list },
    { type: 'audience_entered', audience_id: audience },
    { type: 'subscribed', subscription_type_id: 'news' },
  ]) {
    const now = [{ key: 'now', type: 'wait', seconds: 0 }];
    const more = { trigger, re_entry: 'after_exit' };
    const journeyId = await createJourney(tenant, now, more);
    // A new version of an active journey keeps its start time.
    await api.put(`/api/journeys/${journeyId}`, journeyBody(now, { ...more, name: 'Again' }));
    journeys.push(journeyId);
  }
  const after = await createSubscriber({ api }, named);
  for (const journeyId of journeys) assert.deepEqual(await entered(journeyId, 1), [after.id]);
  for (const { id, body } of [before, after]) {
    await api.put(`/api/subscribers/${id}`, { ...body, active: false, inactive_reason: 'Asleep' });
    await allProcessed();
    await api.put(`/api/subscribers/${id}`, { ...body, active: true });
  }
  await allProcessed();
  for (const journeyId of journeys) assert.deepEqual(await entered(journeyId, 1), [after.id]);
});

test('a subscriber who subscribes to a type is enrolled', async () => {
  const trigger = { type: 'subscribed', subscription_type_id: 'news' };
  const journeyId = await createJourney(tenant, [day], { trigger });
  const choose = (type: string) => ({
    subscription_updates: [{ subscription_type_id: type, subscribe: true }],
  });
  await createSubscriber({ api }, choose('offers'));
  const created = await createSubscriber({ api }, choose('news'));
  const changed = await createSubscriber({ api });
  await api.put(`/api/subscribers/${changed.id}`, { ...changed.body, ...choose('news') });
  assert.deepEqual((await entered(journeyId, 2)).sort(), [created.id, changed.id].sort());
});

test('a submission enrolls its subscriber, through its form or an action, and records it', async () => {
  const mapped = await createForm(api, {
    subscriber_mapping: {
      enabled: true,
      first_name: 'full_name',
      lists: [],
      audiences: [],
      subscription_type_ids: [],
    },
  });
  const byForm = await createJourney(tenant, [day], {
    trigger: { type: 'form_submission', form_code: mapped },
  });
  const submit = async (form_code: string, email_address: string) => {
    const body = { form_code, email_address, form_data: goodAnswers };
    const { submission_id } = (await api.post('/api/form_submissions', body)).body;
    return (await api.get(`/api/form_submissions/${submission_id}`)).body;
  };
  const submission = await submit(mapped, 'mapped@example.com');
  assert.equal(submission.journey_triggered, true);
  assert.deepEqual(
    submission.events.map(({ type }: { type: string }) => type),
    ['received', 'subscriber', 'journey'],
  );
  const [person = ''] = await entered(byForm, 1);
  assert.equal((await getSubscriber({ api }, person)).email, 'mapped@example.com');
  assert.equal((await submit(mapped, 'mapped@example.com')).journey_triggered, false);
  const byAction = await createJourney(tenant, [
    {
      key: 'mail',
      type: 'send_email',
      template_id: await createTemplate(tenant, {
        version: { subject: '{{trigger.form_data.full_name}} by {{trigger.form_code}}' },
      }),
    },
  ]);
  const unmapped = await createForm(api, {
    post_submit_actions: [{ type: 'trigger_journey', journey_id: byAction }],
  });
  assert.equal((await submit(unmapped, 'nobody@example.com')).journey_triggered, false);
  const known = await createSubscriber({ api });
  assert.equal((await submit(unmapped, known.body.email)).journey_triggered, true);
  const mail = await eventually('the mail', async () => (await mailsTo(relay, known.body.email))[0] ?? null);
  assert.equal(mail.subject, `Ada Lovelace by ${unmapped}`);
});

test('opens, clicks, views and purchases enroll their subscriber, with any spelling of the email id', async () => {
  const { listId, subscribers } = await createListOf(tenant, 1);
  const [person = { id: '', email: '' }] = subscribers;
  const email = await createEmail(tenant, await createCampaign(tenant), { list_ids: [listId] });
  const subject = 'By {{trigger.type}} of {{trigger.amount}}';
  const tell = { key: 'tell', type: 'send_email', template_id, subject };
  const of = (event_type: string, marketing_email_id?: string) =>
    createJourney(tenant, event_type === 'purchase' ? [tell, day] : [day], {
      trigger: { type: 'event', event_type, ...(marketing_email_id && { marketing_email_id }) },
    });
  const [opened, clicked, bought, elsewhere] = [
    await of('open', email.id),
    await of('click'),
    await of('purchase', email.id.toUpperCase()),
    await of('click', '01900000-0000-7000-8000-000000000000'),
  ];
  await api.get(`${email.path}/process`);
  await app.anonymous.get(await linkOf(person.email, 'o'), 200, { headers: BROWSER });
  assert.deepEqual(await entered(opened, 1), [person.id]);
  await app.anonymous.get(await linkOf(person.email, 'c'), 302, { headers: BROWSER });
  assert.deepEqual(await entered(clicked, 1), [person.id]);
  const events = [{ type: 'purchase', subscriber_id: person.id, marketing_email_id: email.id, amount: 5 }];
  await api.post('/api/marketing_events', { events });
  assert.deepEqual(await entered(bought, 1), [person.id]);
  const said = await eventually('the mail', async () =>
    (await mailsTo(relay, person.email)).find(({ subject }) => subject?.startsWith('By ')),
  );
  assert.equal(said.subject, 'By purchase of 5');
  assert.deepEqual(await listStates(tenant, elsewhere), []);
});

test('an open or a click wakes only enrollments that wait for that message', async () => {
  const steps = [
    { key: 'other', type: 'send_email', template_id, subject: 'Other' },
    { key: 'mail', type: 'send_email', template_id, subject: 'Awaited' },
    {
      key: 'opened',
      type: 'wait_for',
      event: 'open',
      step: 'mail',
      timeout_seconds: 3600,
      on_timeout: 'never',
    },
    { key: 'followed', type: 'wait_for', event: 'click', step: 'mail', timeout_seconds: 3600 },
    { key: 'bye', type: 'exit' },
    { key: 'never', type: 'exit' },
  ];
  const journeyId = await createJourney(tenant, steps);
  const { id, body } = await createSubscriber({ api });
  const stateId = await enter(tenant, journeyId, id);
  const mails = await eventually('both mails', async () => {
    const found = await mailsTo(relay, body.email);
    return found.length === 2 ? found : null;
  });
  const follow = async (subject: string, kind: string, status: number) => {
    const html = String(mails.find((mail) => mail.subject === subject)?.html);
    const url = new RegExp(`"([^"]*/t/${kind}/[^"]+)"`).exec(html)?.[1] ?? '';
    await app.anonymous.get(new URL(url).pathname, status, { headers: BROWSER });
  };
  await untilState(tenant, journeyId, stateId, ({ current_step }) => current_step === 'opened');
  await follow('Other', 'o', 200);
  await allProcessed();
  await follow('Awaited', 'o', 200);
  await untilState(tenant, journeyId, stateId, ({ current_step }) => current_step === 'followed');
  await follow('Awaited', 'c', 302);
  const state = await untilEnded(tenant, journeyId, stateId);
  assert.equal(outcomesOf(state), 'other:sent mail:sent opened:event followed:event bye:exited');
});

test('a wait for an event ends at its timeout', async () => {
  const journeyId = await createJourney(tenant, [
    {
      key: 'bought',
      type: 'wait_for',
      event: 'purchase',
      timeout_seconds: 0.3,
      on_event: 'yes',
      on_timeout: 'no',
    },
    { key: 'yes', type: 'exit' },
    { key: 'no', type: 'exit' },
  ]);
  const { id } = await createSubscriber({ api });
  const state = await untilEnded(tenant, journeyId, await enter(tenant, journeyId, id));
  assert.equal(outcomesOf(state), 'bought:timeout no:exited');
});

test('purchases count from the arrival, and submissions by their form', async () => {
  const form = await createForm(api);
  const other = await createForm(api);
  const journeyId = await createJourney(tenant, [
    { key: 'bought', type: 'wait_for', event: 'purchase', timeout_seconds: 3600 },
    { key: 'asked', type: 'wait_for', event: 'form_submission', form_code: form, timeout_seconds: 3600 },
  ]);
  const { id, body } = await createSubscriber({ api });
  const buy = (occurred_at?: string) =>
    api.post('/api/marketing_events', { events: [{ type: 'purchase', subscriber_id: id, occurred_at }] });
  const stateId = await enter(tenant, journeyId, id);
  await untilState(tenant, journeyId, stateId, ({ due_at }) => due_at !== null);
  await buy('2020-01-01T00:00:00Z');
  await allProcessed();
  assert.equal((await untilState(tenant, journeyId, stateId, () => true)).current_step, 'bought');
  await buy();
  await untilState(tenant, journeyId, stateId, ({ current_step }) => current_step === 'asked');
  for (const form_code of [other, form])
    await api.post('/api/form_submissions', { form_code, email_address: body.email, form_data: goodAnswers });
  const state = await untilEnded(tenant, journeyId, stateId);
  assert.equal(outcomesOf(state), 'bought:event asked:event');
});

test('a purchase in the future counts as now', async () => {
  const wait = { type: 'wait_for', event: 'purchase', timeout_seconds: 3600 };
  const steps = ['first', 'second', 'third'].map((key) => ({ ...wait, key }));
  const trigger = { type: 'event', event_type: 'purchase' };
  const journeyId = await createJourney(tenant, steps, { trigger });
  const { id } = await createSubscriber({ api });
  const buyTomorrow = () => {
    const occurred_at = new Date(Date.now() + 86_400_000).toISOString();
    return api.post('/api/marketing_events', {
      events: [{ type: 'purchase', subscriber_id: id, occurred_at }],
    });
  };
  await buyTomorrow();
  const [{ id: stateId }] = await eventually('the state', async () => {
    const states = await listStates(tenant, journeyId);
    return states.length > 0 && states;
  });
  await allProcessed();
  assert.equal((await untilState(tenant, journeyId, stateId, () => true)).current_step, 'first');
  await buyTomorrow();
  await untilState(tenant, journeyId, stateId, ({ current_step }) => current_step === 'second');
  await allProcessed();
  assert.equal((await untilState(tenant, journeyId, stateId, () => true)).current_step, 'second');
});

test('the submission that enrolls a subscriber does not satisfy the wait of their first step', async () => {
  const form = await createForm(api);
  const wait = { key: 'again', type: 'wait_for', event: 'form_submission', timeout_seconds: 3600 };
  const journeyId = await createJourney(tenant, [{ ...wait, form_code: form }], {
    trigger: { type: 'form_submission', form_code: form },
  });
  const { id, body } = await createSubscriber({ api });
  const submit = () =>
    api.post('/api/form_submissions', {
      ...{ form_code: form, email_address: body.email, form_data: goodAnswers },
    });
  await submit();
  await allProcessed();
  // Enrollments that were woken before have continued when another one completes.
  const other = await createJourney(tenant, [{ key: 'now', type: 'wait', seconds: 0 }]);
  await untilEnded(tenant, other, await enter(tenant, other, id));
  const [state] = await listStates(tenant, journeyId);
  assert.deepEqual([state.status, state.history], ['active', []]);
  await submit();
  assert.equal(outcomesOf(await untilEnded(tenant, journeyId, state.id)), 'again:event');
});

test('only the answers of a submission are omitted if it is too large for each mail', async () => {
  const form = await createForm(api, {
    formBuilderOptions: { pages: [{ elements: [{ type: 'comment', name: 'story' }] }] },
  });
  const subject =
    '{{trigger.type}} by {{trigger.email_address}} {{#if trigger.form_data}}with answers{{/if}}';
  const mail = await createTemplate(tenant, { version: { subject } });
  const journeyId = await createJourney(tenant, [{ key: 'mail', type: 'send_email', template_id: mail }], {
    trigger: { type: 'form_submission', form_code: form },
  });
  const { body } = await createSubscriber({ api });
  await api.post('/api/form_submissions', {
    ...{ form_code: form, email_address: body.email, form_data: { story: 'x'.repeat(100_000) } },
  });
  await entered(journeyId, 1);
  const sent = await eventually('the mail', async () => (await mailsTo(relay, body.email))[0] ?? null);
  assert.equal(sent.subject?.trim(), `form_submission by ${body.email}`);
});

test('no later mail contains an erased submission', async () => {
  const form = await createForm(api);
  const subject = 'Hello {{#if trigger.form_data}}{{trigger.form_data.full_name}}{{else}}you{{/if}}';
  const mail = await createTemplate(tenant, { version: { subject } });
  const steps = [day, { key: 'mail', type: 'send_email', template_id: mail }];
  const trigger = { type: 'form_submission', form_code: form };
  const journeyId = await createJourney(tenant, steps, { trigger });
  const [erased, kept] = [await createSubscriber({ api }), await createSubscriber({ api })];
  for (const { body } of [erased, kept])
    await api.post('/api/form_submissions', {
      ...{ form_code: form, email_address: body.email, form_data: goodAnswers },
    });
  await entered(journeyId, 2);
  await api.post('/api/form_submissions/erase', { email_address: erased.body.email });
  for (const { id } of await listStates(tenant, journeyId))
    await passTime(app, tenant, [journeyId, id], 86_400);
  const subjectTo = ({ body: { email } }: typeof kept) =>
    eventually('the mail', async () => (await mailsTo(relay, email))[0]?.subject ?? null);
  assert.equal(await subjectTo(erased), 'Hello you');
  assert.equal(await subjectTo(kept), 'Hello Ada Lovelace');
});

test('inactive journeys and journeys of other units enroll no subscriber', async () => {
  const list = await newList();
  const trigger = { type: 'list_joined', list_id: list };
  const journeyId = await createJourney(tenant, [day], { trigger });
  await api.put(`/api/journeys/${journeyId}`, journeyBody([day], { trigger, active: false }));
  await createSubscriber({ api }, { lists: [list] });
  await allProcessed();
  await api.put(`/api/journeys/${journeyId}`, journeyBody([day], { trigger }));
  const { bu_id } = (await api.post('/api/client/v1/business-units', { name: 'Other unit' })).body;
  await createSubscriber({ api }, { lists: [list], business_unit: bu_id });
  const { id } = await createSubscriber({ api }, { lists: [list] });
  await allProcessed();
  assert.deepEqual(await entered(journeyId, 1), [id]);
});

test('an automation enrolls a subscriber, and continues if they may not enter', async () => {
  const journeyId = await createJourney(tenant, [day]);
  const { id } = await createSubscriber({ api });
  const enters = {
    ...{ key: 'enter', name: 'Enter', actionTypeKey: 'triggerJourney' },
    params: { journey_id: '{{trigger.journey}}', subscriber_id: id },
  };
  await createAutomation(api, 'enters', {
    ...{ triggerType: 'webhook', triggerParams: {} },
    actions: [enters, LOG_TRIGGER],
  });
  const run = async (journey: string, count: number) => {
    await api.post('/api/automations/enters/run', { trigger: { journey } }, 202);
    const [latest] = await endedRuns(api, 'enters', count);
    return [latest?.status, Object(latest?.actions[0]?.result).state_id];
  };
  const [status, stateId] = await run(journeyId, 1);
  assert.deepEqual([status, (await listStates(tenant, journeyId))[0]?.id], ['succeeded', stateId]);
  assert.deepEqual(await run(journeyId, 2), ['succeeded', null]);
  const inactive = await createJourney(tenant, [day], { active: false });
  assert.deepEqual(await run(inactive, 3), ['succeeded', null]);
});
