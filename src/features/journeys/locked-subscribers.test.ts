import assert from 'node:assert/strict';
import test from 'node:test';
import { sql } from 'kysely';
import { createJourney, listStates } from '../../../test/harness/journeys.ts';
import { eventually } from '../../../test/harness/poll.ts';
import { createSubscriber } from '../../../test/harness/subscribers.ts';
import { startOwnApp, type TestTenant } from '../../../test/harness/test-app.ts';
import { databaseKind } from '../../../test/harness/test-database.ts';
import { wholeTenant } from '../../tenancy/scope.ts';

export const runsOn = ['embedded', 'server'];

const app = await startOwnApp();
const day = { key: 'day', type: 'wait', seconds: 86_400 };

async function watchedList({ api }: TestTenant) {
  const list = String((await api.post('/api/lists', { name: 'L' })).body.id);
  const journeyId = await createJourney({ api }, [day], { trigger: { type: 'list_joined', list_id: list } });
  return { list, journeyId };
}

const entered = (tenant: TestTenant, journeyId: string) =>
  eventually('the person to be in', async () => (await listStates(tenant, journeyId)).length === 1);

const onServer = {
  skip: databaseKind() !== 'server' && 'pg_locks shows the waiting transactions of one server',
};

test('a subscriber that is locked for long does not delay other tenants', onServer, async () => {
  const [lockedTenant, other] = [await app.createTenant(), await app.createTenant()];
  const [of, ofOther] = [await watchedList(lockedTenant), await watchedList(other)];
  const { id } = await createSubscriber(lockedTenant, {});
  const release = Promise.withResolvers<void>();
  const locked = Promise.withResolvers<void>();
  const db = app.app.platform.scoped(wholeTenant(lockedTenant.tenantId));
  const holding = db.transaction(async (tx) => {
    await tx.raw(
      (tenantId) => sql`
      select from subscribers where tenant_id = ${tenantId}::uuid and id = ${id}::uuid for update`,
    );
    locked.resolve();
    await release.promise;
  });
  await locked.promise;
  await db.raw(
    (tenantId) => sql`
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at)
    values (${tenantId}::uuid, ${crypto.randomUUID()}::uuid, ${tenantId}::uuid, 'pending', 'epoch', 0, 'list_joined',
      ${id}::uuid, ${of.list}, now())`,
  );
  await eventually('its signal to wait for the person', async () => {
    const { rows } = await app.app.platform.database.everyTenant('tests').raw(sql`
      select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`);
    return rows.length > 0;
  });
  await createSubscriber(other, { lists: [ofOther.list] });
  await entered(other, ofOther.journeyId);
  assert.equal((await listStates(lockedTenant, of.journeyId)).length, 0);
  release.resolve();
  await holding;
  await entered(lockedTenant, of.journeyId);
});
