/**
 * Time passes: what people open and click, and the days after which that does not count any more, change who is in an
 * audience, though nobody changes the person. Once a minute those are looked at whom that concerns, and nobody else.
 */
import Type from 'typebox';
import { defineJob } from '../../jobs/jobs.ts';
import type { Platform } from '../../platform.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { findComputedAudiences, listTenantsToSweep, saveSweptUntil } from '../subscriber-groups/index.ts';
import { findPeopleAt, holdPeople } from '../subscribers/index.ts';
import { type EngagementSpan, recipientsEngaged } from '../transmissions/index.ts';
import { daysBefore, type EngagementRule } from './engagement.ts';
import { evaluatePeople } from './evaluation.ts';
import { engagementsOf } from './filters.ts';

/** Openings and clicks are recorded some moments after they were seen; a process that could not may be late. */
const LATE_MS = 5 * 60_000;

/** Looks at whom openings, clicks and their ends concern. What fails for one tenant does not keep the others. */
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
    for await (const recipients of recipientsEngaged(db, span, config.jobBatchSize)) {
      const people = await findPeopleAt(db, recipients);
      if (people.length === 0) continue;
      // Nobody tells when each engaged; no e-mail goes to them whose sending began before the time that is looked at.
      const changedAt = new Map(people.map((id) => [id, since]));
      const occasion = { audienceIds, changedAt, cameAt: until };
      await db.transaction(async (tx) => evaluatePeople(tx, await holdPeople(tx, people), clock(), occasion));
    }
  }
  await saveSweptUntil(db, audienceIds, until);
}

/** What was opened or clicked lately, and what was as many days ago as a rule counts. */
function spansOf(rules: readonly EngagementRule[], since: Date, until: Date): EngagementSpan[] {
  const lately = new Set(rules.map(({ what }) => what));
  const ends = new Map(rules.map(({ what, days }) => [`${what} ${days}`, { what, days }]));
  return [
    ...[...lately].map((what) => ({ what, after: new Date(since.getTime() - LATE_MS), until })),
    ...[...ends.values()].map(({ what, days }) => ({
      what,
      after: daysBefore(since, days),
      until: daysBefore(until, days),
    })),
  ];
}
