import { v7 as uuidv7 } from 'uuid';
import { AppError, type Issue } from '../../errors/app-error.ts';
import type { MemberContext, RequestContext, TenantContext } from '../../http/context.ts';
import { isAddress } from '../../mail/address.ts';
import { requireRole } from '../../resources/ownership.ts';
import type { Actor } from '../../tenancy/actor.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { checkAnswers, FORM_NOT_FOUND, type FormForSubmission, findFormByCode } from '../forms/index.ts';
import { webhookDeliveries } from '../webhooks/index.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { insertSubmission } from './queries.ts';
import type { SubmissionRecord } from './resource.ts';

/** Answers to a form and who gave them. */
export interface SubmissionInput {
  readonly email_address: string;
  readonly form_data: Readonly<Record<string, unknown>>;
}

/** A submission that its form accepts. */
export interface CheckedSubmission {
  readonly form: FormForSubmission;
  readonly record: SubmissionRecord;
}

/**
 * Checks a submission through the API.
 * @throws AppError FORM_NOT_FOUND (also for an inactive form), FORBIDDEN, or as `checkSubmission`.
 */
export async function prepareSubmission(
  ctx: MemberContext,
  formCode: string,
  input: SubmissionInput,
): Promise<CheckedSubmission> {
  const form = await findFormByCode(ctx.db, formCode);
  if (!form?.active) throw new AppError(FORM_NOT_FOUND);
  requireRole(ctx.caller, form.owner_bu_id, 'editor');
  return checkSubmission(ctx, ctx.db, form, input);
}

/**
 * Checks answers against an active form. Waits for a thread where a form's rules ask for one: never inside a
 * transaction.
 * @throws AppError INVALID_SUBMISSION naming each fault, or RATE_LIMITED when too many wait to be checked.
 */
export async function checkSubmission(
  ctx: RequestContext,
  db: ScopedDb,
  form: FormForSubmission,
  input: SubmissionInput,
): Promise<CheckedSubmission> {
  const checked = await checkAnswers(ctx.platform, db, form, input.form_data);
  const issues = [...addressIssues(input.email_address), ...(checked.ok ? [] : checked.issues)];
  if (!checked.ok || issues.length > 0) throw new AppError(INVALID_SUBMISSION, { issues });
  return { form, record: toRecord(ctx, form, input.email_address, checked.answers) };
}

/** Stores a submission with everything that must follow, in one statement; returns its id. */
export async function storeSubmission(
  ctx: (RequestContext & TenantContext) | MemberContext,
  { form, record }: CheckedSubmission,
): Promise<string> {
  const { platform, db } = ctx;
  const actor: Actor =
    'caller' in ctx ? { kind: 'member', caller: ctx.caller } : { kind: 'visitor', formCode: form.code };
  await insertSubmission(db, actor, form, record);
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
