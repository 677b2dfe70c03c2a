import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../harness/test-app.ts';

const { createTenant } = await startTestApp();

/** Each has several errors of the schema: an address of no kind, and tags that are not texts. */
const recipient = { address: 1, tags: [1, 1, 1, 1, 1] };

test('more type errors than a response lists answer 400 without effect on other tenants', async () => {
  const [attacker, other] = [await createTenant(), await createTenant()];
  const body = {
    recipients: Array.from({ length: 5000 }, () => recipient),
    content: { from: 'a@example.com', subject: 'Hi', text: 'Hi' },
  };
  const [refused, info] = await Promise.all([
    attacker.api.post('/api/transmissions', body, 400),
    other.api.get('/api/tenant/info'),
  ]);
  assert.equal(refused.body.code, 'INVALID_REQUEST');
  assert.ok(refused.body.issues.length <= 100);
  assert.ok(refused.body.issues.some(({ field }: { field: string }) => field.startsWith('recipients[0]')));
  assert.equal(info.status, 200);
});
