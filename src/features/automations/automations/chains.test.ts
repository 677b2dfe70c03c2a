/** Chains of runs end in every combination of features (docs/specification/automations.md#chains). */
import assert from 'node:assert/strict';
import test from 'node:test';
import {
  action,
  countRuns,
  createAutomation,
  endedRunsInWhole,
  endOfRun,
  type ListedRun,
  listRuns,
  startRun,
} from '../../../../test/harness/automations.ts';
import { createJourney } from '../../../../test/harness/journeys.ts';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startReceiver } from '../../../../test/harness/receiver.ts';
import { createRecordsTenant } from '../../../../test/harness/records.ts';
import { startRelay } from '../../../../test/harness/relay.ts';
import { createForm, goodAnswers } from '../../../../test/harness/sample-forms.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const relay = await startRelay();
const app = await startTestApp({ SMTP_URL: relay.url });
const HOOK = { triggerType: 'webhook', triggerParams: { timeoutMs: 10_000 } };
const NODE = { name: 'node', fields: [{ name: 'value', type: 'integer' }] };
const post = (url: string, body: unknown = {}) =>
  action('call', 'httpRequest', { method: 'POST', url, body });

type Api = Parameters<typeof createAutomation>[0];

/** Creates an automation with a hook and returns its URL. */
async function createHook(api: Api, key: string): Promise<string> {
  await createAutomation(api, key, HOOK);
  return (await api.get(`/api/automations/${key}`)).body.webhook_url;
}

/** Replaces the actions of an automation. */
async function act(api: Api, key: string, actions: readonly object[]): Promise<void> {
  const { body } = await api.get(`/api/automations/${key}`);
  await api.put(`/api/automations/${key}`, { ...body, actions });
}

/** Calls a hook by its URL. */
function call(url: string, headers: Record<string, string> = {}, status = 202) {
  const { pathname, search } = new URL(url);
  return app.anonymous.post(pathname + search, {}, status, { headers });
}

/** Waits for a run that was stopped as a loop. */
function loopOf(api: Api, key: string): Promise<ListedRun> {
  return eventually(`a loop of ${key}`, async () =>
    (await listRuns(api, key)).find(({ status, error }) => status === 'failed' && /loop/.test(error ?? '')),
  );
}

test('an automation that calls its own webhook_url stops at its eleventh run, with a loop error', async () => {
  const { api } = await app.createTenant();
  const url = await createHook(api, 'own');
  await act(api, 'own', [post(url)]);
  await startRun(api, 'own');
  const loop = await loopOf(api, 'own');
  assert.match(loop.error ?? '', /more than 10 times in a row: own > own/);
  const runs = await endedRunsInWhole(api, 'own', 11);
  assert.deepEqual(
    runs.map(({ chain }) => chain.length),
    Array.from({ length: 11 }, (_run, place) => place),
  );
  assert.deepEqual(runs.filter(({ status }) => status === 'failed').length, 1);
});

test('two automations that call each other stop, and so does one that calls itself through a queue', async () => {
  const { api } = await app.createTenant();
  const [forth, back] = [await createHook(api, 'forth'), await createHook(api, 'back')];
  await act(api, 'forth', [post(back)]);
  await act(api, 'back', [post(forth)]);
  await startRun(api, 'forth');
  assert.match((await loopOf(api, 'forth')).error ?? '', /forth > back > forth/);
  await createAutomation(api, 'queued', {
    triggerType: 'mqHandler',
    triggerParams: { queueName: 'q' },
    actions: [action('again', 'publishMessage', { queueName: 'q', body: 1 })],
  });
  await startRun(api, 'queued');
  await loopOf(api, 'queued');
  assert.deepEqual(
    await Promise.all(['forth', 'back', 'queued'].map((key) => countRuns(api, key))),
    [6, 5, 11],
  );
});

