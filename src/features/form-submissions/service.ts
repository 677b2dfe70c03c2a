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
): Promise<string> {
  const form = await findFormByCode(ctx.db, formCode);
  if (!form?.active) throw new AppError(FORM_NOT_FOUND);
  requireRole(ctx.caller, form.owner_bu_id, 'editor');
  return acceptSubmission(ctx, ctx.db, form, input);
}

/**
 * Checks answers against an active form and stores them, with everything that must follow, in one transaction.
 * @throws AppError INVALID_SUBMISSION naming each fault, or RATE_LIMITED when too many wait to be checked.
 */
export async function acceptSubmission(
  ctx: RequestContext,
  db: ScopedDb,
  form: FormForSubmission,
  input: SubmissionInput,
): Promise<string> {
  const checked = await checkAnswers(ctx.platform, db, form, input.form_data);
  const issues = [...addressIssues(input.email_address), ...(checked.ok ? [] : checked.issues)];
  if (!checked.ok || issues.length > 0) throw new AppError(INVALID_SUBMISSION, { issues });
  const record = toRecord(ctx, form, input.email_address, checked.answers);
  await insertSubmission(db, form, record);
  db.afterCommit(() => ctx.platform.ledgers.wake(webhookDeliveries));
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
