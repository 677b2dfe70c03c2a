import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createCampaign, createEmail, createListOf, waitForStatus } from '../harness/campaigns.ts';
import { createClient } from '../harness/client.ts';
import { createMailTenantAt } from '../harness/mail.ts';
import { killProcesses, startProcess } from '../harness/process.ts';
import { startRelay } from '../harness/relay.ts';
import { testEnv } from '../harness/test-app.ts';
import { createTestDatabase, databaseKind } from '../harness/test-database.ts';

const PEOPLE = 200;
const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

test('two workers send one e-mail together: nobody gets it twice, and nobody is missed', {
  skip,
}, async () => {
  const database = await createTestDatabase();
  after(async () => {
    await killProcesses();
    await database.remove();
  });
  const relay = await startRelay();
  const env = { ...testEnv(database), LOG_LEVEL: 'info', SMTP_URL: relay.url };
  const api = await startProcess({ ...env, ROLE: 'api' });
  await Promise.all([1, 2].map(() => startProcess({ ...env, ROLE: 'worker' })));
  const admin = createClient(api.url, { authorization: `Bearer ${env.ADMIN_TOKEN}` });
  const tenant = await createMailTenantAt(api.url, admin);
  const { listId, people } = await createListOf(tenant, PEOPLE);
  const email = await createEmail(tenant, await createCampaign(tenant), { list_ids: [listId] });
  await tenant.api.get(`${email.path}/process`);
  const { metrics } = await waitForStatus(tenant, email.path, 'Sent', 120_000);
  assert.equal(metrics.delivered, PEOPLE);
  const got = relay.messages.flatMap(({ rcptTo }) => rcptTo);
  assert.deepEqual(got.sort(), people.map((each) => each.email).sort());
  assert.ok(relay.connections > 5, 'both had connections');
});
