import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { waitForLock } from '../../../../test/harness/lock-waits.ts';
import { createMailTenant, transmissionBody } from '../../../../test/harness/mail.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['server'];

const app = await startTestApp();
const tenant = await createMailTenant(app);
const { api } = tenant;
const { database } = app.app.platform;
const scheduled = { transactional: true, scheduled_time: { date: '2100-01-01T09:00:00', timezone: 'UTC' } };

test('a message that a worker claims during the cancellation is not cancelled', {
  skip: database.kind === 'embedded' && 'two transactions at once need TEST_DATABASE_URL',
}, async () => {
  const { body } = await api.post('/api/transmissions', transmissionBody(tenant, { options: scheduled }));
  const id = body.transactionId;
  const { cancelling } = await database
    .forTenant(tenant.tenantId)
    .transaction()
    .execute(async (query) => {
      await sql`update email_messages set due_at = ${new Date('2100-01-01T09:01:00Z')}
        where tenant_id = ${tenant.tenantId} and transmission_id = ${id}`.execute(query);
      const call = api.send('DELETE', `/api/transmissions/${id}`);
      await waitForLock('the call to wait for the message', database);
      return { cancelling: call };
    });
  assert.equal((await cancelling).body.code, 'INVALID_STATUS');
  assert.equal((await api.get(`/api/transmissions/${id}`)).body.state, 'sending');
});
