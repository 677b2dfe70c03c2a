/** What is done with an e-mail as a whole: sending it, stopping it, taking it back, trying it. */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { requireRole } from '../../../resources/ownership.ts';
import { findRecord, replaceRecord, writerOf } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import {
  beginSending,
  CAMPAIGN_LANE,
  cancelSending,
  endWriting,
  insertMessages,
  ledgerOf,
  toMessages,
} from '../../transmissions/index.ts';
import { invalidCampaign } from '../errors.ts';
import { viewUrl } from '../preview/view-token.ts';
import { previewData } from '../sending/audience.ts';
import { depart, groupsOf, sendingOf } from '../sending/begin.ts';
import { findFirstPerson, SAMPLE_PERSON } from '../sending/people.ts';
import { unitScope } from '../sending/unit-scope.ts';
import { type ContentCheck, type FrozenContent, readContent } from './content.ts';
import { estimateEnd } from './estimate.ts';
import { type EmailRow, type EmailStatus, emails, sendingJobs } from './resource.ts';
import { findEmail, type InCampaign, invalidStatus, lockEmail } from './service.ts';

/** What was read of an e-mail before it is locked. */
export interface ReadEmail {
  readonly version: number;
  readonly check: ContentCheck;
}

/** Reads the content of an e-mail, as its unit does. @throws AppError as `findEmail`, FORBIDDEN. */
export async function readEmail(ctx: MemberContext, code: string, id: string): Promise<ReadEmail> {
  const { email } = await findEmail(ctx, code, id);
  requireRole(ctx.caller, email.owner_bu_id, 'editor');
  return { version: email.version, check: await readContent(ctx.platform, unitDb(ctx, email), email) };
}

function unitDb({ platform }: MemberContext, { tenant_id, owner_bu_id }: EmailRow): ScopedDb {
  return platform.scoped(unitScope(tenant_id, owner_bu_id));
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
 * @throws AppError as `lockEmail`, INVALID_STATUS, INVALID_CAMPAIGN when it lacks something, or VERSION_CONFLICT when it was
 * changed since it was read.
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
  if (groupsOf(email).length > 0 && check.frozen === null) throw invalidCampaign(check.problems);
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

/**
 * Sends an e-mail as it is to addresses for a look at it, counted nowhere.
 * @throws AppError as `findEmail`, FORBIDDEN, or INVALID_CAMPAIGN when it lacks something.
 */
export async function testEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  addresses: readonly string[],
  { version, check }: ReadEmail,
): Promise<{ transactionId: string }> {
  const { campaign, email } = await findEmail(ctx, code, id);
  if (email.version !== version) throw new AppError(VERSION_CONFLICT);
  if (check.frozen === null) throw invalidCampaign(check.problems);
  return { transactionId: await sendTest(ctx, { campaign, email }, addresses, check.frozen) };
}

async function sendTest(
  { db, platform, now }: MemberContext,
  { campaign, email }: InCampaign,
  addresses: readonly string[],
  frozen: FrozenContent,
): Promise<string> {
  const transmissionId = uuidv7();
  const person =
    (await findFirstPerson(platform, db, groupsOf(email), email.subscription_type_id)) ?? SAMPLE_PERSON;
  const content = { ...frozen.content, subject: `[Test] ${frozen.content.subject}` };
  const sending = sendingOf(campaign, email, { ...frozen, content });
  const description = `Test of ${sending.description}`;
  await beginSending(db, { ...sending, id: transmissionId, description, isTest: true }, now);
  await endWriting(db, transmissionId, addresses.length, now);
  const messages = toMessages({ recipients: addresses.map((address) => ({ address })) }, CAMPAIGN_LANE);
  // Whoever tests an e-mail must not choose for the subscriber whose data it shows.
  const data = previewData(platform, db, person, { sentAt: now, ...sending.campaign });
  const told = messages.map((message) => ({
    ...message,
    substitution_data: {
      ...data,
      view_in_browser_url: viewUrl(platform, { tenantId: db.tenantId, messageId: message.id }),
    },
  }));
  await insertMessages(db, { transmissionId, lane: CAMPAIGN_LANE, createdAt: now, dueAt: now }, told);
  db.afterCommit(() => platform.ledgers.wake(ledgerOf(CAMPAIGN_LANE)));
  return transmissionId;
}
