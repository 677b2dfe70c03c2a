import assert from 'node:assert/strict';
import test from 'node:test';
import { transmissionBody, waitUntilEnded } from '../harness/mail.ts';
import { startWorkerSite } from '../harness/mail-site.ts';
import { databaseKind } from '../harness/test-database.ts';

export const runsOn = ['server'];

const MESSAGES = 1000;
const skip = databaseKind() === 'embedded' && 'several processes need TEST_DATABASE_URL';

test('two workers send the messages of an API process, each once', { skip }, async () => {
  const { tenant, relay } = await startWorkerSite(2);
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
