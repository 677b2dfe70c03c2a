/** A viewer, and an attacker with a copy of the database, look for credentials in a tenant's HTTP calls. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createJourney, enter, untilEnded } from '../harness/journeys.ts';
import { createMember } from '../harness/members.ts';
import { eventually } from '../harness/poll.ts';
import { startReceiver } from '../harness/receiver.ts';
import { createSubscriber } from '../harness/subscribers.ts';
import { startOwnApp } from '../harness/test-app.ts';

/** A cluster cannot search whole rows of distributed tables as text. */
export const neverRunsOn = ['cluster'];

const app = await startOwnApp();
const receiver = await startReceiver();
// A receiver that returns everything it got.
receiver.answer = ({ headers }, response) => {
  response.setHeader('X-Echo', String(headers['x-secret']));
  response.end(JSON.stringify(headers));
};
const tenant = await app.createTenant();
const other = await app.createTenant();
const { query } = app.app.platform.database.everyTenant('tests');

const SECRETS = { 'X-Secret': 'hunter2-secret', Authorization: 'Bearer hunter2-named', 'X-Plain': 'plain' };
const headersOf = (path: string) =>
  receiver.received.findLast((call) => call.path === path)?.headers ?? assert.fail(`no call of ${path}`);
const sentHeaders = (path: string) => {
  const headers = headersOf(path);
  return [headers['x-secret'], headers.authorization, headers['x-plain']];
};

function call(path: string, headers: object) {
  const params = { method: 'POST', url: `${receiver.url}${path}`, headers };
  return { key: 'call', name: 'Call', actionTypeKey: 'httpRequest', params };
}

const secretHeaders = { ...SECRETS, 'X-Secret': { value: SECRETS['X-Secret'], is_secret: true } };
const hidden = { 'X-Secret': { is_secret: true }, Authorization: { is_secret: true }, 'X-Plain': 'plain' };
const rules = [{ field: 'go', operator: 'equals', value: 'yes' }];
const trigger = { entity: { go: 'yes' } };
const page = { page: 1, limit: 10 };
const definition = {
  ...{ key: 'calling', app: 'test', name: 'Calling', triggerType: 'webhook', triggerParams: {} },
  actions: [call('/first', secretHeaders)],
  conditionalActions: [
    {
      condition: { rules, combinator: 'and' },
      actions: [{ ...call('/second', secretHeaders), key: 'second' }],
    },
  ],
};

