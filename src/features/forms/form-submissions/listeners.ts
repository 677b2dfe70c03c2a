import { ExtensionPoint } from '../../../extension-point.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** A stored submission as listeners see it. */
export interface SubscriberSubmission {
  readonly form_code: string;
  readonly form_name: string;
  readonly id: string;
  readonly email_address: string;
  readonly submission_date: string;
  readonly form_data: object;
}

/** The context of the transaction that stores a submission. */
export type SubmissionContext = Pick<RequestContext, 'platform' | 'now'> &
  TenantContext & { readonly actor: Actor };

/** Reacts to submissions of subscribers, in the transaction that stores or erases them. */
export interface SubmissionListener {
  /**
   * Handles a new submission. `journeyIds` are the journeys that the form's actions name. Returns true if the
   * subscriber entered a journey.
   */
  onSubmission(
    ctx: SubmissionContext,
    submission: SubscriberSubmission,
    subscriberId: string,
    journeyIds: readonly string[],
  ): Promise<boolean>;
  /** Deletes the data of erased submissions. */
  onErasure(tx: ScopedDb, submissionIds: readonly string[]): Promise<void>;
}

/** Features that react to submissions. */
export const submissionListeners = new ExtensionPoint<SubmissionListener>();
