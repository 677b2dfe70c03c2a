import assert from 'node:assert/strict';
import test, { after } from 'node:test';
import { createClient } from '../harness/client.ts';
import { createMailTenantAt, transmissionBody, waitUntilEnded } from '../harness/mail.ts';
import { killProcesses, startProcess } from '../harness/process.ts';
import { startRelay } from '../harness/relay.ts';
import { testEnv } from '../harness/test-app.ts';
import { createTestDatabase, databaseKind } from '../harness/test-database.ts';

const MESSAGES = 1000;
const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

test('two workers send the messages of an API process, each once', { skip }, async () => {
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
  const recipients = Array.from({ length: MESSAGES }, (_, n) => ({
    address: `r${n}@domain${n % 10}.example`,
  }));
  const { body } = await tenant.api.post('/api/transmissions', transmissionBody(tenant, { recipients }));
  const { counts } = await waitUntilEnded(tenant, body.transactionId, 120_000);
  assert.equal(counts.sent, MESSAGES);
  assert.equal(relay.messages.length, MESSAGES);
  assert.equal(new Set(relay.messages.flatMap(({ rcptTo }) => rcptTo)).size, MESSAGES);
  assert.ok(relay.connections > 5, 'both had connections');
});