test('a chain continues through webhooks of records and forms, and through journeys', async () => {
  const tenant = await createRecordsTenant(app, [NODE]);
  const { api, owner } = tenant;
  const record = await createHook(api, 'record');
  await owner.post('/api/webhooks', {
    url: record,
    events: ['node.created'],
    secret: 'a secret of some length',
  });
  await act(api, 'record', [action('make', 'createRecord', { entity: 'node', data: { value: 1 } })]);
  await startRun(api, 'record');
  assert.match((await loopOf(api, 'record')).error ?? '', /record > webhook \S+ > record/);

  const answered = await createHook(api, 'answered');
  const form = await createForm(api);
  await api.post('/api/webhooks', {
    event: { event_type: 'form.submission', form_code: form },
    ...{ name: 'Loop', target: { url: answered } },
  });
  await act(api, 'answered', [
    action('submit', 'httpRequest', {
      ...{ method: 'POST', url: `${app.url}/api/form_submissions`, headers: { 'X-API-Key': tenant.apiKey } },
      body: { form_code: form, email_address: 'ada@example.com', form_data: goodAnswers },
    }),
  ]);
  await startRun(api, 'answered');
  assert.match((await loopOf(api, 'answered')).error ?? '', /answered > webhook \S+ > answered/);

  const journeyed = await createHook(api, 'journeyed');
  const list_id = (await api.post('/api/lists', { name: 'L' })).body.id;
  const journeyId = await createJourney(
    tenant,
    [{ key: 'call', type: 'http_request', method: 'POST', url: journeyed }],
    { trigger: { type: 'list_joined', list_id } },
  );
  const ada = { email: 'ada@example.com', first_name: 'Ada', lists: [list_id] };
  await createAutomation(api, 'joins', { ...HOOK, actions: [action('join', 'upsertSubscriber', ada)] });
  await startRun(api, 'joins');
  const [run] = await endedRunsInWhole(api, 'journeyed', 1);
  assert.deepEqual(run?.chain, ['joins', `journey ${journeyId}`]);
});

test("a chain continues from an automation's mail to the webhook of its events", async () => {
  const { api, domain } = await createMailTenant(app);
  const url = await createHook(api, 'mailed');
  const { body: settings } = await api.get('/api/email_settings');
  const webhook = { name: 'Events', target: url, events: ['delivery'], active: true };
  await api.put('/api/email_settings', { ...settings, event_webhooks: [webhook] });
  const mail = { to: 'ada@example.com', from: `shop@${domain}`, subject: 'Hello', html: '<p>Hello</p>' };
  await act(api, 'mailed', [action('send', 'sendEmail', mail)]);
  await startRun(api, 'mailed');
  assert.match((await loopOf(api, 'mailed')).error ?? '', /mailed > webhook \S+ > mailed/);
});

test('only a chain signed for the tenant within a day is accepted; others are ignored', async () => {
  const { api } = await app.createTenant();
  const receiver = await startReceiver();
  await createAutomation(api, 'caller', { ...HOOK, actions: [post(receiver.url)] });
  await endOfRun(api, 'caller', await startRun(api, 'caller'));
  const signed = String(receiver.received[0]?.headers['tessera-chain']);
  const url = await createHook(api, 'called');
  const other = await app.createTenant();
  const foreign = await createHook(other.api, 'called');
  await call(url, { 'tessera-chain': signed });
  for (const forged of ['forged', `${signed}x`, `x${signed}`, ''])
    await call(url, { 'tessera-chain': forged });
  await call(foreign, { 'tessera-chain': signed });
  const { tokens } = app.app.platform;
  const chain = JSON.stringify(Array.from({ length: 10 }, () => 'a'));
  const claims = { tenant: other.tenantId, root: '0197b1f0-0000-7000-8000-000000000000', chain };
  await call(foreign, { 'tessera-chain': tokens.sign('chain', claims, new Date(0)) });
  const chains = (await endedRunsInWhole(api, 'called', 5)).map((run) => run.chain);
  assert.deepEqual(chains, [['caller'], [], [], [], []]);
  const ofOther = await endedRunsInWhole(other.api, 'called', 2);
  assert.deepEqual(
    [ofOther.map((run) => run.chain), ofOther.every(({ status }) => status === 'succeeded')],
    [[[], []], true],
  );
});
