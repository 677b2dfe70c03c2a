import { sql } from 'kysely';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { signalQueue } from '../contacts/api.ts';
import type { SubmissionContext, SubmissionListener, SubscriberSubmission } from '../forms/api.ts';
import { enrollSubscribers } from './entering/enrollment.ts';

/** Starts journeys for submissions, and deletes the trigger data of erased submissions. */
export const journeySubmissions: SubmissionListener = {
  onSubmission: enterJourneys,
  onErasure: eraseTriggers,
};

/**
 * Enrolls the subscriber in the journeys that the form triggers or its actions name, and signals enrollments that wait
 * for the form. Returns true if the subscriber entered a journey.
 */
async function enterJourneys(
  { platform, db, now, actor }: SubmissionContext,
  { form_code: formCode, ...submission }: SubscriberSubmission,
  subscriberId: string,
  requestedJourneyIds: readonly string[],
): Promise<boolean> {
  const watch = { kind: 'form_submission', key: formCode } as const;
  const watchers = (await signalQueue.findWatchers(db, [watch]))(watch);
  const trigger = { type: 'form_submission', form_code: formCode, ...submission };
  const journeyIds = [...new Set([...watchers, ...requestedJourneyIds])];
  const entered = await enrollSubscribers(
    db,
    { platform, now, actor },
    journeyIds.map((journeyId) => ({ journeyId, subscriberId, trigger, submissionId: submission.id })),
  );
  // Dated before the enrollment, so that the submission that starts a journey does not complete a wait in it.
  const occurredAt = new Date(now.getTime() - 1);
  await signalQueue.insertSignals(
    db,
    [{ kind: 'form_submission', key: formCode, subscriberId, occurredAt }],
    now,
  );
  return entered.some((id) => id !== null);
}

async function eraseTriggers(tx: ScopedDb, ids: readonly string[]): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
    update journey_states set trigger = null
    where tenant_id = ${tenantId}::uuid and submission_id = any(${ids}::uuid[])`,
  );
}
