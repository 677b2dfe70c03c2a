import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import { createMailTenant } from '../../../../test/harness/mail.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { Step } from '../schema.ts';
import { findReferenceIssues } from './references.ts';

const app = await startTestApp();
const { api, tenantId } = await createMailTenant(app);
const db = app.app.platform.scoped(wholeTenant(tenantId));

test('whether there is what a journey names is asked once for each kind, however much it names', async (t) => {
  const { id: list } = (await api.post('/api/lists', { name: 'L' })).body;
  const steps = Array.from(
    { length: 50 },
    (_, n): Step => ({ key: `s${n}`, type: 'update_subscriber', add_lists: [list, randomUUID(), 'none'] }),
  );
  const asked = t.mock.method(db, 'raw');
  const issues = await findReferenceIssues(db, { trigger: { type: 'manual' }, steps });
  assert.ok(asked.mock.callCount() <= 4, `${asked.mock.callCount()} statements`);
  assert.equal(issues.length, 100);
  assert.deepEqual(issues[0], { field: 'steps[0].add_lists[1]', message: 'must reference an existing list' });
});
