/** Operations that change the status of an email: send, cancel, convert to draft. */
import { AppError } from '../../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { requestDeadline } from '../../../../http/request-deadline.ts';
import { requireRole } from '../../../../resources/ownership.ts';
import { findRecord, replaceRecord, writerOf } from '../../../../resources/records.ts';
import { sendings } from '../../../mail/api.ts';
import { checkEmail, type EmailCheck, isPlaceholder } from '../preflight/email-check.ts';
import { unsendable } from '../preflight/problems.ts';
import { groupsOf, startSending } from '../sending/sending-start.ts';
import { estimateEnd } from './estimate.ts';
import { CANCELLED_MANUALLY } from './queries.ts';
import { type EmailRow, type EmailStatus, emails, sendingJobs } from './resource.ts';
import { findEmail, invalidStatus, lockEmail } from './service.ts';

/** Result of the checks before an email is locked. */
export interface SendCheck {
  /** Version of the email that was checked. */
  readonly version: number;
  readonly check: EmailCheck;
}

/** Statuses from which sending can start; in others, the content is not checked. */
const SENDABLE: readonly EmailStatus[] = ['Ready', 'Scheduled'];
const UNCHECKED: EmailCheck = { snapshot: null, problems: [], warnings: [], recipients: 0 };

/** Checks the content of an email in the scope of its unit. @throws AppError as `findEmail`, FORBIDDEN, TIMEOUT. */
export async function checkForSending(ctx: MemberContext, code: string, id: string): Promise<SendCheck> {
  const found = await findEmail(ctx, code, id);
  const { email } = found;
  requireRole(ctx.caller, email.owner_bu_id, 'editor');
  const needsCheck = SENDABLE.includes(email.status) && !isPlaceholder(email);
  const options = { now: ctx.now, deadline: requestDeadline(ctx) };
  return {
    version: email.version,
    check: needsCheck ? await checkEmail(ctx.platform, found, options) : UNCHECKED,
  };
}

/** Reply to a process request. */
export interface ProcessResult {
  readonly id: string;
  readonly status: EmailStatus;
  readonly job_id: string;
  readonly estimated_completion: string;
}

/**
 * Starts sending an email, or schedules it. Does nothing if it is being sent or has been sent.
 * @throws AppError as `lockEmail`, INVALID_STATUS, also if a problem blocks sending, VERSION_CONFLICT if it was changed
 * since the check.
 */
export async function processEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  { version, check }: SendCheck,
): Promise<ProcessResult> {
  const { campaign, email } = await lockEmail(ctx, code, id, 'editor');
  const { status } = email;
  if (status === 'Draft') throw invalidStatus(email, 'Set it to Ready first.');
  if (status === 'Cancelled') throw invalidStatus(email);
  if (status === 'Sending' || status === 'Sent') return toResult(ctx, email);
  // The check is outdated.
  if (email.version !== version) throw new AppError(VERSION_CONFLICT);
  if (check.problems.length > 0) throw unsendable(check.problems);
  if (status === 'Ready' && email.sent_date !== null && new Date(email.sent_date) > ctx.now)
    return toResult(ctx, await replaceRecord(ctx, emails, id, { status: 'Scheduled' }));
  const started = await startSending(writerOf(ctx), ctx.platform, {
    campaign,
    email,
    snapshot: check.snapshot,
  });
  return toResult(ctx, started);
}

async function toResult({ db, platform, now }: MemberContext, email: EmailRow): Promise<ProcessResult> {
  const { id, status, job_id } = email;
  const end = await estimateEnd(db, platform, email, groupsOf(email), now);
  return { id, status, job_id, estimated_completion: end.toISOString() };
}

/** Reply to a change of the status. */
export interface StatusChange {
  readonly id: string;
  readonly status: EmailStatus;
  readonly previous_status: EmailStatus;
  readonly updated_at: string;
}

/** Cancels an email that is waiting or being sent. @throws AppError as `lockEmail`, INVALID_STATUS. */
export async function cancelEmail(ctx: MemberContext, code: string, id: string): Promise<StatusChange> {
  const { email } = await lockEmail(ctx, code, id, 'editor');
  if (!['Ready', 'Scheduled', 'Sending'].includes(email.status)) throw invalidStatus(email);
  if (email.status === 'Sending') {
    // Lock order: job first, as in the snapshot job. An email that was created with this status has no job.
    if ((await findRecord(ctx.db, sendingJobs, email.job_id)) !== null)
      await replaceRecord(ctx, sendingJobs, email.job_id, { status: 'cancelled' });
    await sendings.cancelSending(ctx.db, email.job_id, ctx.now);
  }
  return changeStatus(ctx, email, 'Cancelled', CANCELLED_MANUALLY);
}

/** Converts a waiting email to a draft. @throws AppError as `lockEmail`, INVALID_STATUS. */
export async function convertToDraft(ctx: MemberContext, code: string, id: string): Promise<StatusChange> {
  const { email } = await lockEmail(ctx, code, id, 'editor');
  if (!['Ready', 'Scheduled'].includes(email.status)) throw invalidStatus(email);
  return changeStatus(ctx, email, 'Draft', null);
}

async function changeStatus(
  ctx: MemberContext,
  { id, status: previous_status }: EmailRow,
  status: EmailStatus,
  cancel_reason: string | null,
): Promise<StatusChange> {
  const { updated_at } = await replaceRecord(ctx, emails, id, { status, cancel_reason });
  return { id, status, previous_status, updated_at };
}
