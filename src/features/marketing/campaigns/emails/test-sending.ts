/** Test sending of an email to a few addresses, without any figures. */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../../http/context.ts';
import { requestDeadline } from '../../../../http/request-deadline.ts';
import { requireRole } from '../../../../resources/ownership.ts';
import { sendings } from '../../../mail/api.ts';
import { invalidCampaign } from '../errors.ts';
import { checkEmail, type EmailCheck } from '../preflight/email-check.ts';
import { type PreflightEntry, renderProblem } from '../preflight/problems.ts';
import { renderSamples } from '../preflight/sample-rendering.ts';
import { viewUrl } from '../preview/view-token.ts';
import {
  findFirstMailSubscriber,
  type MailSubscriber,
  SAMPLE_SUBSCRIBER,
} from '../sending/mail-subscribers.ts';
import { dryRunData, previewData } from '../sending/recipient-resolver.ts';
import { groupsOf, sendingOf } from '../sending/sending-start.ts';
import type { ContentSnapshot } from './content.ts';
import { type EmailInCampaign, findEmail } from './service.ts';

/** Checks of an email before its test is written. */
export interface TestPreparation {
  readonly version: number;
  readonly check: EmailCheck;
  /** The subscriber whose data the test shows. */
  readonly subscriber: MailSubscriber;
}

/** Reply to a test: its id, and the preflight result. */
export interface TestSent {
  readonly transactionId: string;
  readonly problems: PreflightEntry[];
  readonly warnings: PreflightEntry[];
}

/**
 * Checks an email, and renders it for the subscriber whose data the test shows.
 * @throws AppError as `findEmail`, FORBIDDEN, TIMEOUT, INVALID_CAMPAIGN if the content cannot be rendered.
 */
export async function prepareTest(ctx: MemberContext, code: string, id: string): Promise<TestPreparation> {
  const found = await findEmail(ctx, code, id);
  const { campaign, email } = found;
  requireRole(ctx.caller, email.owner_bu_id, 'editor');
  const { db, platform, now } = ctx;
  const deadline = requestDeadline(ctx);
  const check = await checkEmail(platform, found, { now, deadline });
  if (check.snapshot === null) throw invalidCampaign(check.problems);
  const first = await findFirstMailSubscriber(platform, db, groupsOf(email), email.subscription_type_id);
  const subscriber = first ?? withAllFields(SAMPLE_SUBSCRIBER, check.snapshot);
  const sending = sendingOf(campaign, email, check.snapshot);
  const data = dryRunData(platform, db, subscriber, { sentAt: now, ...sending.campaign });
  const { faults } = await renderSamples(platform, db, check.snapshot.content, [{ data, count: 1 }], {
    sharedData: sending.data,
    deadline,
  });
  const audienceProblems = check.problems.filter(({ id: problem }) => RENDER_PROBLEMS.has(problem));
  const isTemplate = Boolean(email.content?.template_id);
  const renderProblems = faults.map((fault) =>
    renderProblem(fault, { count: 1, isSample: false }, 1, isTemplate),
  );
  if (renderProblems.length > 0)
    throw invalidCampaign(audienceProblems.length > 0 ? audienceProblems : renderProblems);
  return { version: email.version, check, subscriber };
}

const RENDER_PROBLEMS: ReadonlySet<string> = new Set(['variable_missing', 'render_failed']);

/** Sample subscriber with all additional fields of the content; the value of each field is its name. */
function withAllFields(subscriber: MailSubscriber, { content }: ContentSnapshot): MailSubscriber {
  const texts = [content.subject, content.html, content.text ?? '', ...Object.values(content.snippets)];
  const names = texts.flatMap((text) =>
    [...text.matchAll(SUBSCRIBER_FIELD)].map(([, name = '']): [string, string] => [name, `[${name}]`]),
  );
  return { ...subscriber, additional_fields_data: Object.fromEntries(names) };
}

const SUBSCRIBER_FIELD = /\bsubscriber\.(?:additional_fields_data\.)?([A-Za-z0-9_]{1,64})/g;

/** Sends a test. @throws AppError as `findEmail`, VERSION_CONFLICT. */
export async function sendTestEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  addresses: readonly string[],
  { version, check, subscriber }: TestPreparation,
): Promise<TestSent> {
  const { campaign, email } = await findEmail(ctx, code, id);
  if (email.version !== version) throw new AppError(VERSION_CONFLICT);
  const { snapshot, problems, warnings } = check;
  if (snapshot === null) throw invalidCampaign(problems);
  const transactionId = await writeTest(ctx, { campaign, email, subscriber, snapshot }, addresses);
  return { transactionId, problems, warnings };
}

async function writeTest(
  { db, platform, now }: MemberContext,
  {
    campaign,
    email,
    subscriber,
    snapshot,
  }: EmailInCampaign & { subscriber: MailSubscriber; snapshot: ContentSnapshot },
  addresses: readonly string[],
): Promise<string> {
  const id = uuidv7();
  const content = { ...snapshot.content, subject: `[Test] ${snapshot.content.subject}` };
  const sending = sendingOf(campaign, email, { ...snapshot, content });
  const description = `Test of ${sending.description}`;
  // Recipients of a test must not change the preferences of the subscriber whose data it shows.
  const data = previewData(platform, db, subscriber, { sentAt: now, ...sending.campaign });
  await sendings.sendTest(db, { platform, now }, { ...sending, id, description }, addresses, (messageId) => ({
    ...data,
    view_in_browser_url: viewUrl(platform, { tenantId: db.tenantId, messageId }),
  }));
  return id;
}
