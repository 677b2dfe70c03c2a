import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import {
  branch,
  createJourney,
  createTemplate,
  enter,
  getState,
  journeyBody,
  listStates,
  outcomesOf,
  passTime,
  untilEnded,
  untilState,
} from '../../../test/harness/journeys.ts';
import { waitForLock } from '../../../test/harness/lock-waits.ts';
import { createMailTenant } from '../../../test/harness/mail.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { createSubscriber } from '../../../test/harness/subscribers.ts';
import { startTestApp } from '../../../test/harness/test-app.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { unparkStates } from './states/state-writes.ts';

const app = await startTestApp();
const { database } = app.app.platform;
const tenant = await createMailTenant(app);
const { api, defaultUnitId } = tenant;
const day = { key: 'day', type: 'wait', seconds: 86_400 };

async function createForm(): Promise<string> {
  const { body } = await api.post('/api/forms', {
    name: 'F',
    form_type: 'embedded_form',
    active: true,
    allowed_origins: [],
    formBuilderOptions: { pages: [{ elements: [{ type: 'text', name: 'word' }] }] },
  });
  return body.code;
}

test('a journey is created, read with its counts, replaced and deleted; each version stays readable', async () => {
  const { body } = await api.post('/api/journeys', journeyBody([day], { re_entry: { after_days: 3 } }));
  assert.deepEqual(Object.keys(body), ['id']);
  const path = `/api/journeys/${body.id}`;
  const { created_at, updated_at, ...read } = (await api.get(path)).body;
  assert.deepEqual(read, {
    ...{ id: body.id, name: 'Welcome', active: true, trigger: { type: 'manual' }, steps: [day] },
    ...{ re_entry: { after_days: 3 }, business_unit: defaultUnitId, version: 1 },
    counts: { active: 0, completed: 0, exited: 0, failed: 0 },
  });
  assert.equal(updated_at, created_at);
  const replaced = await api.put(path, journeyBody([day], { name: 'Hello', active: false, version: 1 }));
  assert.deepEqual(replaced.body, { id: body.id });
  const next = (await api.get(path)).body;
  const { re_entry } = read;
  assert.deepEqual([next.name, next.active, next.version, next.re_entry], ['Hello', false, 2, re_entry]);
  await api.put(path, journeyBody([day], { version: 1 }), 409);
  assert.deepEqual((await api.delete(path)).body, { id: body.id });
  await api.get(path, 404);
  const key = `entityType=user_journey&entitySortKey=${body.id}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.deepEqual(
    versions.map(({ data }: { data: { name: string } }) => data.name),
    ['Welcome', 'Hello'],
  );
});

test('a list searches names and filters by name, activity and time', async () => {
  const own = await app.createTenant();
  for (const name of ['Spring', 'Spring sale', 'Autumn'])
    await createJourney(own, [day], { name, active: name !== 'Spring' });
  const list = async (more: object) =>
    (await own.api.post('/api/journeys/list', { page: 1, limit: 10, ...more })).body;
  const names = (answer: { results: { name: string }[] }) => answer.results.map(({ name }) => name);
  const all = await list({});
  assert.deepEqual(names(all), ['Autumn', 'Spring sale', 'Spring']);
  assert.deepEqual([all.total, all.totalPages], [3, 1]);
  assert.deepEqual(all.results[0].counts, { active: 0, completed: 0, exited: 0, failed: 0 });
  assert.deepEqual(names(await list({ search: 'spring' })), ['Spring sale', 'Spring']);
  assert.deepEqual(names(await list({ filters: { active: { operation: 'eq', value: false } } })), ['Spring']);
  assert.equal((await list({ filters: { created_at: { operation: 'lt', value: '2020-01-01' } } })).total, 0);
  const refused = await own.api.post(
    '/api/journeys/list',
    { page: 1, limit: 10, filters: { colour: { operation: 'eq', value: 1 } } },
    400,
  );
  assert.equal(refused.body.issues[0].field, 'filters.colour');
});

const step = (more: object) => ({ key: 'a', type: 'wait', seconds: 1, ...more });
const mail = (more: object) => ({ key: 'a', type: 'send_email', template_id: randomUUID(), ...more });
for (const [what, change, field] of [
  ['no name', { name: undefined }, 'name'],
  ['no activity', { active: undefined }, 'active'],
  ['no trigger', { trigger: undefined }, 'trigger'],
  ['an unknown trigger', { trigger: { type: 'moon' } }, 'trigger.type'],
  ['an unknown form', { trigger: { type: 'form_submission', form_code: 'none' } }, 'trigger.form_code'],
  ['no form', { trigger: { type: 'form_submission' } }, 'trigger.form_code'],
  ['an unknown list', { trigger: { type: 'list_joined', list_id: randomUUID() } }, 'trigger.list_id'],
  [
    'an unknown audience',
    { trigger: { type: 'audience_entered', audience_id: 'none' } },
    'trigger.audience_id',
  ],
  [
    'an unknown type',
    { trigger: { type: 'subscribed', subscription_type_id: 'none' } },
    'trigger.subscription_type_id',
  ],
  ['an unknown event', { trigger: { type: 'event', event_type: 'sneeze' } }, 'trigger.event_type'],
  ['no steps', { steps: [] }, 'steps'],
  ['an unknown step', { steps: [step({ type: 'dance' })] }, 'steps[0].type'],
  ['a bad key', { steps: [step({ key: 'a b' })] }, 'steps[0].key'],
  ['a key twice', { steps: [step({}), step({})] }, 'steps[1].key'],
  ['an unknown next step', { steps: [step({ next: 'b' })] }, 'steps[0].next'],
  [
    'a step that is passed over',
    { steps: [step({ next: 'c' }), step({ key: 'b' }), step({ key: 'c' })] },
    'steps[1].key',
  ],
  ['a step after an exit', { steps: [{ key: 'a', type: 'exit' }, step({ key: 'b' })] }, 'steps[1].key'],
  ['a wait of no form', { steps: [step({ seconds: undefined })] }, 'steps[0].seconds'],
  ['a wait of two forms', { steps: [step({ until: '2030-01-01' })] }, 'steps[0].until'],
  ['a negative wait', { steps: [step({ seconds: -1 })] }, 'steps[0].seconds'],
  ['a wait until no time', { steps: [step({ seconds: undefined, until: 'soon' })] }, 'steps[0].until'],
  [
    'a wait for no time of the day',
    { steps: [step({ seconds: undefined, at: '25:00', timezone: 'UTC' })] },
    'steps[0].at',
  ],
  ['a wait without a zone', { steps: [step({ seconds: undefined, at: '09:00' })] }, 'steps[0].timezone'],
  [
    'a wait in no zone',
    { steps: [step({ seconds: undefined, at: '09:00', timezone: 'Mars/Olympus' })] },
    'steps[0].timezone',
  ],
  [
    'an eighth weekday',
    { steps: [step({ seconds: undefined, at: '09:00', timezone: 'UTC', weekdays: [8] })] },
    'steps[0].weekdays[0]',
  ],
  [
    'percents that make no whole',
    { steps: [{ key: 'a', type: 'split', branches: [{ percent: 50, to: 'b' }] }, step({ key: 'b' })] },
    'steps[0].branches',
  ],
  [
    'a split to nowhere',
    { steps: [{ key: 'a', type: 'split', branches: [{ percent: 100, to: 'b' }] }] },
    'steps[0].branches[0].to',
  ],
  ['an unknown branch', { steps: [branch('a', {}, { met: 'b' })] }, 'steps[0].then'],
  [
    'a filter that there is not',
    { steps: [branch('a', { colour: { operation: 'eq', value: 1 } }, {})] },
    'steps[0].filters.colour',
  ],
  [
    'engagement that cannot be',
    { steps: [branch('a', { engagement: { opened_since_days: 0 } }, {})] },
    'steps[0].filters.engagement.opened_since_days',
  ],
  ['an unknown template', { steps: [mail({})] }, 'steps[0].template_id'],
  ['an unverified sender', { steps: [mail({ from_email: 'a@elsewhere.example' })] }, 'steps[0].from_email'],
  ['a sender that is none', { steps: [mail({ from_email: 'nobody' })] }, 'steps[0].from_email'],
  [
    'an unknown type of mail',
    { steps: [mail({ subscription_type_id: 'no' })] },
    'steps[0].subscription_type_id',
  ],
  [
    'an event that there is not',
    { steps: [{ key: 'a', type: 'wait_for', event: 'sneeze', timeout_seconds: 1 }] },
    'steps[0].event',
  ],
  [
    'a mail that is none',
    { steps: [step({}), { key: 'b', type: 'wait_for', event: 'open', step: 'a', timeout_seconds: 1 }] },
    'steps[1].step',
  ],
  ['no timeout', { steps: [{ key: 'a', type: 'wait_for', event: 'open' }] }, 'steps[0].timeout_seconds'],
  [
    'an unknown awaited form',
    { steps: [{ key: 'a', type: 'wait_for', event: 'form_submission', form_code: 'x', timeout_seconds: 1 }] },
    'steps[0].form_code',
  ],
  [
    'an unknown list to join',
    { steps: [{ key: 'a', type: 'update_subscriber', add_lists: ['x'] }] },
    'steps[0].add_lists[0]',
  ],
  [
    'a branch by an unknown list',
    { steps: [branch('a', { lists: { operation: 'in', value: [randomUUID()] } }, {})] },
    'steps[0].filters.lists.value',
  ],
  [
    'a branch by an unknown list in a group',
    { steps: [branch('a', { any: [{ lists: { in: [randomUUID()] } }] }, {})] },
    'steps[0].filters.any[0].lists.value',
  ],
  [
    'an expression that is none',
    { steps: [{ key: 'a', type: 'http_request', method: 'GET', url: 'https://{{a b}}.example' }] },
    'steps[0].url',
  ],
  ['an unknown rule of entering', { re_entry: 'always' }, 're_entry'],
] as const) {
  test(`a journey with ${what} is rejected by name`, async () => {
    const { body } = await api.post('/api/journeys', { ...journeyBody([day]), ...change }, 400);
    assert.equal(body.code, 'INVALID_REQUEST');
    assert.ok(
      body.issues.some((issue: { field: string }) => issue.field === field),
      JSON.stringify(body.issues),
    );
  });
}

test('a subscriber is enrolled once, and again only if re_entry allows it', async () => {
  const { id } = await createSubscriber({ api });
  const never = await createJourney(tenant, [{ key: 'bye', type: 'exit' }]);
  await untilEnded(tenant, never, await enter(tenant, never, id));
  const refused = await api.post(`/api/journeys/${never}/enter`, { subscriber_id: id }, 409);
  assert.equal(refused.body.code, 'ALREADY_IN_JOURNEY');
  const again = await createJourney(tenant, [day], { re_entry: 'after_exit' });
  const first = await enter(tenant, again, id);
  await api.post(`/api/journeys/${again}/enter`, { subscriber_id: id }, 409);
  await api.post(`/api/journeys/${again}/states/${first}/exit`, undefined);
  const { query } = app.app.platform.database.everyTenant('tests');
  // Its end was set by a clock that is ahead.
  const ahead = new Date(Date.now() + 60_000);
  await query.updateTable('journey_states').set({ finished_at: ahead }).where('id', '=', first).execute();
  assert.notEqual(await enter(tenant, again, id), first);
  const later = await createJourney(tenant, [{ key: 'bye', type: 'exit' }], { re_entry: { after_days: 1 } });
  await untilEnded(tenant, later, await enter(tenant, later, id));
  await api.post(`/api/journeys/${later}/enter`, { subscriber_id: id }, 409);
  const { results } = (await api.post(`/api/journeys/${again}/states/list`, { page: 1, limit: 10 })).body;
  assert.equal(results.length, 2);
});

test('a subscriber enters a journey at most 20 times an hour', async () => {
  const { id } = await createSubscriber({ api });
  const journeyId = await createJourney(tenant, [{ key: 'bye', type: 'exit' }], { re_entry: 'after_exit' });
  for (let entry = 0; entry < 20; entry += 1)
    await untilEnded(tenant, journeyId, await enter(tenant, journeyId, id));
  const refused = await api.post(`/api/journeys/${journeyId}/enter`, { subscriber_id: id }, 409);
  assert.equal(refused.body.code, 'ALREADY_IN_JOURNEY');
  const { id: other } = await createSubscriber({ api });
  await enter(tenant, journeyId, other);
});

test('unknown and inactive subscribers and those of another unit cannot be enrolled; an inactive journey accepts none', async () => {
  const journeyId = await createJourney(tenant, [day]);
  const path = `/api/journeys/${journeyId}/enter`;
  const { body } = await createSubscriber({ api });
  const { state_id } = (await api.post(path, { email: ` ${body.email.toUpperCase()} ` })).body;
  assert.equal((await getState(tenant, journeyId, state_id)).status, 'active');
  await api.post(path, { email: 'nobody@example.com' }, 404);
  await api.post(path, { subscriber_id: randomUUID() }, 404);
  await api.post(path, {}, 400);
  const { id: inactive } = await createSubscriber({ api }, { active: false, inactive_reason: 'Asked' });
  assert.equal((await api.post(path, { subscriber_id: inactive }, 409)).body.code, 'INVALID_STATUS');
  const { bu_id } = (await api.post('/api/client/v1/business-units', { name: 'Elsewhere' })).body;
  const { id: elsewhere } = await createSubscriber({ api }, { business_unit: bu_id });
  await api.post(path, { subscriber_id: elsewhere }, 404);
  await api.put(`/api/journeys/${journeyId}`, journeyBody([day], { active: false }));
  const { id } = await createSubscriber({ api });
  assert.equal((await api.post(path, { subscriber_id: id }, 409)).body.code, 'INVALID_STATUS');
  await api.post(`/api/journeys/${randomUUID()}/enter`, { subscriber_id: id }, 404);
});

test('enrollments are listed, read and ended, and each version stays readable', async () => {
  const journeyId = await createJourney(tenant, [{ key: 'first', type: 'wait', seconds: 0 }, day]);
  const [ada, grace] = [await createSubscriber({ api }), await createSubscriber({ api })];
  const [a, b] = [await enter(tenant, journeyId, ada.id), await enter(tenant, journeyId, grace.id)];
  const state = await untilState(tenant, journeyId, a, ({ current_step }) => current_step === 'day');
  await untilState(tenant, journeyId, b, ({ current_step }) => current_step === 'day');
  const { entered_at, history, due_at, version, ...rest } = state;
  assert.deepEqual(rest, {
    ...{ id: a, journey_id: journeyId, journey_version: 1, subscriber_id: ada.id, status: 'active' },
    ...{ current_step: 'day', finished_at: null, error: null },
  });
  assert.equal(outcomesOf(state), 'first:waited');
  const wait = new Date(due_at).getTime() - new Date(entered_at).getTime();
  assert.ok(wait >= 86_400_000 && wait < 86_460_000, due_at);
  const ids = async (filters: object) =>
    (await listStates(tenant, journeyId, filters)).map(({ id }: { id: string }) => id);
  assert.deepEqual(await ids({}), [b, a]);
  assert.deepEqual(await ids({ subscriber_id: { operation: 'eq', value: ada.id } }), [a]);
  assert.deepEqual(await ids({ current_step: { operation: 'eq', value: 'first' } }), []);
  assert.deepEqual(await ids({ status: { operation: 'in', value: ['active'] } }), [b, a]);
  const ofOther = { page: 1, limit: 10, filters: { journey_id: { operation: 'eq', value: journeyId } } };
  const refused = await api.post(`/api/journeys/${journeyId}/states/list`, ofOther, 400);
  assert.equal(refused.body.issues[0].field, 'filters.journey_id');
  const exit = `/api/journeys/${journeyId}/states/${a}/exit`;
  assert.deepEqual((await api.post(exit, undefined)).body, { id: a });
  assert.equal((await api.post(exit, undefined, 409)).body.code, 'INVALID_STATUS');
  const ended = await getState(tenant, journeyId, a);
  assert.deepEqual([ended.status, ended.current_step, ended.due_at], ['exited', null, null]);
  assert.equal(outcomesOf(ended), 'first:waited day:exited');
  assert.ok(ended.finished_at >= entered_at);
  assert.deepEqual((await api.get(`/api/journeys/${journeyId}`)).body.counts, {
    ...{ active: 1, completed: 0, exited: 1, failed: 0 },
  });
  const key = `entityType=user_journey_state&entitySortKey=${a}`;
  const versions = (await api.get(`/api/entity/versions?${key}`)).body;
  assert.equal(versions.length, version + 1);
  assert.deepEqual(versions.at(-1).data, ended);
  const other = await createJourney(tenant, [day]);
  await api.get(`/api/journeys/${other}/states/${b}`, 404);
  await api.post(`/api/journeys/${other}/states/${b}/exit`, undefined, 404);
});

test('references of an active journey cannot be deleted, those of an inactive one can', async () => {
  const { id: listId } = (await api.post('/api/lists', { name: 'Named' })).body;
  const { id: audienceId } = (await api.post('/api/audiences', { name: 'Named' })).body;
  const template_id = await createTemplate(tenant);
  const code = await createForm();
  const steps = [
    { key: 'mail', type: 'send_email', template_id },
    { key: 'heard', type: 'wait_for', event: 'form_submission', form_code: code, timeout_seconds: 60 },
    { key: 'mark', type: 'update_subscriber', remove_lists: [listId] },
  ];
  const trigger = { type: 'audience_entered', audience_id: audienceId };
  const journeyId = await createJourney(tenant, steps, { trigger });
  const named = [
    `/api/lists/${listId}`,
    `/api/audiences/${audienceId}`,
    `/api/templates/${template_id}`,
    `/api/forms/${code}`,
  ];
  for (const path of named) {
    const { body } = await api.delete(path, 409);
    const { code, message } = body.error ?? body;
    assert.equal(code, 'IN_USE', path);
    assert.ok(message.includes('active journey') && message.includes(journeyId), message);
    await api.get(path);
  }
  await api.put(`/api/journeys/${journeyId}`, journeyBody(steps, { trigger, active: false }));
  for (const path of named) await api.delete(path);
});

test('a journey that references a resource that is being deleted waits, and is then refused', {
  skip: database.kind === 'embedded' && 'two transactions at once need TEST_DATABASE_URL',
}, async () => {
  const template_id = await createTemplate(tenant);
  const form_code = await createForm();
  const mailing = journeyBody([{ key: 'mail', type: 'send_email', template_id }]);
  const formed = journeyBody([day], { trigger: { type: 'form_submission', form_code } });
  for (const [removal, body, field] of [
    [
      sql`delete from email_templates where tenant_id = ${tenant.tenantId} and id = ${template_id}`,
      mailing,
      'steps[0].template_id',
    ],
    [
      sql`delete from forms where tenant_id = ${tenant.tenantId} and code = ${form_code}`,
      formed,
      'trigger.form_code',
    ],
  ] as const) {
    const { creating } = await database
      .forTenant(tenant.tenantId)
      .transaction()
      .execute(async (query) => {
        await removal.execute(query);
        const call = api.send('POST', '/api/journeys', { body });
        await waitForLock(`the journey to wait for ${field}`, database);
        return { creating: call };
      });
    const { status, body: refused } = await creating;
    assert.deepEqual([status, refused.issues[0].field], [400, field]);
  }
});

test('deleting a journey ends and deletes its enrollments; their history stays', async () => {
  const journeyId = await createJourney(tenant, [day]);
  const { id } = await createSubscriber({ api });
  const stateId = await enter(tenant, journeyId, id);
  await api.delete(`/api/journeys/${journeyId}`);
  await api.get(`/api/journeys/${journeyId}/states/${stateId}`, 404);
  const key = `entityType=user_journey_state&entitySortKey=${stateId}`;
  const last = await eventually('the end of the state', async () => {
    const versions = (await api.get(`/api/entity/versions?${key}`)).body;
    return versions.find(({ data }: { data: { status: string } }) => data.status === 'exited') ?? null;
  });
  assert.equal(outcomesOf(last.data), 'day:exited');
});

test('an enrollment continues with the version with which it began', async () => {
  const first = [
    { key: 'pause', type: 'wait', seconds: 60 },
    { key: 'old', type: 'wait', seconds: 0 },
  ];
  const journeyId = await createJourney(tenant, first);
  const { id } = await createSubscriber({ api });
  const stateId = await enter(tenant, journeyId, id);
  await api.put(`/api/journeys/${journeyId}`, journeyBody([{ key: 'new', type: 'wait', seconds: 0 }]));
  await passTime(app, tenant, [journeyId, stateId], 60);
  const state = await untilEnded(tenant, journeyId, stateId);
  assert.deepEqual([outcomesOf(state), state.journey_version], ['pause:waited old:waited', 1]);
  const { id: later } = await createSubscriber({ api });
  const next = await untilEnded(tenant, journeyId, await enter(tenant, journeyId, later));
  assert.deepEqual([outcomesOf(next), next.journey_version], ['new:waited', 2]);
});

test('a deactivated journey keeps its enrollments waiting, and continues them after activation', async () => {
  const steps = [{ key: 'pause', type: 'wait', seconds: 60 }];
  const journeyId = await createJourney(tenant, steps);
  const { id } = await createSubscriber({ api });
  const stateId = await enter(tenant, journeyId, id);
  await untilState(tenant, journeyId, stateId, ({ due_at }) => due_at !== null);
  await api.put(`/api/journeys/${journeyId}`, journeyBody(steps, { active: false }));
  await passTime(app, tenant, [journeyId, stateId], 60);
  // Another journey is completed at the same time.
  const other = await createJourney(tenant, [{ key: 'now', type: 'wait', seconds: 0.5 }]);
  await untilEnded(tenant, other, await enter(tenant, other, id));
  assert.equal((await getState(tenant, journeyId, stateId)).status, 'active');
  // As if it had been activated and deactivated again before its enrollments were resumed.
  const db = app.app.platform.scoped(wholeTenant(tenant.tenantId));
  assert.equal(await db.transaction((tx) => unparkStates(tx, journeyId, 10, new Date())), 0);
  await api.put(`/api/journeys/${journeyId}`, journeyBody(steps));
  assert.equal((await untilEnded(tenant, journeyId, stateId)).status, 'completed');
});

test('a form that references an unknown journey is refused', async () => {
  const definition = { pages: [{ elements: [{ type: 'text', name: 'word' }] }] };
  const form = (journey_id: string) => ({
    ...{ name: 'F', form_type: 'embedded_form', active: true, allowed_origins: [] },
    formBuilderOptions: definition,
    post_submit_actions: [{ type: 'trigger_journey', journey_id }],
  });
  const { body } = await api.post('/api/forms', form(randomUUID()), 422);
  assert.equal(body.issues[0].field, 'post_submit_actions[0].journey_id');
  await api.post('/api/forms', form(await createJourney(tenant, [day])));
});
