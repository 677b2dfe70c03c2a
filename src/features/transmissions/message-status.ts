import type { ToldMessage } from './queries.ts';
import type { TransmissionHead } from './resource.ts';
import type { MessageStatus } from './schema.ts';

/**
 * A message's status as callers see it. One that a worker has taken up is being sent: its due time has moved to the
 * end of the lease, which costs no write of its own.
 */
export function shownStatus(
  { status, attempts, due_at: dueAt }: ToldMessage,
  { scheduled_at: scheduledAt, created_at: createdAt }: TransmissionHead,
): MessageStatus {
  if (status !== 'queued') return status;
  const isBegun = attempts > 0 || new Date(dueAt) > new Date(scheduledAt ?? createdAt);
  return isBegun ? 'sending' : 'queued';
}

/** Why a message did not arrive, or has not yet; null when nothing stands against it. */
export function shownError({ status, last_error: error, ...row }: ToldMessage): string | null {
  if (status === 'suppressed') return row.suppressed_by;
  if (status === 'bounced') return row.bounce_reason ?? error;
  return status === 'sent' ? null : error;
}
