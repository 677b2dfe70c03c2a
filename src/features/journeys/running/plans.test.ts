import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findPlans, planKey } from './plans.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { platform } = app.app;
const { tenantId } = await createMailTenant(app);
const db = platform.scoped(wholeTenant(tenantId));

test('cached plans are limited by size, not by number of steps', async () => {
  const journeyId = randomUUID();
  const body = 'x'.repeat(7 * 1024 * 1024);
  const steps = [{ key: 'call', type: 'http_request', method: 'POST', url: 'https://a.example', body }];
  for (const version of [1, 2, 3])
    await db.query
      .insertInto('journey_versions')
      .values({ tenant_id: tenantId, journey_id: journeyId, version, steps: JSON.stringify(steps) })
      .execute();
  const plan = async (version: number) =>
    (await findPlans(platform, db, [{ journeyId, version }])).get(planKey({ journeyId, version }));
  const [first, , third] = [await plan(1), await plan(2), await plan(3)];
  assert.ok((await plan(3)) === third);
  const again = await plan(1);
  assert.ok(again !== first);
  assert.deepEqual(again?.first, 'call');
});
