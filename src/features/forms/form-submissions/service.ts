import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { isZone } from '../../../flows/time-zones.ts';
import type { MemberContext, RequestContext, TenantContext } from '../../../http/context.ts';
import { isAddress, normalizeAddress } from '../../../mail/address.ts';
import { requireRole } from '../../../resources/ownership.ts';
import type { Actor } from '../../../tenancy/actor.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { findSubscriberByAddress, signUps } from '../../contacts/api.ts';
import { acceptPlatformMail, type PlatformMail } from '../../mail/api.ts';
import {
  ADDRESS_FAULT,
  checkAnswers,
  FORM_NOT_FOUND,
  type FormForSubmission,
  findFormByCode,
  toIssue,
} from '../forms/index.ts';
import { webhookDeliveries } from '../webhooks/index.ts';
import { INVALID_SUBMISSION } from './errors.ts';
import { type SubmissionContext, submissionListeners } from './listeners.ts';
import { writeNotification } from './notification.ts';
import { insertSubmission } from './queries.ts';
import type { SubmissionRecord } from './resource.ts';
import type { SubmissionInput } from './schema.ts';
import { signUpOf } from './subscriber-mapping.ts';

const UNKNOWN_ZONE = { field: 'time_zone', message: 'must be an IANA time zone such as Europe/Berlin' };

/** A submission that its form accepts. */
export interface CheckedSubmission {
  readonly form: FormForSubmission;
  readonly record: SubmissionRecord;
  /** Notification mail; null if the form has none or there is no sender. */
  readonly notification: PlatformMail | null;
  /** Subscriber to create; null if the form creates none. */
  readonly signUp: signUps.PreparedSignUp | null;
}

/**
 * Validates a submission through the API. @throws AppError FORM_NOT_FOUND (also for an inactive form), FORBIDDEN, and
 * the errors of `checkSubmission`.
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
 * Validates answers against an active form. It may wait for a thread, so never call it in a transaction. Messages are
 * in the language of `locale`, otherwise the API's English messages.
 * @throws AppError INVALID_SUBMISSION naming each fault, or RATE_LIMITED if too many submissions wait for a check.
 */
export async function checkSubmission(
  ctx: RequestContext,
  db: ScopedDb,
  form: FormForSubmission,
  input: SubmissionInput,
  locale?: string,
): Promise<CheckedSubmission> {
  const { time_zone: timeZone } = input;
  if (timeZone !== undefined && !isZone(timeZone))
    throw new AppError(INVALID_SUBMISSION, { issues: [UNKNOWN_ZONE] });
  const checked = await checkAnswers(ctx.platform, db, form, input.form_data, locale, timeZone);
  const addressIssue = toIssue({ field: 'email_address', fault: ADDRESS_FAULT }, locale);
  const issues = [
    ...(isAddress(input.email_address) ? [] : [addressIssue]),
    ...(checked.ok ? [] : checked.issues),
  ];
  if (!checked.ok || issues.length > 0) throw new AppError(INVALID_SUBMISSION, { issues });
  const record = toRecord(ctx, form, input.email_address, checked.answers);
  const { notify, subscriber_mapping: mapping } = form;
  const signUp = mapping?.enabled
    ? await signUps.prepareSignUp(
        ctx.platform,
        db.tenantId,
        signUpOf(form, mapping, record),
        locale ?? ctx.headers['accept-language'],
      )
    : null;
  if (notify === null) return { form, record, notification: null, signUp };
  const notification = await writeNotification(db, form, notify, record);
  const events = [...record.events, notificationEvent(notification, record.created_at)];
  return { form, record: { ...record, events }, notification, signUp };
}

/** Marks a submission that a bot seems to have sent, and removes the mail, subscriber and journeys it would cause. */
export function asSuspicious({ form, record }: CheckedSubmission): CheckedSubmission {
  const mark = {
    type: 'suspicious',
    message: 'The hidden field was filled in. No mail, subscriber or journey follows.',
    isError: true,
    timestamp: record.created_at,
  };
  const received = record.events.filter(({ type }) => type === 'received');
  return {
    form: { ...form, affects_journeys: false, journey_ids: null },
    record: { ...record, events: [...received, mark] },
    notification: null,
    signUp: null,
  };
}

/**
 * Stores a submission and all work that it causes, in one statement unless there is mail or a subscriber. Returns its
 * id.
 */
export async function storeSubmission(
  ctx: (RequestContext & TenantContext) | MemberContext,
  { form, record, notification, signUp }: CheckedSubmission,
): Promise<string> {
  const { platform, db } = ctx;
  const actor: Actor =
    'caller' in ctx ? { kind: 'member', caller: ctx.caller } : { kind: 'visitor', formCode: form.code };
  const concernsJourneys = form.affects_journeys || form.journey_ids !== null;
  if (notification === null && signUp === null && !concernsJourneys)
    await insertSubmission(db, actor, form, record);
  else
    await db.transaction(async (tx) => {
      const txContext = { platform, now: ctx.now, db: tx, actor };
      const signedUp = signUp && (await signUps.applySignUp(txContext, signUp));
      const recordWithSignUp = signedUp === null ? record : withSignUp(record, signedUp);
      const processed = concernsJourneys
        ? await withJourneys(txContext, form, recordWithSignUp, signedUp?.subscriberId)
        : recordWithSignUp;
      await insertSubmission(tx, actor, form, processed);
      if (notification !== null) await acceptPlatformMail(tx, ctx, notification);
    });
  db.afterCommit(() => platform.workQueues.wake(webhookDeliveries));
  return record.id;
}

/**
 * Returns the record with its journey event. The subscriber is the mapped one, or the one with the address in the
 * form's unit.
 */
async function withJourneys(
  ctx: SubmissionContext,
  form: FormForSubmission,
  record: SubmissionRecord,
  signedUp: string | undefined,
): Promise<SubmissionRecord> {
  const address = normalizeAddress(record.email_address);
  const subscriberId = signedUp ?? (await findSubscriberByAddress(ctx.db, form.owner_bu_id, address));
  if (subscriberId === null) return record;
  let hasEntered = false;
  for (const listener of submissionListeners.of(ctx.platform))
    if (await listener.onSubmission(ctx, record, subscriberId, form.journey_ids ?? [])) hasEntered = true;
  if (!hasEntered) return record;
  const timestamp = record.created_at;
  const step = { type: 'journey', message: 'The subscriber entered a journey.', isError: false, timestamp };
  return { ...record, journey_triggered: true, events: [...record.events, step] };
}

/** Returns the record with the events of the sign-up. */
function withSignUp(record: SubmissionRecord, { isNew, steps }: signUps.SignUpOutcome): SubmissionRecord {
  const events = steps.map((step) => ({ ...step, timestamp: record.created_at }));
  return { ...record, subscriber_created: isNew, events: [...record.events, ...events] };
}

function notificationEvent(
  notification: PlatformMail | null,
  timestamp: string,
): SubmissionRecord['events'][number] {
  const type = 'notification';
  if (notification === null)
    return {
      type,
      message: 'No mail was sent: the tenant has no default sender. Verify a sending domain first.',
      isError: true,
      timestamp,
    };
  const message = `A mail to ${notification.to.length} addresses was accepted.`;
  return { type, message, isError: false, timestamp };
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
