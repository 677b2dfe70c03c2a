/** The work queue of signals. A signal reports an event of a subscriber: it starts, wakes or ends enrollments. */

import { sql } from 'kysely';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { Target } from '../../../work-queue/claim.ts';
import { defineWorkQueue } from '../../../work-queue/define-work-queue.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';
import type { Ack } from '../../../work-queue/work-queue.ts';
import { acknowledgeRows } from '../../../work-queue/work-queue-queries.ts';
import { signalQueue } from '../../contacts/api.ts';
import { processSignals } from './signal-processing.ts';

/** Allows two batches of a tenant: the worker claims one while it writes the other. */
const CONCURRENCY = 6000;
const CONCURRENCY_PER_TENANT = 3000;
const MAX_WAIT_MS = 30_000;
/** How long the first attempt waits for locked subscribers, in ms; longer than PostgreSQL's deadlock timeout. */
const LONGEST_LOCK_WAIT_MS = 1500;

const queue = oncePerPlatform(() => new FairQueue({ total: CONCURRENCY, perTarget: CONCURRENCY_PER_TENANT }));

/** Signals of watched events. Processed signals are deleted. */
export const subscriberSignals = defineWorkQueue<
  signalQueue.ConsumedSignal,
  signalQueue.ConsumedSignal,
  signalQueue.ConsumedSignal
>({
  ...signalQueue.SUBSCRIBER_SIGNALS,
  columns: ['kind', 'subscriber_id', 'key', 'occurred_at', 'data', 'cause'],
  concurrency: CONCURRENCY,
  concurrencyPerTarget: CONCURRENCY_PER_TENANT,
  concurrencyPerTenant: CONCURRENCY_PER_TENANT,
  gate: { queue, lane: 0, maxWaitMs: MAX_WAIT_MS },
  dueTimes: { longestWaitSeconds: () => 0 },
  consume: processDue,
  load: (_platform, claims) => new Map(claims.map(({ id, row }) => [id, row])),
  // `acknowledge` processes the batch as a whole.
  attempt: async (_platform, _claim, signal) => ({ kind: 'success', result: signal }),
  acknowledge: acknowledgeSignals,
});

async function acknowledgeSignals(
  all: EveryTenantDb,
  acks: readonly Ack<signalQueue.ConsumedSignal>[],
  platform: Platform,
): Promise<void> {
  const failed = acks.filter(({ outcome }) => outcome.kind !== 'success');
  if (failed.length > 0) await acknowledgeRows(all, signalQueue.SUBSCRIBER_SIGNALS.table, failed);
  const successful = acks.flatMap(({ claim, outcome }) =>
    outcome.kind === 'success' && outcome.result !== undefined ? [{ claim, signal: outcome.result }] : [],
  );
  for (const [tenantId, claimed] of Map.groupBy(successful, ({ claim }) => claim.tenantId))
    await platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
      const valid = await signalQueue.consumeClaimedSignals(
        tx,
        claimed.map(({ claim }) => claim),
      );
      const signals = claimed.filter(({ claim }) => valid.has(claim.id)).map(({ signal }) => signal);
      await processSignals(tx, platform, signals);
    });
}

function processDue(platform: Platform, { tenantId }: Target, limit: number): Promise<number> {
  return platform.scoped(wholeTenant(tenantId)).transaction(async (tx) => {
    // A locked subscriber must not block signals of other tenants. After this timeout, the worker claims the tenant's
    // signals, and `acknowledgeSignals` waits for the lock.
    await tx.limitLockWaits(LONGEST_LOCK_WAIT_MS);
    const signals = await signalQueue.consumeDueSignals(tx, limit, platform.clock());
    if (signals.length > 0) await processSignals(tx, platform, signals);
    return signals.length;
  });
}

/** Retention of failed signals: their processing was retried for an hour and a half. */
export const signalRetention = defineRetention({
  description: 'subscriber signals that journeys failed to process',
  keptHours: 14 * 24,
  table: signalQueue.SUBSCRIBER_SIGNALS.table,
  isOld: (before) => sql`r.state = 'failed' and r.due_at < ${before}`,
  byTenant: true,
});
