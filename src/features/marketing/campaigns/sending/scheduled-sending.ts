/** Sending of scheduled emails that are due. */
import { REQUEST_MS } from '../../../../http/request-deadline.ts';
import type { Platform } from '../../../../platform.ts';
import { findRecord, getRecord, lockRecord, replaceRecord } from '../../../../resources/records.ts';
import { wholeTenant } from '../../../../tenancy/scope.ts';
import { lockCampaign } from '../emails/queries.ts';
import { type EmailRow, emails } from '../emails/resource.ts';
import { checkEmail } from '../preflight/email-check.ts';
import { describeProblems } from '../preflight/problems.ts';
import { campaigns } from '../resource.ts';
import { platformWriter } from './platform-writer.ts';
import type { ActiveEmail } from './queries.ts';
import { groupsOf, startSending } from './sending-start.ts';

/** Maximum delay with which an email is still sent, such as after an outage. */
const MAX_DELAY_MS = 24 * 60 * 60 * 1000;

/** Starts sending a due email, or cancels it with the reason why it cannot be sent. */
export async function sendScheduled(platform: Platform, { tenant_id, id }: ActiveEmail): Promise<void> {
  const db = platform.scoped(wholeTenant(tenant_id));
  const email = await findRecord(db, emails, id);
  if (email === null) return;
  const now = platform.clock();
  const prepared = await prepareSending(platform, email, now);
  await db.transaction(async (tx) => {
    await lockCampaign(tx, email.campaign_code);
    const writer = platformWriter(tx, now);
    const locked = await lockRecord(writer, emails, id, 'editor');
    // The email has changed since the check: the next run checks it again.
    if (locked.status !== 'Scheduled' || locked.version !== email.version) return;
    if (typeof prepared === 'string')
      await replaceRecord(writer, emails, id, { status: 'Cancelled', cancel_reason: prepared });
    else {
      const campaign = await getRecord(tx, campaigns, locked.campaign_code);
      await startSending(writer, platform, { campaign, email: locked, snapshot: prepared });
    }
  });
}

/** Returns the content to send, null if there is no audience, or the reason why the email cannot be sent. */
async function prepareSending(platform: Platform, email: EmailRow, now: Date) {
  const late = now.getTime() - new Date(email.sent_date ?? now).getTime();
  if (late > MAX_DELAY_MS) return 'The email was due more than 24 hours before it could be sent.';
  if (groupsOf(email).length === 0) return null;
  const db = platform.scoped(wholeTenant(email.tenant_id));
  const campaign = await getRecord(db, campaigns, email.campaign_code);
  const deadline = AbortSignal.timeout(REQUEST_MS);
  const { snapshot, problems, recipients } = await checkEmail(
    platform,
    { campaign, email },
    { now, deadline },
  );
  // A problem of only some recipients fails only their messages, which can be retried after a correction of the
  // content.
  const blocking = problems.filter(({ id, count }) => !MESSAGE_PROBLEMS.has(id) || count >= recipients);
  return snapshot !== null && blocking.length === 0 ? snapshot : describeProblems(blocking);
}

/** Ids of problems that can affect single messages only. */
const MESSAGE_PROBLEMS: ReadonlySet<string> = new Set(['variable_missing', 'render_failed']);
