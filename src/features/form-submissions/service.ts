import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../errors/app-error.ts';
import type { MemberContext, RequestContext } from '../../http/context.ts';
import { isAddress } from '../../mail/address.ts';
import { requireRole } from '../../resources/ownership.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { checkAnswers, FORM_NOT_FOUND, type FormForSubmission, findFormByCode } from '../forms/index.ts';
import { webhookDeliveries } from '../webhooks/index.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { insertSubmission, type SubmissionRecord } from './queries.ts';

/** Answers to a form and who gave them. */
export interface SubmissionInput {
  readonly email_address: string;
  readonly form_data: Readonly<Record<string, unknown>>;
}

/**
 * Accepts a submission through the API.
 * @throws AppError FORM_NOT_FOUND (also for an inactive form), FORBIDDEN, INVALID_SUBMISSION naming each fault, or
 * RATE_LIMITED when too many submissions wait to be checked.
 */
export async function createSubmission(
  ctx: MemberContext,
  formCode: string,
  input: SubmissionInput,
): Promise<{ submission_id: string }> {
  const form = await findFormByCode(ctx.db, formCode);
  if (!form?.active) throw new AppError(FORM_NOT_FOUND);
  requireRole(ctx.caller, form.owner_bu_id, 'editor');
  const record = await checkSubmission(ctx, ctx.db, form, input);
  return ctx.commitAnswer(async (db) => ({ submission_id: await storeSubmission(ctx, db, form, record) }));
}

/**
 * Checks answers against an active form and stores them.
 * @throws AppError INVALID_SUBMISSION naming each fault, or RATE_LIMITED when too many wait to be checked.
 */
export async function acceptSubmission(
  ctx: RequestContext,
  db: ScopedDb,
  form: FormForSubmission,
  input: SubmissionInput,
): Promise<string> {
  return storeSubmission(ctx, db, form, await checkSubmission(ctx, db, form, input));
}

/** The record to store. Waits for a thread where a form's rules ask for one: never inside a transaction. */
async function checkSubmission(
  ctx: RequestContext,
  db: ScopedDb,
  form: FormForSubmission,
  input: SubmissionInput,
): Promise<SubmissionRecord> {
  const checked = await checkAnswers(ctx.platform, db, form, input.form_data);
  const issues = [...addressIssues(input.email_address), ...(checked.ok ? [] : checked.issues)];
  if (!checked.ok || issues.length > 0) throw new AppError(INVALID_SUBMISSION, { issues });
  return toRecord(ctx, form, input.email_address, checked.answers);
}

/** Stores a checked submission with everything that must follow, in one statement; returns its id. */
async function storeSubmission(
  { platform }: RequestContext,
  db: ScopedDb,
  form: FormForSubmission,
  record: SubmissionRecord,
): Promise<string> {
  await insertSubmission(db, form, record);
  db.afterCommit(() => platform.ledgers.wake(webhookDeliveries));
  return record.id;
}

function addressIssues(address: string): Issue[] {
  return isAddress(address) ? [] : [{ field: 'email_address', message: 'must be an e-mail address' }];
}

function toRecord(
  ctx: RequestContext,
  form: FormForSubmission,
  emailAddress: string,
  answers: Readonly<Record<string, unknown>>,
): SubmissionRecord {
  const now = ctx.now.toISOString();
  return {
    id: uuidv7(),
    version: 1,
    created_at: now,
    updated_at: null,
    form_code: form.code,
    form_name: form.name,
    email_address: emailAddress,
    submission_date: now,
    form_data: answers,
    subscriber_created: false,
    journey_triggered: false,
    ip_address: ctx.client.address,
    user_agent: ctx.client.userAgent,
    events: [{ type: 'received', message: 'The submission was accepted.', isError: false, timestamp: now }],
  };
}
