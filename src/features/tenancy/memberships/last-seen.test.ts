/** The last use of a tenant by its members (docs/specification/tenants.md#memberships-and-grants). */
import assert from 'node:assert/strict';
import test from 'node:test';
import { signInBrowser } from '../../../../test/harness/browser-session.ts';
import { createMember } from '../../../../test/harness/members.ts';
import { eventually } from '../../../../test/harness/poll.ts';
import { startOwnApp, type TestTenant } from '../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

let turnedMs = 0;
const app = await startOwnApp({}, { clock: () => new Date(Date.now() + turnedMs) });
const PATH = '/api/client/v1/memberships';
const INFO = '/api/tenant/info';

async function lastSeen(tenant: TestTenant, membershipId: string): Promise<string | null> {
  const { results } = (await tenant.api.get(PATH)).body;
  const find = (each: { membership_id: string }) => each.membership_id === membershipId;
  return results.find(find).last_seen_at;
}

test('the use of a key is recorded for its member, at most once a minute', async () => {
  const tenant = await app.createTenant();
  const { api, membershipId } = await createMember(tenant, []);
  assert.equal(await lastSeen(tenant, membershipId), null);
  await api.get(INFO);
  const first = await eventually('the use to be recorded', () => lastSeen(tenant, membershipId));
  await api.get(INFO);
  assert.equal(await lastSeen(tenant, membershipId), first);
  turnedMs += 61_000;
  await api.get(INFO);
  await eventually('the next use', async () => (await lastSeen(tenant, membershipId)) !== first);
});

test('a session is seen only in the tenants that it calls', async () => {
  const [tenant, other] = [await app.createTenant(), await app.createTenant()];
  const { email, membershipId } = await createMember(tenant, []);
  const added = await other.api.post(PATH, { email, name: 'Ignored' });
  const { page } = await signInBrowser(app.anonymous, email);
  await page.with({ 'x-tenant': other.code }).get(INFO);
  await eventually('the use to be recorded', () => lastSeen(other, added.body.membership_id));
  assert.equal(await lastSeen(tenant, membershipId), null);
});

test('being seen is no change of a membership', async () => {
  const tenant = await app.createTenant();
  const { api, membershipId } = await createMember(tenant, []);
  await api.get(INFO);
  await eventually('the use to be recorded', () => lastSeen(tenant, membershipId));
  await tenant.api.put(`${PATH}/${membershipId}`, { status: 'inactive', version: 1 });
  const query = `entityType=tenant_membership&entitySortKey=${membershipId}`;
  const { body } = await tenant.api.get(`/api/entity/versions?${query}`);
  assert.equal(body.length, 2);
  assert.ok(!JSON.stringify(body).includes('last_seen_at'));
});
