import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

const app = await startTestApp();
const PATH = '/api/client/v1/members/names';

test('every member reads the names of all members of the own tenant, without addresses', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const member = await createMember(tenant, [], { name: 'Grace Hopper' });
  const left = await createMember(tenant, [], { name: 'Ada Lovelace' });
  await tenant.api.put(`/api/client/v1/memberships/${left.membershipId}`, { status: 'inactive' });
  await createMember(other, []);
  const { results } = (await member.api.get(PATH)).body;
  assert.equal(results.length, 3);
  assert.equal(results[0].user_id, tenant.ownerUserId);
  assert.deepEqual(results.slice(1), [
    { membership_id: member.membershipId, user_id: member.userId, name: 'Grace Hopper' },
    { membership_id: left.membershipId, user_id: left.userId, name: 'Ada Lovelace' },
  ]);
  await left.api.get(PATH, 401);
});
