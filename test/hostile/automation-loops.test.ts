/**
 * Automations that trigger more runs than allowed, and the effect on others (docs/specification/automations.md#chains).
 */
import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { MAX_CAUSED, MAX_WAITING } from '../../src/features/automations/automations/run-limits.ts';
import {
  action,
  countRuns,
  createAutomation,
  endedRuns,
  endOfRun,
  listRuns,
  startRun,
} from '../harness/automations.ts';
import { eventually } from '../harness/poll.ts';
import { createRecordsTenant } from '../harness/records.ts';
import { startTestApp } from '../harness/test-app.ts';

// Thousands of records: on the embedded database they take a minute.
export const runsOn = ['server'];
/** A cluster cannot insert series under row-level security, and counts waiting runs in the same way. */
export const neverRunsOn = ['cluster'];

const app = await startTestApp();
const HOOK = { triggerType: 'webhook' };
const NODE = { name: 'node', fields: [{ name: 'value', type: 'integer' }] };

test('ten records for each new record stop at the limit of one event, and another tenant is not affected', async () => {
  const { api, owner } = await createRecordsTenant(app, [NODE]);
  const create = (key: string) => action(key, 'createRecord', { entity: 'node', data: { value: 1 } });
  await createAutomation(api, 'grow', {
    triggerType: 'afterCreate',
    entityKey: 'node',
    actions: Array.from({ length: 10 }, (_action, place) => create(`n${place}`)),
  });
  const other = await app.createTenant();
  await createAutomation(other.api, 'other', HOOK);
  await owner.post('/api/node', { value: 0 });
  await eventually('many runs', async () => (await countRuns(api, 'grow')) > 100);
  assert.equal(
    (await endOfRun(other.api, 'other', await startRun(other.api, 'other'), 5000)).status,
    'succeeded',
  );
  const failed = await eventually(
    'a run that was stopped',
    async () => {
      const { body } = await api.get('/api/automations/grow/runs?status=failed');
      return body.total > 0 && body;
    },
    120_000,
  );
  assert.match(failed.results[0].error, /loop: one event caused 1000 runs/);
  const runs = await countRuns(api, 'grow');
  // Concurrent transactions do not see each other, so the number may be slightly exceeded.
  assert.ok(runs > MAX_CAUSED && runs < MAX_CAUSED + 100, String(runs));
  const succeeded = async () =>
    (await api.get('/api/automations/grow/runs?status=succeeded&limit=1')).body.total;
  const before = await succeeded();
  await eventually('more records', async () => (await succeeded()) > before + 20);
  assert.ok((await countRuns(api, 'grow')) < MAX_CAUSED + 100);
  // Another event has its own count.
  await owner.post('/api/node', { value: 7 });
  const [newest] = await listRuns(api, 'grow');
  assert.notEqual(newest?.status, 'failed');
  await api.put('/api/automations/grow', { ...(await api.get('/api/automations/grow')).body, active: false });
});

test('a tenant at the limit of waiting runs gets no further ones, but its records are written', async () => {
  const tenant = await createRecordsTenant(app, [NODE]);
  const { api, owner } = tenant;
  await createAutomation(api, 'busy', HOOK);
  const { pathname, search } = new URL((await api.get('/api/automations/busy')).body.webhook_url);
  await createAutomation(api, 'after', { triggerType: 'afterCreate', entityKey: 'node' });
  await app.app.platform.database
    .forTenant(tenant.tenantId)
    .transaction()
    .execute((tx) =>
      sql`insert into automation_runs (tenant_id, id, target_id, state, due_at, attempts, automation_version, trigger_type, trigger,
        place, chain, created_at)
      select a.tenant_id, gen_random_uuid(), a.id, 'pending', now() + interval '1 hour', 0, 1, 'webhook', '{}', 1, '[]', now()
      from automations a, generate_series(1, ${MAX_WAITING}::int) where a.tenant_id = ${tenant.tenantId} and a.key = 'busy'`.execute(
        tx,
      ),
    );
  const refused = await app.anonymous.post(pathname + search, {}, 429);
  assert.deepEqual([refused.body.code, refused.headers.get('retry-after')], ['TOO_MANY_RUNS', '60']);
  assert.equal((await api.post('/api/automations/busy/run', {}, 429)).body.code, 'TOO_MANY_RUNS');
  const { body } = await owner.post('/api/node', { value: 7 });
  assert.equal(body.value, 7);
  const [run] = await endedRuns(api, 'after', 1);
  assert.deepEqual([run?.status, run?.actions], ['failed', []]);
  assert.match(run?.error ?? '', /100000 runs of the tenant are already waiting/);
});
