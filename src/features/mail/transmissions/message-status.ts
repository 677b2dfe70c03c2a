import type { MessageDetails } from './queries.ts';
import type { TransmissionHead } from './resource.ts';
import type { MessageStatus } from './schema.ts';

/**
 * Returns a message's status for callers. A queued message is `sending` once a worker has claimed it, also after
 * the worker has returned it: its due time is then later than the planned one.
 */
export function publicStatus(
  { status, attempts, due_at: dueAt, claim_id: claimId }: MessageDetails,
  { scheduled_at: scheduledAt, created_at: createdAt }: TransmissionHead,
): MessageStatus {
  if (status !== 'queued') return status;
  const isLate = new Date(dueAt) > new Date(scheduledAt ?? createdAt);
  return attempts > 0 || claimId !== null || isLate ? 'sending' : 'queued';
}

/** Returns the reason why a message has not arrived; null without one. */
export function failureReason({ status, last_error: error, ...row }: MessageDetails): string | null {
  if (status === 'suppressed') return row.suppressed_by;
  if (status === 'bounced') return row.bounce_reason ?? error;
  return status === 'sent' ? null : error;
}