/** Returns the tables that contain a text. */
async function tablesWith(text: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
      and has_table_privilege(c.oid, 'select')`.execute(query);
  const found = await Promise.all(
    rows.map(async ({ name }) => {
      const matching = await sql<{ found: boolean }>`
        select exists (select from ${sql.table(name)} t where position(${text} in t::text) > 0) as found`.execute(
        query,
      );
      return matching.rows[0]?.found ? [name] : [];
    }),
  );
  return found.flat();
}

async function runToEnd(api: typeof tenant.api, key: string) {
  const { run_id } = (await api.post(`/api/automations/${key}/run`, { trigger }, 202)).body;
  return eventually('the end of the run', async () => {
    const { body } = await api.get(`/api/automations/${key}/runs/${run_id}`);
    return body.status === 'succeeded' && body;
  });
}

test('secret headers of an automation are sent but not readable in reads, runs, dry runs, history or the database', async () => {
  await tenant.api.post('/api/automations', definition);
  await other.api.post('/api/automations', definition);
  const run = await runToEnd(tenant.api, 'calling');
  await runToEnd(other.api, 'calling');
  for (const path of ['/first', '/second'])
    assert.deepEqual(sentHeaders(path), ['hunter2-secret', 'Bearer hunter2-named', 'plain']);
  assert.deepEqual(run.actions[0].input.headers, hidden);
  assert.deepEqual(
    [run.actions[0].result.body['x-secret'], run.actions[0].result.headers['x-echo']],
    ['[secret]', '[secret]'],
  );

  const viewer = await createMember(tenant, [{ bu_id: tenant.defaultUnitId, role: 'viewer' }]);
  const { body } = await viewer.api.get('/api/automations/calling');
  assert.deepEqual(body.actions[0].params.headers, hidden);
  assert.deepEqual(body.conditionalActions[0].actions[0].params.headers, hidden);
  const texts = await Promise.all([
    viewer.api.post('/api/automations/list', page),
    tenant.api.get('/api/automations/calling/runs'),
    tenant.api.post('/api/automations/calling/test', { trigger }),
  ]);
  for (const { text } of texts) assert.doesNotMatch(text, /hunter2|s1\./);
  assert.match(texts[0].text, /"X-Secret":\{"is_secret":true\}/);
  assert.deepEqual(await tablesWith('hunter2'), []);
});

test('a replace keeps omitted secrets and rejects unknown ones', async () => {
  const path = '/api/automations/kept';
  await tenant.api.post('/api/automations', { ...definition, key: 'kept' });
  const { body } = await tenant.api.get(path);
  await tenant.api.put(path, { ...definition, key: 'kept', actions: body.actions });
  await runToEnd(tenant.api, 'kept');
  assert.deepEqual(sentHeaders('/first'), ['hunter2-secret', 'Bearer hunter2-named', 'plain']);
  for (const [header, field] of [
    [{ is_secret: true }, 'X-New.value'],
    [{ value: 'x' }, 'X-New'],
    [{ value: '{{trigger.go}}', is_secret: true }, 'X-New.value'],
    [{ value: 'x'.repeat(2001), is_secret: true }, 'X-New.value'],
  ] as const) {
    const actions = [call('/first', { 'X-New': header })];
    const refused = await tenant.api.put(path, { ...definition, key: 'kept', actions }, 400);
    assert.deepEqual(
      [refused.body.code, refused.body.issues[0].field],
      ['INVALID_AUTOMATION', `actions[0].params.headers.${field}`],
    );
  }
});

test('secret headers of a journey are sent but not readable', async () => {
  const { api } = tenant;
  const { id: subscriberId } = await createSubscriber(tenant);
  const steps = [
    {
      key: 'call',
      type: 'http_request',
      method: 'POST',
      url: `${receiver.url}/step`,
      headers: secretHeaders,
    },
  ];
  const journeyId = await createJourney(tenant, steps);
  await untilEnded(tenant, journeyId, await enter(tenant, journeyId, subscriberId));
  assert.deepEqual(sentHeaders('/step'), ['hunter2-secret', 'Bearer hunter2-named', 'plain']);

  const { body } = await api.get(`/api/journeys/${journeyId}`);
  assert.deepEqual(body.steps[0].headers, hidden);
  const { name, active, trigger } = body;
  const moved = body.steps.map((step: object) => ({ ...step, url: `${receiver.url}/moved` }));
  await api.put(`/api/journeys/${journeyId}`, { name, active, trigger, steps: moved });
  const { id: nextId } = await createSubscriber(tenant);
  await untilEnded(tenant, journeyId, await enter(tenant, journeyId, nextId));
  assert.deepEqual(sentHeaders('/moved'), ['hunter2-secret', 'Bearer hunter2-named', 'plain']);
  const unknown = moved.map((step: object) => ({ ...step, key: 'other' }));
  const refused = await api.put(`/api/journeys/${journeyId}`, { name, active, trigger, steps: unknown }, 400);
  assert.equal(refused.body.issues[0].field, 'steps[0].headers.X-Secret.value');

  const texts = await Promise.all([
    api.post('/api/journeys/list', page),
    api.get(`/api/entity/versions?entityType=user_journey&entitySortKey=${journeyId}`),
    api.post(`/api/journeys/${journeyId}/simulate`, { subscriber_id: subscriberId }),
  ]);
  for (const { text } of texts) assert.doesNotMatch(text, /hunter2|s1\./);
  assert.deepEqual(await tablesWith('hunter2'), []);
});
