import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { schemaOf } from '../../src/db/tenant-schemas.ts';
import { createClient } from '../harness/client.ts';
import { killProcesses, startProcess } from '../harness/process.ts';
import { startOwnApp } from '../harness/test-app.ts';

export const runsOn = ['server'];

const ROWS = 20_000;
/** Delays of the kill, from before the first statement to after the last on fast and slow machines. */
const MOMENTS_MS = [5, 30, 60, 100, 150, 220, 300, 450, 700];

const title = { name: 'title', type: 'string' };
const small = [title];
const drop = ['number', 'parent'];
const large = [
  { ...title, required: true, searchable: true, indexed: true },
  { name: 'number', type: 'integer', required: true, default: 1, indexed: true },
  { name: 'parent', type: 'relation', relation: { entity: 'item', kind: 'belongs_to' } },
];

test('a kill during a change leaves either the old definition and table or the new ones', async () => {
  const first = await startOwnApp();
  after(killProcesses);
  const tenant = await first.createTenant();
  await tenant.api.post('/api/entities', { name: 'item', fields: small });
  const { database } = first.app.platform;
  // A cluster copies rows without a tenant, which row-level security does not allow.
  await sql`insert into ${sql.id(schemaOf(tenant.tenantId), 'item')} (tenant_id, id, created_at, updated_at, f_title)
    select ${tenant.tenantId}::uuid, gen_random_uuid(), now(), now(), 'Title ' || n from generate_series(1, ${ROWS}::int) n returning id`.execute(
    database.forTenant(tenant.tenantId),
  );
  await first.app.stop();
  const env = { ...first.env, LOG_LEVEL: 'info' };
  const outcomes = new Set<string>();
  let running = await startProcess(env);
  for (const delayMs of MOMENTS_MS) {
    const api = createClient(running.url, { 'x-api-key': tenant.apiKey });
    const before = (await api.get('/api/entities/item')).body;
    const isSmall = before.fields.length === 1;
    const changed = api
      .send('PUT', '/api/entities/item', { body: { fields: isSmall ? large : small, drop } })
      .catch(() => null);
    await setTimeout(delayMs);
    await running.kill('SIGKILL');
    const answer = await changed;

    running = await startProcess(env);
    const again = createClient(running.url, { 'x-api-key': tenant.apiKey });
    const found = (await again.get('/api/entities/item')).body;
    outcomes.add(found.version === before.version ? 'old' : 'new');
    if (answer?.status === 200) assert.equal(found.version, before.version + 1);
    // The next change succeeds only if the table fits the definition that is found.
    await again.put('/api/entities/item', { fields: found.fields.length === 1 ? large : small, drop });
    await again.put('/api/entities/item', { fields: small, drop });
    await again.put('/api/entities/item', {
      fields: [{ ...title, required: true, min: 7, max: 11, pattern: '^Title ' }],
    });
    const { body } = await again.put('/api/entities/item', { fields: [{ ...title, max: 1 }] }, 422);
    assert.equal(body.issues[0].message, `${ROWS} records above the maximum length 1`);
    await again.put('/api/entities/item', { fields: small });
  }
  assert.ok(outcomes.has('old'), 'it was killed in the midst');
});
