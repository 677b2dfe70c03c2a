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

test('the existence of references is checked with one query for each kind', async (t) => {
  const { id: list } = (await api.post('/api/lists', { name: 'L' })).body;
  const steps = Array.from(
    { length: 50 },
    (_, n): Step => ({ key: `s${n}`, type: 'update_subscriber', add_lists: [list, randomUUID(), 'none'] }),
  );
  const queries = t.mock.method(db, 'raw');
  const issues = await findReferenceIssues(db, { trigger: { type: 'manual' }, steps });
  assert.ok(queries.mock.callCount() <= 4, `${queries.mock.callCount()} statements`);
  assert.equal(issues.length, 100);
  assert.deepEqual(issues[0], { field: 'steps[0].add_lists[1]', message: 'must reference an existing list' });
});
