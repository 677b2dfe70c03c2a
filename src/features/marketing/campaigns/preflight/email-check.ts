/** Check of an email before sending: renders it for a sample of its recipients. */
import type { Platform } from '../../../../platform.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { areMembersCurrent } from '../../../contacts/api.ts';
import { type ContentCheck, type ContentSnapshot, readContent } from '../emails/content.ts';
import type { EmailRow } from '../emails/resource.ts';
import type { EmailInCampaign } from '../emails/service.ts';
import { findMailSubscribers, type MailSubscriber, SAMPLE_SUBSCRIBER } from '../sending/mail-subscribers.ts';
import { dryRunData } from '../sending/recipient-resolver.ts';
import { groupsOf, sendingOf } from '../sending/sending-start.ts';
import { unitScope } from '../sending/unit-scope.ts';
import { hasNoRecipients } from './audience-counts.ts';
import {
  contentProblems,
  emptyContent,
  NO_RECIPIENTS,
  type PreflightEntry,
  renderProblem,
} from './problems.ts';
import { findRecipientShapes, type RecipientShapes } from './recipient-shapes.ts';
import { renderSamples, type Sample, type SampleResult } from './sample-rendering.ts';
import { findFieldNames, hasUnsubscribeLink } from './template-fields.ts';

/** Result of a check. */
export interface EmailCheck {
  /** Snapshot of the content; null if the content is incomplete. */
  readonly snapshot: ContentSnapshot | null;
  readonly problems: PreflightEntry[];
  readonly warnings: PreflightEntry[];
  /** Number of recipients: the exact one of the options, else the number in the sample. */
  readonly recipients: number;
}

/** Options of a check. */
export interface CheckOptions {
  readonly now: Date;
  /** Exact number of recipients, if the caller has counted them. */
  readonly recipients?: number;
  readonly deadline: AbortSignal | undefined;
}

/** Some mail programs cut off HTML above this size (bytes). */
const CLIPPED_BYTES = 102 * 1024;

/** True for an email with neither content nor audience, which has nothing to send. */
export function isPlaceholder({ content, ...email }: EmailRow): boolean {
  return groupsOf(email).length === 0 && !content?.html && !content?.template_id;
}

/** Checks an email. Call it outside of transactions: it waits for rendering threads. @throws AppError TIMEOUT. */
export async function checkEmail(
  platform: Platform,
  { campaign, email }: EmailInCampaign,
  options: CheckOptions,
): Promise<EmailCheck> {
  const db = platform.scoped(unitScope(email.tenant_id, email.owner_bu_id));
  const audienceDb = platform.scoped(wholeTenant(email.tenant_id));
  const groups = groupsOf(email);
  const check: ContentCheck = await readContent(platform, db, email);
  const fields = check.snapshot === null ? [] : findFieldNames(check.snapshot.content);
  const audience = await findRecipientShapes(
    platform,
    audienceDb,
    groups,
    email.subscription_type_id,
    fields,
  );
  const isCurrent = await areMembersCurrent(audienceDb, groups, options.now);
  // Sending waits until a computed audience is current, so it is not reported as empty before that.
  const isEmpty =
    isCurrent &&
    audience.count === 0 &&
    (await hasNoRecipients(platform, audienceDb, groups, email.subscription_type_id));
  const recipients = options.recipients ?? audience.count;
  const problems = isEmpty ? [NO_RECIPIENTS] : [];
  const warnings = isCurrent ? [] : [AUDIENCE_COMPUTING];
  if (check.snapshot === null)
    return {
      snapshot: null,
      problems: [...problems, ...contentProblems(check.problems, recipients)],
      warnings,
      recipients,
    };
  const sample = await renderSampleContent(platform, { campaign, email }, check.snapshot, audience, options);
  const isTemplate = Boolean(email.content?.template_id);
  return {
    snapshot: check.snapshot,
    recipients,
    problems: [
      ...problems,
      ...(sample.isEmpty ? [emptyContent(recipients)] : []),
      ...sample.faults.map((fault) => renderProblem(fault, audience, recipients, isTemplate)),
    ],
    warnings: [...warnings, ...contentWarnings(email, check.snapshot, sample, recipients)],
  };
}

/** Renders the content for one subscriber of each shape, or for sample data if there are none. */
async function renderSampleContent(
  platform: Platform,
  { campaign, email }: EmailInCampaign,
  snapshot: ContentSnapshot,
  audience: RecipientShapes,
  { now, deadline }: CheckOptions,
): Promise<SampleResult> {
  const db = platform.scoped(wholeTenant(email.tenant_id));
  const ids = audience.shapes.map(({ id }) => id);
  const subscribers =
    ids.length === 0
      ? new Map<string, MailSubscriber>()
      : await findMailSubscribers(db, ids, email.subscription_type_id);
  const sending = sendingOf(campaign, email, snapshot);
  const sampleOf = (subscriber: MailSubscriber, count: number): Sample => ({
    data: dryRunData(platform, db, subscriber, { sentAt: now, ...sending.campaign }),
    count,
  });
  const samples = audience.shapes.flatMap(({ id, count }) => {
    const subscriber = subscribers.get(id);
    return subscriber === undefined ? [] : [sampleOf(subscriber, count)];
  });
  const renderedSamples = samples.length === 0 ? [sampleOf(SAMPLE_SUBSCRIBER, 0)] : samples;
  const result = await renderSamples(platform, db, snapshot.content, renderedSamples, {
    sharedData: sending.data,
    deadline,
  });
  if (samples.length > 0) return result;
  // Fields that the sample data lacks are not a problem of the audience.
  const isOfSubscriber = ({ error: { variable = '' } }: SampleResult['faults'][number]) =>
    variable.startsWith('subscriber.');
  return { ...result, faults: result.faults.filter((fault) => !isOfSubscriber(fault)) };
}

/** Warning that sending would wait for an audience. */
const AUDIENCE_COMPUTING: PreflightEntry = {
  id: 'audience_computing',
  field: 'audience_ids',
  count: 0,
  message: 'references an audience that is still being computed; counts are incomplete',
};

function contentWarnings(
  { status }: EmailRow,
  { content }: ContentSnapshot,
  { htmlBytes }: SampleResult,
  count: number,
): PreflightEntry[] {
  const warnings: PreflightEntry[] = [];
  if (!hasUnsubscribeLink(content)) {
    const message =
      'has no unsubscribe link: add {{unsubscribe_url}} or {{preferences_url}} (the List-Unsubscribe header is always added)';
    warnings.push({ id: 'no_unsubscribe_link', field: 'content', message, count });
  }
  if (status === 'Draft')
    warnings.push({
      id: 'status_draft',
      field: 'status',
      message: 'is still Draft: set it to Ready to send it',
      count,
    });
  if (htmlBytes > CLIPPED_BYTES) {
    const message = `has ${Math.ceil(htmlBytes / 1024)} kB of HTML: mail clients clip messages over 102 kB`;
    warnings.push({ id: 'html_too_large', field: 'content', message, count });
  }
  return warnings;
}
