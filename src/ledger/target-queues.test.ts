import assert from 'node:assert/strict';
import test from 'node:test';
import type { Attempt, Claim, Settlement } from './ledger.ts';
import { TargetQueues } from './target-queues.ts';

function attemptOf(tenantId: string, make: (claim: Claim) => Promise<Settlement>): Attempt {
  const claim = { tenantId, id: `${tenantId} 1`, targetId: 'shared', attempts: 0, leasedUntil: '' };
  return { claim, make: () => make(claim) };
}

test('a tenant whose attempts never end holds up no other that has the same target', () => {
  const begun: string[] = [];
  const never = (claim: Claim) => {
    begun.push(claim.tenantId);
    return new Promise<Settlement>(() => {});
  };
  const queues = new TargetQueues(1, () => {});
  for (const tenant of ['a', 'a', 'b']) queues.add(attemptOf(tenant, never));
  assert.deepEqual(begun, ['a', 'b']);
});
