/** Sends an e-mail to a few addresses for a look at it, counted nowhere. */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { VERSION_CONFLICT } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { requestDeadline } from '../../../http/request-deadline.ts';
import { requireRole } from '../../../resources/ownership.ts';
import {
  beginSending,
  CAMPAIGN_LANE,
  endWriting,
  insertMessages,
  ledgerOf,
  toMessages,
} from '../../transmissions/index.ts';
import { invalidCampaign } from '../errors.ts';
import { checkEmail, type EmailCheck, trialData } from '../preflight/check-email.ts';
import { type PreflightEntry, renderProblem } from '../preflight/problems.ts';
import { renderTrials } from '../preflight/trial-rendering.ts';
import { viewUrl } from '../preview/view-token.ts';
import { previewData } from '../sending/audience.ts';
import { groupsOf, sendingOf } from '../sending/begin.ts';
import { findFirstPerson, type Person, SAMPLE_PERSON } from '../sending/people.ts';
import type { FrozenContent } from './content.ts';
import { findEmail, type InCampaign } from './service.ts';

/** What is known of an e-mail before a test of it is written. */
export interface ReadTest {
  readonly version: number;
  readonly check: EmailCheck;
  /** The person whose data the test shows. */
  readonly person: Person;
}

/** The answer to a test: its id, and what preflight says of the e-mail. */
export interface TestSent {
  readonly transactionId: string;
  readonly problems: PreflightEntry[];
  readonly warnings: PreflightEntry[];
}

/**
 * Checks an e-mail, and renders it for the person whose data a test shows.
 * @throws AppError as `findEmail`, FORBIDDEN, TIMEOUT, or INVALID_CAMPAIGN if there is nothing that a test could show.
 */
export async function readTest(ctx: MemberContext, code: string, id: string): Promise<ReadTest> {
  const found = await findEmail(ctx, code, id);
  const { campaign, email } = found;
  requireRole(ctx.caller, email.owner_bu_id, 'editor');
  const { db, platform, now } = ctx;
  const deadline = requestDeadline(ctx);
  const check = await checkEmail(platform, found, { now, deadline });
  if (check.frozen === null) throw invalidCampaign(check.problems);
  const first = await findFirstPerson(platform, db, groupsOf(email), email.subscription_type_id);
  const person = first ?? withEveryField(SAMPLE_PERSON, check.frozen);
  const sending = sendingOf(campaign, email, check.frozen);
  const data = trialData(platform, db.tenantId, person, { sentAt: now, ...sending.campaign });
  const { faults } = await renderTrials(platform, db, check.frozen.content, [{ data, people: 1 }], {
    sharedData: sending.data,
    deadline,
  });
  const ofAudience = check.problems.filter(({ id: problem }) => PROBLEMS_OF_RENDERING.has(problem));
  const isTemplate = Boolean(email.content?.template_id);
  const own = faults.map((fault) => renderProblem(fault, { people: 1, isSample: false }, 1, isTemplate));
  if (own.length > 0) throw invalidCampaign(ofAudience.length > 0 ? ofAudience : own);
  return { version: email.version, check, person };
}

const PROBLEMS_OF_RENDERING: ReadonlySet<string> = new Set(['variable_missing', 'render_failed']);

/** A person who stands in for nobody: every additional field that the content names shows its own name. */
function withEveryField(person: Person, { content }: FrozenContent): Person {
  const texts = [content.subject, content.html, content.text ?? '', ...Object.values(content.snippets)];
  const names = texts.flatMap((text) =>
    [...text.matchAll(SUBSCRIBER_FIELD)].map(([, name = '']): [string, string] => [name, `[${name}]`]),
  );
  return { ...person, additional_fields_data: Object.fromEntries(names) };
}

const SUBSCRIBER_FIELD = /\bsubscriber\.(?:additional_fields_data\.)?([A-Za-z0-9_]{1,64})/g;

/** Writes a test. @throws AppError as `findEmail`, or VERSION_CONFLICT. */
export async function testEmail(
  ctx: MemberContext,
  code: string,
  id: string,
  addresses: readonly string[],
  { version, check, person }: ReadTest,
): Promise<TestSent> {
  const { campaign, email } = await findEmail(ctx, code, id);
  if (email.version !== version) throw new AppError(VERSION_CONFLICT);
  const { frozen, problems, warnings } = check;
  if (frozen === null) throw invalidCampaign(problems);
  const transactionId = await sendTest(ctx, { campaign, email, person, frozen }, addresses);
  return { transactionId, problems, warnings };
}

async function sendTest(
  { db, platform, now }: MemberContext,
  { campaign, email, person, frozen }: InCampaign & { person: Person; frozen: FrozenContent },
  addresses: readonly string[],
): Promise<string> {
  const transmissionId = uuidv7();
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
