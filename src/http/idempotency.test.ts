import assert from 'node:assert/strict';
import test from 'node:test';
import { createMailTenant, transmissionBody } from '../../test/harness/mail.ts';
import { signIn } from '../../test/harness/members.ts';
import { eventually } from '../../test/harness/poll.ts';
import { startReceiver } from '../../test/harness/receiver.ts';
import { createForm, formBody } from '../../test/harness/sample-forms.ts';
import { startTestApp } from '../../test/harness/test-app.ts';
import { wholeTenant } from '../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { api, tenantId } = await app.createTenant();
const keyed = (key: string) => api.with({ 'idempotency-key': key });
const rowsOf = (id: string) => app.app.platform.scoped(wholeTenant(id)).query;
const countForms = async () =>
  (await api.post('/api/forms/list', { page: 1, limit: 1, filters: {} })).body.total;

test('a repeat gets the first response and has no effect', async () => {
  const before = await countForms();
  const first = await keyed('repeat').post('/api/forms', formBody());
  const second = await keyed('repeat').post('/api/forms', formBody());
  assert.deepEqual(second.body, first.body);
  assert.equal(await countForms(), before + 1);
});

test('the same key with another body or on another path is a conflict', async () => {
  await keyed('other').post('/api/forms', formBody());
  const body = await keyed('other').post('/api/forms', formBody({ name: 'Another' }), 409);
  assert.equal(body.body.code, 'IDEMPOTENCY_CONFLICT');
  await keyed('other').post('/api/form_themes', { name: 'x', formBuilderThemeOptions: {} }, 409);
});

test('a second call while the first still runs is a conflict', async () => {
  const receiver = await startReceiver();
  let release = () => {};
  const arrived = new Promise<void>((resolve) => {
    receiver.answer = (_request, response) => {
      release = () => response.end('done');
      resolve();
    };
  });
  const event = { event_type: 'form.submission', form_code: await createForm(api) };
  const webhook = await api.post('/api/webhooks', { event, name: 'slow', target: { url: receiver.url } });
  const path = `/api/webhooks/${webhook.body.id}/test`;
  const first = keyed('running').post(path, {});
  await arrived;
  assert.equal((await keyed('running').post(path, {}, 409)).body.code, 'IDEMPOTENCY_CONFLICT');
  release();
  const answer = (await first).body;
  assert.deepEqual((await keyed('running').post(path, {})).body, answer);
  assert.equal(receiver.received.length, 1);
});

test('a read runs each time, whatever the key, and stores nothing', async () => {
  const reader = await app.createTenant();
  const list = () =>
    reader.api
      .with({ 'idempotency-key': 'read' })
      .post('/api/forms/list', { page: 1, limit: 1, filters: {} });
  assert.equal((await list()).body.total, 0);
  await reader.api.post('/api/forms', formBody());
  assert.equal((await list()).body.total, 1);
  const rows = await rowsOf(reader.tenantId).selectFrom('idempotency_keys').select('key').execute();
  assert.deepEqual(rows, []);
});

test('for a large response only a note is stored, and the call is not repeated', async () => {
  const { api: owner, ownerEmail, tenantId: id } = await app.createTenant();
  await owner.post('/api/entities', { name: 'note', fields: [{ name: 'text', type: 'text' }] });
  const writer = (await signIn(owner, ownerEmail)).bearer;
  const body = { text: 'x'.repeat(2 * 1024 * 1024) };
  const post = (status: number) =>
    writer.with({ 'idempotency-key': 'large' }).post('/api/note', body, status);
  assert.equal((await post(200)).body.text, body.text);
  assert.match((await post(409)).text, /was not stored/);
  assert.equal((await writer.get('/api/note?per_page=10')).body.data.length, 1);
  const rows = await rowsOf(id).selectFrom('idempotency_keys').select(['status', 'answer']).execute();
  assert.deepEqual(rows, [{ status: 200, answer: null }]);
});

test('many equal concurrent calls do the work once', async () => {
  const before = await countForms();
  const answers = await Promise.all(
    Array.from({ length: 10 }, () =>
      api.send('POST', '/api/forms', { body: formBody(), headers: { 'idempotency-key': 'crowd' } }),
    ),
  );
  assert.equal(await countForms(), before + 1);
  assert.deepEqual(
    [...new Set(answers.map(({ status }) => status))].filter((status) => status !== 200 && status !== 409),
    [],
  );
  const codes = answers.filter(({ status }) => status === 200).map(({ body }) => body.code);
  assert.equal(new Set(codes).size, 1);
});

test('two callers may use the same key', async () => {
  const other = await app.createTenant();
  const mine = await keyed('shared').post('/api/forms', formBody());
  const theirs = await other.api.with({ 'idempotency-key': 'shared' }).post('/api/forms', formBody());
  assert.notEqual(mine.body.code, theirs.body.code);
});

test('after a crash the call can be repeated once its lease has ended', async () => {
  await keyed('crash').post('/api/forms', formBody());
  const db = rowsOf(tenantId);
  const crashed = { status: null, answer: null, leased_until: new Date(Date.now() - 1) };
  await db.updateTable('idempotency_keys').set(crashed).where('key', '=', 'crash').execute();
  const before = await countForms();
  await keyed('crash').post('/api/forms', formBody());
  assert.equal(await countForms(), before + 1);
});

