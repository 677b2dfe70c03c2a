/** Sends an e-mail again to those whose messages could not be made. */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { replaceRecord } from '../../../resources/records.ts';
import { CAMPAIGN_LANE, countUnmade, ledgerOf, retryUnmade } from '../../transmissions/index.ts';
import { contentProblems, unsendable } from '../preflight/problems.ts';
import { sendingOf } from '../sending/begin.ts';
import { unitScope } from '../sending/unit-scope.ts';
import { type ContentCheck, readContent } from './content.ts';
import { emails, sendingJobs } from './resource.ts';
import { findEmail, invalidStatus, lockEmail } from './service.ts';

/** The content of an e-mail with failed messages, as it was before the e-mail is locked. */
export interface ReadRetry {
  readonly version: number;
  readonly check: ContentCheck;
}

/** Reads the repaired content. @throws AppError as `findEmail`, FORBIDDEN, or INVALID_STATUS. */
export async function readRetry(ctx: MemberContext, code: string, id: string): Promise<ReadRetry> {
  const { email } = await findEmail(ctx, code, id);
  requireRole(ctx.caller, email.owner_bu_id, 'editor');
  if (email.status !== 'Sent') throw invalidStatus(email);
  const db = ctx.platform.scoped(unitScope(email.tenant_id, email.owner_bu_id));
  return { version: email.version, check: await readContent(ctx.platform, db, email) };
}

/**
 * Sends the failed messages again with the content as it is now; whoever got the e-mail never gets it again.
 * @throws AppError as `lockEmail`, INVALID_STATUS unless the e-mail is Sent and its content complete, VERSION_CONFLICT.
 */
export async function retryFailed(
  ctx: MemberContext,
  code: string,
  id: string,
  { version, check }: ReadRetry,
): Promise<{ id: string; recipients: number }> {
  const { campaign, email } = await lockEmail(ctx, code, id, 'editor');
  if (email.status !== 'Sent') throw invalidStatus(email);
  if (email.version !== version) throw new AppError(VERSION_CONFLICT);
  const { db, now, platform } = ctx;
  const failed = (await countUnmade(db, [email.job_id])).get(email.job_id) ?? 0;
  if (failed === 0) return { id, recipients: 0 };
  if (check.frozen === null) throw unsendable(contentProblems(check.problems, failed));
  const retry = { ...sendingOf(campaign, email, check.frozen), id: uuidv7() };
  const recipients = await retryUnmade(db, email.job_id, retry, now);
  // The watch over e-mails ends it once more when no message waits.
  await replaceRecord(ctx, sendingJobs, email.job_id, { status: 'sending', ended_to: 0 });
  await replaceRecord(ctx, emails, id, { status: 'Sending' });
  db.afterCommit(() => platform.ledgers.wake(ledgerOf(CAMPAIGN_LANE)));
  return { id, recipients };
}
