/**
 * Sweep of engagement conditions. Opens, clicks and the passing of time change the members of audiences without a
 * change of the subscriber. Once a minute this job evaluates the affected subscribers only.
 */
import Type from 'typebox';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { engagement } from '../../mail/api.ts';
import { findComputedAudiences, listTenantsToSweep, saveSweptUntil } from '../subscriber-groups/index.ts';
import { findSubscribersByAddress, subscriberLocks } from '../subscribers/index.ts';
import { daysBefore, type EngagementRule } from './engagement.ts';
import { evaluateSubscribers } from './evaluation.ts';
import { engagementsOf } from './filters.ts';

/** Maximum delay between an open or click and its recording. */
const LATE_MS = 5 * 60_000;

/**
 * Evaluates subscribers whose opens or clicks are new, or have just reached the age limit of a rule. The failure of one
 * tenant does not stop the others.
 */
export const sweepEngagement = defineJob({
  name: 'computed-audiences.sweep-engagement',
  payload: Type.Object({}),
  timeoutSeconds: 900,
  schedule: '* * * * *',
  run: async (platform) => {
    const errors: unknown[] = [];
    const { rows, failure } = await listTenantsToSweep(platform.database.everyTenant('audience-sweep'));
    if (failure !== undefined) errors.push(failure);
    for (const { tenant_id, audiences, since } of rows) {
      const db = platform.scoped(wholeTenant(tenant_id));
      await sweep(platform, db, audiences, new Date(since)).catch((error: unknown) => errors.push(error));
    }
    if (errors.length > 0) throw new AggregateError(errors, 'Some computed audiences are not up to date.');
  },
});

async function sweep(
  { clock, config }: Platform,
  db: ScopedDb,
  audienceIds: readonly string[],
  since: Date,
): Promise<void> {
  const until = clock();
  const rules = (await findComputedAudiences(db, audienceIds)).flatMap(({ filters }) =>
    engagementsOf(filters ?? {}),
  );
  for (const span of spansOf(rules, since, until)) {
    for await (const recipients of engagement.recipientsEngaged(db, span, config.jobBatchSize)) {
      const subscriberIds = await findSubscribersByAddress(db, recipients);
      if (subscriberIds.length === 0) continue;
      // The exact times are unknown. The start of the span is safe: emails sent before it exclude these new members.
      const changedAt = new Map(subscriberIds.map((id) => [id, since]));
      const options = { audienceIds, changedAt, occurredAt: until };
      await db.transaction(async (tx) =>
        evaluateSubscribers(tx, await subscriberLocks.lockById(tx, subscriberIds), clock(), options),
      );
    }
  }
  await saveSweptUntil(db, audienceIds, until);
}

/** Returns the time spans of new opens and clicks, and of those that reach the age limit of a rule. */
function spansOf(rules: readonly EngagementRule[], since: Date, until: Date): engagement.EngagementSpan[] {
  const kinds = new Set(rules.map(({ kind }) => kind));
  const ages = new Map(rules.map(({ kind, days }) => [`${kind} ${days}`, { kind, days }]));
  return [
    ...[...kinds].map((kind) => ({ kind, after: new Date(since.getTime() - LATE_MS), until })),
    ...[...ages.values()].map(({ kind, days }) => ({
      kind,
      after: daysBefore(since, days),
      until: daysBefore(until, days),
    })),
  ];
}
