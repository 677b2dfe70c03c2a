import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { sql } from 'kysely';
import { MAX } from 'uuid';
import { startTestApp } from '../../test/harness/test-app.ts';
import { defineRetention } from './retention.ts';

export const runsOn = ['embedded', 'server'];

const HOUR_MS = 60 * 60 * 1000;
/** A batch size below the number of rows of one tenant. */
const BATCH = 2;

const { app, createTenant } = await startTestApp();
const { query } = app.platform.database.everyTenant('tests');
const platform = { ...app.platform, config: { ...app.platform.config, jobBatchSize: BATCH } };
const tenants = await Promise.all(Array.from({ length: 3 }, async () => (await createTenant()).tenantId));

const kinds = [
  { name: 'by an index of each tenant', byTenant: true, owners: tenants },
  { name: 'by one index of all, those of the platform too', byTenant: false, owners: [...tenants, MAX] },
];

for (const { name, byTenant, owners } of kinds) {
  test(`old rows of every tenant are removed and younger ones stay: ${name}`, async () => {
    const kind = randomUUID();
    const rows = owners.flatMap((tenantId) =>
      [1, 2, 9, 10, 11].map((hoursAgo) => ({
        tenant_id: tenantId,
        id: randomUUID(),
        target_id: kind,
        state: 'failed' as const,
        due_at: new Date(Date.now() - hoursAgo * HOUR_MS),
        attempts: hoursAgo,
        last_error: null,
        name: 'kept for five hours',
        payload: '{}',
        planned_at: new Date(),
      })),
    );
    await Promise.all(rows.map((row) => query.insertInto('jobs').values(row).execute()));
    const retention = defineRetention({
      description: 'rows of this test',
      keptHours: 5,
      table: 'jobs',
      isOld: (before) => sql`r.target_id = ${kind} and r.due_at < ${before}`,
      byTenant,
    });
    await retention.removeOld(platform);
    const left = await query
      .selectFrom('jobs')
      .select(['tenant_id', 'attempts'])
      .where('target_id', '=', kind)
      .orderBy('tenant_id')
      .orderBy('attempts')
      .execute();
    assert.deepEqual(
      left,
      [...owners].sort().flatMap((tenant_id) => [1, 2].map((attempts) => ({ tenant_id, attempts }))),
    );
  });
}
