import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createMember } from '../harness/members.ts';
import { startOwnApp, startTestApp } from '../harness/test-app.ts';
import { databaseKind } from '../harness/test-database.ts';

/** The embedded database has one connection, and its statements cannot be cancelled. */
const onServer = { skip: databaseKind() !== 'server' && 'needs a server' };
const { createTenant } = await startTestApp();

const page = { page: 1, limit: 20 };
const manyFilters = (count: number) =>
  Object.fromEntries(
    Array.from({ length: count }, (_, n) => [
      `additional_fields_data.f${n}`,
      { operation: 'nlike', value: `${n}` },
    ]),
  );

const tooMany = (field: string, max: number) => [{ field, message: `must have at most ${max} conditions` }];

test('more filters than a list accepts are rejected before any work, whoever sends them', async () => {
  const [{ api }, other] = [await createTenant(), await createTenant()];
  const member = await createMember({ api }, []);
  const attack = { ...page, filters: manyFilters(40_000) };
  const [refused, unseen, info] = await Promise.all([
    api.post('/api/subscribers/list', attack, 400),
    member.api.post('/api/subscribers/list', attack),
    other.api.get('/api/tenant/info'),
  ]);
  assert.deepEqual(refused.body.issues, tooMany('filters', 50));
  assert.deepEqual(unseen.body, { results: [], total: 0, totalPages: 0 });
  assert.equal(info.status, 200);
  await api.post('/api/subscribers/list', { ...page, filters: manyFilters(50) });
});

test('exports, audiences, campaigns, events and indexes limit their filters, too', async () => {
  const { api } = await createTenant();
  const filters = manyFilters(51);
  const exported = {
    report_type: 'subscribers',
    receiver_email: 'a@example.com',
    output_format: 'csv',
    filters,
  };
  assert.deepEqual(
    (await api.post('/api/reports/export', exported, 400)).body.issues,
    tooMany('filters', 50),
  );
  const audience = { name: 'All', filters: manyFilters(101) };
  assert.deepEqual((await api.post('/api/audiences', audience, 400)).body.issues, tooMany('filters', 100));
  await api.post('/api/audiences', { ...audience, filters: manyFilters(100) });
  const campaigns = await api.post('/api/campaigns/list', { ...page, filters }, 400);
  assert.deepEqual(campaigns.body.issues, tooMany('filters', 50));
  const search = Array.from({ length: 51 }, () => 'a').join(' ');
  const searched = await api.post('/api/subscribers/list', { ...page, filters: {}, search }, 400);
  assert.deepEqual(searched.body.issues, [{ field: 'search', message: 'must have at most 50 words' }]);
  const like = { email: { operation: 'like', value: 'a'.repeat(1001) } };
  const long = await api.post('/api/subscribers/list', { ...page, filters: like }, 400);
  assert.deepEqual(long.body.issues, [
    { field: 'filters.email.value', message: 'must be at most 1000 characters' },
  ]);
});

test('filters of more than 1 MiB are rejected for their number in every kind of body', async () => {
  const { api } = await createTenant();
  const filters = manyFilters(20_000);
  const exported = { report_type: 'subscribers', receiver_email: 'a@example.com', output_format: 'csv' };
  const period = { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z', group_by: 'day' };
  const bodies = [
    ['/api/campaigns/list', page, 50],
    ['/api/deleted-records/list', page, 50],
    ['/api/marketing_events/query', period, 50],
    ['/api/reports/export', exported, 50],
    ['/api/audiences', { name: 'All' }, 100],
  ] as const;
  for (const [path, body, max] of bodies) {
    const { issues } = (await api.post(path, { ...body, filters }, 400)).body;
    assert.deepEqual(issues, tooMany('filters', max), path);
  }
});

test('a tenant whose statements wait leaves connections for others', onServer, async () => {
  const { app, createTenant: create, anonymous } = await startOwnApp({ ROLE: 'api' });
  const [attacker, other] = [await create(), await create()];
  const list = { ...page, filters: {} };
  let answered = 0;
  let attack: Promise<{ status: number }>[] = [];
  await app.platform.database.everyTenant('tests').transaction(async (tx) => {
    await tx.raw(sql`lock table subscribers in access exclusive mode`);
    attack = Array.from({ length: 20 }, () =>
      attacker.api.post('/api/subscribers/list', list).finally(() => {
        answered += 1;
      }),
    );
    for (let n = 0; n < 10; n += 1) {
      assert.equal((await other.api.get('/api/tenant/info')).status, 200);
      assert.equal((await anonymous.get('/readyz')).status, 200);
    }
    assert.equal(answered, 0);
  });
  assert.deepEqual(
    (await Promise.all(attack)).map(({ status }) => status),
    Array.from({ length: 20 }, () => 200),
  );
});

test('a statement over the time limit answers 503 with Retry-After', onServer, async () => {
  const { app, createTenant: create } = await startOwnApp({ ROLE: 'api', REQUEST_STATEMENT_SECONDS: '0.3' });
  const { api } = await create();
  const list = { ...page, filters: {} };
  await app.platform.database.everyTenant('tests').transaction(async (tx) => {
    await tx.raw(sql`lock table subscribers in access exclusive mode`);
    const { body, headers } = await api.post('/api/subscribers/list', list, 503);
    assert.equal(body.code, 'TIMEOUT');
    assert.equal(headers.get('retry-after'), '5');
  });
  await api.post('/api/subscribers/list', list);
});
