import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../test/harness/members.ts';
import { startOwnApp } from '../../../test/harness/test-app.ts';
import { subscriberImport } from '../contacts/subscribers/import/jobs.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const PART = 50;
// A process that only serves HTTP, so that operations wait until a test runs their job.
const { app, createTenant } = await startOwnApp({ ROLE: 'api', JOB_BATCH_SIZE: String(PART) });

test('the overview shows an operation while it runs, and a failed one to its member and to owners', async () => {
  const tenant = await createTenant();
  const unit = { bu_id: tenant.defaultUnitId, role: 'editor' } as const;
  const member = await createMember(tenant, [unit]);
  const other = await createMember(tenant, [unit]);
  const rows = Array.from({ length: PART + 1 }, (_, n) => `p${n}@example.com,P`);
  const options = {
    rawBody: ['email,first_name', ...rows].join('\n'),
    headers: { 'content-type': 'text/csv' },
  };
  const path = '/api/subscribers/import?mode=insert';
  const { import_id: id } = (await member.api.post(path, undefined, 200, options)).body;
  const run = (turn: number) =>
    subscriberImport.run({ tenantId: tenant.tenantId, operationId: id, turn }, app.platform, -1);
  const overviews = () =>
    Promise.all(
      [member, tenant, other].map(async ({ api }) => {
        const { attention, running } = (await api.get('/api/overview')).body;
        return { attention, running };
      }),
    );
  await run(0);
  const item = { id, kind: 'subscriber_import', title: null, done: PART, total: PART + 1 };
  const [own, ofOwner, ofOther] = await overviews();
  assert.deepEqual(own?.running, [{ ...item, started_at: own?.running[0].started_at }]);
  assert.deepEqual([ofOwner, ofOther?.running], [own, []]);

  const grants = [{ bu_id: tenant.defaultUnitId, role: 'viewer' }];
  await tenant.api.put(`/api/client/v1/memberships/${member.membershipId}`, { grants });
  await run(1);
  const [failed, failedOfOwner, nothing] = await overviews();
  const [{ entity_type, key, title, severity, reason }] = failed?.attention ?? [];
  assert.deepEqual(
    [entity_type, key, title, severity, reason],
    ['operation', id, 'subscriber_import', 'error', 'operation_failed'],
  );
  assert.deepEqual([failed?.running, failedOfOwner, nothing], [[], failed, { attention: [], running: [] }]);
});
