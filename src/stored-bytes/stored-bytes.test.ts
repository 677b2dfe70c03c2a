import assert from 'node:assert/strict';
import test from 'node:test';
import { startTestApp } from '../../test/harness/test-app.ts';
import { wholeTenant } from '../tenancy/scope.ts';
import { IDEMPOTENCY_RESPONSES } from './kinds.ts';
import { sumByKind } from './queries.ts';
import { StoredBytes } from './stored-bytes.ts';

export const runsOn = ['embedded', 'server', 'cluster'];

const HOUR_MS = 60 * 60 * 1000;
const { app, createTenant } = await startTestApp();
const { platform } = app;
const kind = IDEMPOTENCY_RESPONSES;

/** Returns the counters of one process, whose clock is ahead by this many hours. */
function counters(hoursAhead = 0) {
  const clock = () => new Date(Date.now() + hoursAhead * HOUR_MS);
  return new StoredBytes({ ...platform, clock });
}

async function openTenant() {
  const { tenantId } = await createTenant();
  return { tenantId, db: platform.scoped(wholeTenant(tenantId)) };
}

test('a process knows its own changes immediately, and those of others once they are written', async () => {
  const { tenantId, db } = await openTenant();
  const [one, other] = [counters(), counters()];
  one.add(tenantId, kind, 1000, new Date());
  one.add(tenantId, kind, -200, new Date(Date.now() - 2 * HOUR_MS));
  assert.equal(one.known(tenantId, kind), 800);
  assert.equal(await other.read(db, kind), 0);
  await one.flush();
  assert.equal(await counters().read(db, kind), 800);
  other.add(tenantId, kind, 1, new Date());
  assert.equal(await one.read(db, kind), 800);
  await other.flush();
  assert.equal(await counters().read(db, kind), 801);
});

test('rows count as long as they are stored', async () => {
  const { tenantId, db } = await openTenant();
  const writer = counters();
  writer.add(tenantId, kind, 500, new Date());
  await writer.flush();
  assert.equal(await counters(23).read(db, kind), 500);
  assert.equal(await counters(26).read(db, kind), 0);
});

test('each tenant has its own quota', async () => {
  const [one, other] = [await openTenant(), await openTenant()];
  const writer = counters();
  const quota = kind.quota(platform.config);
  writer.add(one.tenantId, kind, quota, new Date());
  assert.ok(writer.hasReached(one.tenantId, kind, 1));
  assert.ok(!writer.hasReached(other.tenantId, kind, 1));
  await writer.flush();
  assert.ok(
    ((await sumByKind(platform.database.everyTenant('tests'), new Date())).get(kind.name) ?? 0) >= quota,
  );
});