test('a key can be used for a new request after 24 hours', async () => {
  await keyed('old').post('/api/forms', formBody());
  const db = rowsOf(tenantId);
  const yesterday = new Date(Date.now() - 25 * 60 * 60 * 1000);
  await db.updateTable('idempotency_keys').set({ created_at: yesterday }).where('key', '=', 'old').execute();
  await keyed('old').post('/api/forms', formBody({ name: 'New' }));
});

test('responses are stored encrypted: a new API key is not readable in the database', async () => {
  const { body } = await keyed('secret').post('/api/client/v1/api-keys', { name: 'ci' });
  const db = rowsOf(tenantId);
  const stored = await db
    .selectFrom('idempotency_keys')
    .select('answer')
    .where('key', '=', 'secret')
    .executeTakeFirst();
  assert.equal(stored?.answer?.includes(body.api_key.slice(-20)), false);
  assert.deepEqual((await keyed('secret').post('/api/client/v1/api-keys', { name: 'ci' })).body, body);
});

for (const key of ['', 'x'.repeat(256)]) {
  test(`a key of ${key.length} characters is rejected`, async () => {
    const { body } = await keyed(key).post('/api/forms', formBody(), 400);
    assert.equal(body.issues[0].field, 'Idempotency-Key');
  });
}

test('a call that outlived its lease does not replace the response of the next one', async () => {
  const receiver = await startReceiver();
  const answers: (() => void)[] = [];
  const arrivals = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  receiver.answer = (_request, response) => {
    const number = answers.push(() => response.end(`answer ${number}`));
    arrivals[number - 1]?.resolve();
  };
  const event = { event_type: 'form.submission', form_code: await createForm(api) };
  const webhook = await api.post('/api/webhooks', { event, name: 'late', target: { url: receiver.url } });
  const call = () => keyed('late').post(`/api/webhooks/${webhook.body.id}/test`, {});
  const first = call();
  await arrivals[0]?.promise;
  const db = rowsOf(tenantId);
  const over = { leased_until: new Date(Date.now() - 1) };
  await db.updateTable('idempotency_keys').set(over).where('key', '=', 'late').execute();
  const second = call();
  await arrivals[1]?.promise;
  answers[1]?.();
  assert.equal((await second).body.response_body, 'answer 2');
  answers[0]?.();
  assert.equal((await first).body.response_body, 'answer 1');
  assert.equal((await call()).body.response_body, 'answer 2');
});

test('a call that takes longer than its lease keeps its key and stores its response', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const receiver = await startReceiver();
  const arrived = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  receiver.answer = async (_request, response) => {
    arrived.resolve();
    await release.promise;
    response.end('done');
  };
  const event = { event_type: 'form.submission', form_code: await createForm(api) };
  const webhook = await api.post('/api/webhooks', { event, name: 'long', target: { url: receiver.url } });
  const path = `/api/webhooks/${webhook.body.id}/test`;
  const first = keyed('long').post(path, {});
  await arrived.promise;
  const marker = rowsOf(tenantId).updateTable('idempotency_keys').where('key', '=', 'long');
  const over = new Date(Date.now() - 1);
  await marker.set({ leased_until: over }).execute();
  t.mock.timers.tick(20_000);
  await eventually('the lease to be renewed', async () => {
    const row = rowsOf(tenantId).selectFrom('idempotency_keys').select('leased_until');
    const { leased_until } = await row.where('key', '=', 'long').executeTakeFirstOrThrow();
    return new Date(leased_until) > over;
  });
  assert.equal((await keyed('long').post(path, {}, 409)).body.code, 'IDEMPOTENCY_CONFLICT');
  release.resolve();
  const answer = (await first).body;
  assert.deepEqual((await keyed('long').post(path, {})).body, answer);
  assert.equal(receiver.received.length, 1);
});

test('the writes of a call do not commit if its key was taken over meanwhile', async () => {
  const sender = await createMailTenant(app);
  const db = rowsOf(sender.tenantId);
  const template = { name: 'T', from_email: `a@${sender.domain}`, transactional: true };
  const { id } = (await sender.api.post('/api/templates', template)).body;
  // Reading this takes so long that the key can be taken over meanwhile.
  const html = '{{#if a}}{{/if}}'.repeat(4000);
  const content = { from: `a@${sender.domain}`, subject: 'S', html };
  const calls = [
    { path: '/api/transmissions', body: transmissionBody(sender, { content }), table: 'transmissions' },
    {
      path: `/api/templates/${id}/versions`,
      body: { active: true, subject: 'S', html_content: html },
      table: 'email_template_versions',
    },
    { path: '/api/template_snippets', body: { name: 's', content: html }, table: 'email_template_snippets' },
  ] as const;
  const later = { created_at: new Date(Date.now() + 120_000) };
  for (const { path, body, table } of calls) {
    const call = sender.api.with({ 'idempotency-key': table }).send('POST', path, { body });
    await eventually('the key to be claimed', async () => {
      const taken = db.updateTable('idempotency_keys').set(later).where('key', '=', table);
      return (await taken.executeTakeFirst()).numUpdatedRows > 0n;
    });
    const { status, text } = await call;
    assert.equal(status, 409, text);
    assert.match(text, /IDEMPOTENCY_CONFLICT/);
    assert.deepEqual(await db.selectFrom(table).select('id').execute(), [], table);
  }
});
