/** What journeys make of submissions, in the transaction that stores them. */

import { sql } from 'kysely';
import type { RequestContext, TenantContext } from '../../http/context.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { findWatchers, signal } from '../subscriber-groups/index.ts';
import { enterPeople } from './entering/enter.ts';

/** A submission as journeys see it. */
export interface HeardSubmission {
  readonly form_code: string;
  readonly form_name: string;
  readonly id: string;
  readonly email_address: string;
  readonly submission_date: string;
  readonly form_data: object;
}

type SubmissionContext = Pick<RequestContext, 'platform' | 'now'> & TenantContext & { readonly actor: Actor };

/**
 * Lets whoever submitted a form into the journeys that it sets off and those that its actions name, and tells the states that
 * wait for it. Returns whether the person has entered one.
 */
export async function hearSubmission(
  { platform, db, now, actor }: SubmissionContext,
  { form_code: formCode, ...submission }: HeardSubmission,
  subscriberId: string,
  namedJourneyIds: readonly string[],
): Promise<boolean> {
  const watch = { kind: 'form_submission', key: formCode } as const;
  const watchers = (await findWatchers(db, [watch]))(watch);
  const trigger = { type: 'form_submission', form_code: formCode, ...submission };
  const journeyIds = [...new Set([...watchers, ...namedJourneyIds])];
  const entered = await enterPeople(
    db,
    { platform, now, actor },
    journeyIds.map((journeyId) => ({ journeyId, subscriberId, trigger, submissionId: submission.id })),
  );
  // Before the arrival of whoever enters by it: what lets somebody in is not what their first step waits for.
  const occurredAt = new Date(now.getTime() - 1);
  await signal(db, [{ kind: 'form_submission', key: formCode, subscriberId, occurredAt }], now);
  return entered.some((id) => id !== null);
}

/** Has states hold nothing any more of submissions that are erased. */
export async function forgetSubmissions(tx: ScopedDb, ids: readonly string[]): Promise<void> {
  await tx.raw(
    (tenantId) => sql`
    update journey_states set trigger = null
    where tenant_id = ${tenantId}::uuid and submission_id = any(${ids}::uuid[])`,
  );
}
