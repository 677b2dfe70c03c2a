import assert from 'node:assert/strict';
import test from 'node:test';
import { createMember } from '../../../../test/harness/members.ts';
import { startTestApp } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const app = await startTestApp();
const PATH = '/api/client/v1/memberships';

test('owners search members by words of name and address, page by page', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const grace = await createMember(tenant, [], { name: 'Grace Hopper' });
  const hedy = await createMember(tenant, [], { name: 'Hedy 100% Lamarr' });
  await createMember(other, [], { name: 'Grace Hopper' });
  const search = async (query: string, ...more: string[]) => {
    const parameters = new URLSearchParams([['search', query]]);
    const { body } = await tenant.api.get(`${PATH}?${[parameters, ...more].join('&')}`);
    return body;
  };
  for (const [query, found] of [
    ['hopper', [grace]],
    ['HOP grace', [grace]],
    [grace.email, [grace]],
    [`hopper ${grace.email.slice(0, 8)}`, [grace]],
    ['100%', [hedy]],
    ['100_', []],
    ['hopper lamarr', []],
  ] as const) {
    const { results, total } = await search(query);
    assert.deepEqual(
      results.map((each: { membership_id: string }) => each.membership_id),
      found.map(({ membershipId }) => membershipId),
      query,
    );
    assert.equal(total, found.length);
  }
  const { results, total } = await search('example.com', 'limit=1', 'page=2');
  assert.deepEqual([results[0].membership_id, total], [grace.membershipId, 2]);
});
