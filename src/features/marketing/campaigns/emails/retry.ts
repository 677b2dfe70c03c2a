/** Retry of an email's messages that could not be rendered. */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { requireRole } from '../../../../resources/ownership.ts';
import { replaceRecord } from '../../../../resources/records.ts';
import { sendings } from '../../../mail/api.ts';
import { contentProblems, unsendable } from '../preflight/problems.ts';
import { sendingOf } from '../sending/sending-start.ts';
import { unitScope } from '../sending/unit-scope.ts';
import { type ContentCheck, readContent } from './content.ts';
import { emails, sendingJobs } from './resource.ts';
import { findEmail, invalidStatus, lockEmail } from './service.ts';

/** Content of an email with failed messages, read before the email is locked. */
export interface RetryPreparation {
  readonly version: number;
  readonly check: ContentCheck;
}

/** Reads the corrected content. @throws AppError as `findEmail`, FORBIDDEN, INVALID_STATUS. */
export async function prepareRetry(ctx: MemberContext, code: string, id: string): Promise<RetryPreparation> {
  const { email } = await findEmail(ctx, code, id);
  requireRole(ctx.caller, email.owner_bu_id, 'editor');
  if (email.status !== 'Sent') throw invalidStatus(email);
  const db = ctx.platform.scoped(unitScope(email.tenant_id, email.owner_bu_id));
  return { version: email.version, check: await readContent(ctx.platform, db, email) };
}

/**
 * Sends the failed messages with the current content. Recipients who got the email do not get it again.
 * @throws AppError as `lockEmail`, INVALID_STATUS unless the email is Sent and its content complete, VERSION_CONFLICT.
 */
export async function retryFailed(
  ctx: MemberContext,
  code: string,
  id: string,
  { version, check }: RetryPreparation,
): Promise<{ id: string; recipients: number }> {
  const { campaign, email } = await lockEmail(ctx, code, id, 'editor');
  if (email.status !== 'Sent') throw invalidStatus(email);
  if (email.version !== version) throw new AppError(VERSION_CONFLICT);
  const { db, now, platform } = ctx;
  const failed = (await sendings.countUnbuilt(db, [email.job_id])).get(email.job_id) ?? 0;
  if (failed === 0) return { id, recipients: 0 };
  if (check.snapshot === null) throw unsendable(contentProblems(check.problems, failed));
  const retry = { ...sendingOf(campaign, email, check.snapshot), id: uuidv7() };
  const recipients = await sendings.retryUnbuilt(db, { platform, now }, email.job_id, retry);
  // The polling job ends the email again when no message is pending.
  await replaceRecord(ctx, sendingJobs, email.job_id, { status: 'sending', ended_to: 0 });
  await replaceRecord(ctx, emails, id, { status: 'Sending' });
  return { id, recipients };
}
