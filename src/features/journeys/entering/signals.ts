/** The ledger of signals: what has happened to people lets them into journeys, wakes their states, or ends them. */
import { sql } from 'kysely';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import { FairQueue } from '../../../ledger/fair-queue.ts';
import { defineLedger, type Settlement, type Target } from '../../../ledger/ledger.ts';
import { settleRows } from '../../../ledger/ledger-queries.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { SUBSCRIBER_SIGNALS, type TakenSignal, takeClaimed, takeDue } from '../../subscriber-groups/index.ts';
import { dealWithSignals } from './deal-with-signals.ts';

/** While some are written, others are claimed. */
const CONCURRENCY = 6000;
const CONCURRENCY_PER_TENANT = 3000;
const LEASE_SECONDS = 60;
const MAX_WAIT_MS = 30_000;
/** How long those who hold a person are waited for at first, milliseconds: longer than it takes to find a deadlock. */
const LONGEST_LOCK_WAIT_MS = 1500;

const queue = oncePerPlatform(() => new FairQueue({ inAll: CONCURRENCY, perTarget: CONCURRENCY_PER_TENANT }));

/** What has happened to people and is watched. What was dealt with is forgotten. */
export const subscriberSignals = defineLedger<TakenSignal, TakenSignal, TakenSignal>({
  ...SUBSCRIBER_SIGNALS,
  columns: ['kind', 'subscriber_id', 'key', 'occurred_at', 'data', 'cause'],
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY_PER_TENANT,
  concurrencyPerTenant: CONCURRENCY_PER_TENANT,
  gate: { queue, lane: 0, maxWaitMs: MAX_WAIT_MS },
  dueTimes: { longestWaitSeconds: () => 0 },
  leaseSeconds: () => LEASE_SECONDS,
  consume: takeSignalsDue,
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  // All of a batch are dealt with where they are settled.
  attempt: async (_platform, _claim, signal) => ({ kind: 'success', note: signal }),
  settle: settleSignals,
});

async function settleSignals(
  all: EveryTenantDb,
  settlements: readonly Settlement<TakenSignal>[],
  platform: Platform,
): Promise<void> {
  const broken = settlements.filter(({ outcome }) => outcome.kind !== 'success');
  if (broken.length > 0) await settleRows(all, SUBSCRIBER_SIGNALS.table, broken);
  const taken = settlements.flatMap(({ claim, outcome }) =>
    outcome.kind === 'success' && outcome.note !== undefined ? [{ claim, signal: outcome.note }] : [],
  );
  for (const [tenantId, own] of Map.groupBy(taken, ({ claim }) => claim.tenantId))
    await platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
      const held = await takeClaimed(
        tx,
        own.map(({ claim }) => claim),
      );
      const signals = own.filter(({ claim }) => held.has(claim.id)).map(({ signal }) => signal);
      await dealWithSignals(tx, platform, signals);
    });
}

function takeSignalsDue(platform: Platform, { tenantId }: Target, limit: number): Promise<number> {
  return platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
    // Other tenants' signals do not wait for somebody who is held: those that are due with that person's are claimed, and wait with them.
    await tx.limitLockWaits(LONGEST_LOCK_WAIT_MS);
    const signals = await takeDue(tx, limit, platform.clock());
    if (signals.length > 0) await dealWithSignals(tx, platform, signals);
    return signals.length;
  });
}

/** Signals that could not be dealt with, though they were tried for an hour and a half. */
export const signalRetention = defineRetention({
  what: 'signals of people that journeys could not take into account',
  keptHours: 14 * 24,
  table: SUBSCRIBER_SIGNALS.table,
  isOld: (before) => sql`r.state = 'failed' and r.due_at < ${before}`,
  byTenant: true,
});
