/** Finds what keeps an e-mail from being sent, by rendering it for a sample of its recipients. */
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { PREVIEW_MESSAGE_ID, unsubscribeLinks } from '../../email-tracking/index.ts';
import { areMembersCurrent } from '../../subscriber-groups/index.ts';
import { type ContentCheck, type FrozenContent, readContent } from '../emails/content.ts';
import type { EmailRow } from '../emails/resource.ts';
import type { InCampaign } from '../emails/service.ts';
import { previewData } from '../sending/audience.ts';
import { groupsOf, sendingOf } from '../sending/begin.ts';
import { findPeople, type Person, SAMPLE_PERSON } from '../sending/people.ts';
import { unitScope } from '../sending/unit-scope.ts';
import { isToNobody } from './count-audience.ts';
import {
  contentProblems,
  emptyContent,
  NO_RECIPIENTS,
  type PreflightEntry,
  renderProblem,
} from './problems.ts';
import { findRecipientShapes, type RecipientShapes } from './recipient-shapes.ts';
import { findFieldNames, hasUnsubscribeLink } from './template-fields.ts';
import { renderTrials, type Trial, type TrialResult } from './trial-rendering.ts';

/** What was found about an e-mail. */
export interface EmailCheck {
  /** The content as it would be frozen; null if it lacks something. */
  readonly frozen: FrozenContent | null;
  readonly problems: PreflightEntry[];
  readonly warnings: PreflightEntry[];
  /** People who would get it, as far as they were read. */
  readonly recipients: number;
}

/** How much is known of the audience, and how long the check may take. */
export interface CheckOptions {
  readonly now: Date;
  /** People who would get it, where they were counted; else those who were read. */
  readonly recipients?: number;
  readonly deadline: AbortSignal | undefined;
}

/** HTML of more bytes is cut off by some mail programs. */
const CLIPPED_BYTES = 102 * 1024;

/** True for an e-mail with neither content nor audience: processing it sends nothing to nobody. */
export function isPlaceholder({ content, ...email }: EmailRow): boolean {
  return groupsOf(email).length === 0 && !content?.html && !content?.template_id;
}

/** Checks an e-mail. Rendering threads do the work: never inside a transaction. @throws AppError TIMEOUT. */
export async function checkEmail(
  platform: Platform,
  { campaign, email }: InCampaign,
  options: CheckOptions,
): Promise<EmailCheck> {
  const db = platform.scoped(unitScope(email.tenant_id, email.owner_bu_id));
  const audienceDb = platform.scoped(wholeTenant(email.tenant_id));
  const groups = groupsOf(email);
  const check: ContentCheck = await readContent(platform, db, email);
  const fields = check.frozen === null ? [] : findFieldNames(check.frozen.content);
  const audience = await findRecipientShapes(
    platform,
    audienceDb,
    groups,
    email.subscription_type_id,
    fields,
  );
  const isCurrent = await areMembersCurrent(audienceDb, groups, options.now);
  // A computed audience may still be filled: sending waits for it.
  const isEmpty =
    isCurrent &&
    audience.people === 0 &&
    (await isToNobody(platform, audienceDb, groups, email.subscription_type_id));
  const recipients = options.recipients ?? audience.people;
  const problems = isEmpty ? [NO_RECIPIENTS] : [];
  const warnings = isCurrent ? [] : [COMPUTING];
  if (check.frozen === null)
    return {
      frozen: null,
      problems: [...problems, ...contentProblems(check.problems, recipients)],
      warnings,
      recipients,
    };
  const trial = await tryContent(platform, { campaign, email }, check.frozen, audience, options);
  const isTemplate = Boolean(email.content?.template_id);
  return {
    frozen: check.frozen,
    recipients,
    problems: [
      ...problems,
      ...(trial.isEmpty ? [emptyContent(recipients)] : []),
      ...trial.faults.map((fault) => renderProblem(fault, audience, recipients, isTemplate)),
    ],
    warnings: [...warnings, ...contentWarnings(email, check.frozen, trial, recipients)],
  };
}

/** Renders the content for one person of each shape; for a sample person when there is nobody. */
async function tryContent(
  platform: Platform,
  { campaign, email }: InCampaign,
  frozen: FrozenContent,
  audience: RecipientShapes,
  { now, deadline }: CheckOptions,
): Promise<TrialResult> {
  const db = platform.scoped(wholeTenant(email.tenant_id));
  const ids = audience.shapes.map(({ id }) => id);
  const people =
    ids.length === 0 ? new Map<string, Person>() : await findPeople(db, ids, email.subscription_type_id);
  const sending = sendingOf(campaign, email, frozen);
  const trialOf = (person: Person, count: number): Trial => ({
    data: trialData(platform, db.tenantId, person, { sentAt: now, ...sending.campaign }),
    people: count,
  });
  const trials = audience.shapes.flatMap(({ id, people: count }) => {
    const person = people.get(id);
    return person === undefined ? [] : [trialOf(person, count)];
  });
  const wanted = trials.length === 0 ? [trialOf(SAMPLE_PERSON, 0)] : trials;
  const result = await renderTrials(platform, db, frozen.content, wanted, {
    sharedData: sending.data,
    deadline,
  });
  if (trials.length > 0) return result;
  // Nobody is there who could lack a field.
  const isOfSubscriber = ({ error: { variable = '' } }: TrialResult['faults'][number]) =>
    variable.startsWith('subscriber.');
  return { ...result, faults: result.faults.filter((fault) => !isOfSubscriber(fault)) };
}

/** What templates see of a recipient in a trial: its links act for nobody. */
export function trialData(
  platform: Platform,
  tenantId: string,
  person: Person,
  facts: Parameters<typeof previewData>[3],
): Record<string, unknown> {
  return {
    ...previewData(platform, { tenantId }, person, facts),
    address: { name: `${person.first_name} ${person.last_name ?? ''}`.trim(), email: person.email },
    unsubscribe_url: unsubscribeLinks(platform, tenantId, PREVIEW_MESSAGE_ID).url,
  };
}

/** Sending would wait. */
const COMPUTING: PreflightEntry = {
  ...{ id: 'audience_computing', field: 'audience_ids', count: 0 },
  message: 'references an audience that is still being computed; counts are incomplete',
};

function contentWarnings(
  { status }: EmailRow,
  { content }: FrozenContent,
  { htmlBytes }: TrialResult,
  count: number,
): PreflightEntry[] {
  const warnings: PreflightEntry[] = [];
  if (!hasUnsubscribeLink(content)) {
    const message =
      'has no unsubscribe link: add {{unsubscribe_url}} or {{preferences_url}} (the List-Unsubscribe header is added all the same)';
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
    const message = `has ${Math.ceil(htmlBytes / 1024)} kB of HTML: mail programs cut off what is over 102 kB`;
    warnings.push({ id: 'html_too_large', field: 'content', message, count });
  }
  return warnings;
}
