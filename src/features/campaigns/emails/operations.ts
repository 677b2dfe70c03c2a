/** What is done with an e-mail as a whole: sending it, stopping it, taking it back. */
import { AppError } from '../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { requestDeadline } from '../../../http/request-deadline.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { findRecord, replaceRecord, writerOf } from '../../../resources/records.ts';
import { cancelSending } from '../../transmissions/index.ts';
import { checkEmail, type EmailCheck, isPlaceholder } from '../preflight/check-email.ts';
import { unsendable } from '../preflight/problems.ts';
import { depart, groupsOf } from '../sending/begin.ts';
import { estimateEnd } from './estimate.ts';
import { type EmailRow, type EmailStatus, emails, sendingJobs } from './resource.ts';
import { findEmail, invalidStatus, lockEmail } from './service.ts';

/** What was found about an e-mail before it is locked. */
export interface ReadEmail {
  readonly version: number;
  readonly check: EmailCheck;
}

/** Statuses in which an e-mail can begin to go out, so that its content is read. */
const UNSENT: readonly EmailStatus[] = ['Ready', 'Scheduled'];
const UNREAD: EmailCheck = { frozen: null, problems: [], warnings: [], recipients: 0 };

/** Checks an e-mail that may go out, as its unit does. @throws AppError as `findEmail`, FORBIDDEN, TIMEOUT. */
export async function readEmail(ctx: MemberContext, code: string, id: string): Promise<ReadEmail> {
  const found = await findEmail(ctx, code, id);
  const { email } = found;
  requireRole(ctx.caller, email.owner_bu_id, 'editor');
  const isRead = UNSENT.includes(email.status) && !isPlaceholder(email);
  const options = { now: ctx.now, deadline: requestDeadline(ctx) };
  return {
    version: email.version,
    check: isRead ? await checkEmail(ctx.platform, found, options) : UNREAD,
  };
}

/** What a process answers. */
export interface Processed {
  readonly id: string;
  readonly status: EmailStatus;
  readonly job_id: string;
  readonly estimated_completion: string;
}

/**
 * Sends an e-mail, or schedules it; what is under way or has been sent stays so.
 * @throws AppError as `lockEmail`, INVALID_STATUS, also when a problem blocks sending, or VERSION_CONFLICT when it was changed
 * since it was read.
 */
export async function processEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  { version, check }: ReadEmail,
): Promise<Processed> {
  const { campaign, email } = await lockEmail(ctx, code, id, 'editor');
  const { status } = email;
  if (status === 'Draft' || status === 'Cancelled') throw invalidStatus(email);
  if (status === 'Sending' || status === 'Sent') return processed(ctx, email);
  // Somebody changed it meanwhile: what was read of it is not what it says now.
  if (email.version !== version) throw new AppError(VERSION_CONFLICT);
  if (check.problems.length > 0) throw unsendable(check.problems);
  if (status === 'Ready' && email.sent_date !== null && new Date(email.sent_date) > ctx.now)
    return processed(ctx, await replaceRecord(ctx, emails, id, { status: 'Scheduled' }));
  const departed = await depart(writerOf(ctx), ctx.platform, { campaign, email, frozen: check.frozen });
  return processed(ctx, departed);
}

async function processed({ db, platform, now }: MemberContext, email: EmailRow): Promise<Processed> {
  const { id, status, job_id } = email;
  const end = await estimateEnd(db, platform, email, groupsOf(email), now);
  return { id, status, job_id, estimated_completion: end.toISOString() };
}

/** What a change of the status answers. */
export interface Moved {
  readonly id: string;
  readonly status: EmailStatus;
  readonly previous_status: EmailStatus;
  readonly updated_at: string;
}

/** Stops an e-mail that waits or goes out. @throws AppError as `lockEmail`, or INVALID_STATUS. */
export async function cancelEmail(ctx: MemberContext, code: string, id: string): Promise<Moved> {
  const { email } = await lockEmail(ctx, code, id, 'editor');
  if (!['Ready', 'Scheduled', 'Sending'].includes(email.status)) throw invalidStatus(email);
  if (email.status === 'Sending') {
    // The job first, as the freezing does; an e-mail that was made with this status has none.
    if ((await findRecord(ctx.db, sendingJobs, email.job_id)) !== null)
      await replaceRecord(ctx, sendingJobs, email.job_id, { status: 'cancelled' });
    await cancelSending(ctx.db, email.job_id, ctx.now);
  }
  return move(ctx, email, 'Cancelled', 'It was cancelled by hand.');
}

/** Makes a draft of an e-mail that waits. @throws AppError as `lockEmail`, or INVALID_STATUS. */
export async function convertToDraft(ctx: MemberContext, code: string, id: string): Promise<Moved> {
  const { email } = await lockEmail(ctx, code, id, 'editor');
  if (!['Ready', 'Scheduled'].includes(email.status)) throw invalidStatus(email);
  return move(ctx, email, 'Draft', null);
}

async function move(
  ctx: MemberContext,
  { id, status: previous_status }: EmailRow,
  status: EmailStatus,
  cancel_reason: string | null,
): Promise<Moved> {
  const { updated_at } = await replaceRecord(ctx, emails, id, { status, cancel_reason });
  return { id, status, previous_status, updated_at };
}
