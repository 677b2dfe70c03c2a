/** E-mails whose time has come. */
import { REQUEST_MS } from '../../../http/request-deadline.ts';
import type { Platform } from '../../../platform.ts';
import { findRecord, getRecord, lockRecord, replaceRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { lockCampaign } from '../emails/queries.ts';
import { type EmailRow, emails } from '../emails/resource.ts';
import { checkEmail } from '../preflight/check-email.ts';
import { inWords } from '../preflight/problems.ts';
import { campaigns } from '../resource.ts';
import { depart, groupsOf } from './begin.ts';
import { platformWriter } from './platform-writer.ts';
import type { UnderWay } from './queries.ts';

/** What comes due while nothing runs is still sent for so long. */
const LATEST_MS = 24 * 60 * 60 * 1000;

/** Has an e-mail go out that is due, or cancels it and says why it cannot. */
export async function sendScheduled(platform: Platform, { tenant_id, id }: UnderWay): Promise<void> {
  const db = platform.scoped(wholeTenant(tenant_id));
  const email = await findRecord(db, emails, id);
  if (email === null) return;
  const now = platform.clock();
  const reason = await findObstacle(platform, email, now);
  await db.transaction(async (tx) => {
    await lockCampaign(tx, email.campaign_code);
    const writer = platformWriter(tx, now);
    const locked = await lockRecord(writer, emails, id, 'editor');
    // Somebody changed it meanwhile: the next look is at what it is then.
    if (locked.status !== 'Scheduled' || locked.version !== email.version) return;
    if (typeof reason === 'string')
      await replaceRecord(writer, emails, id, { status: 'Cancelled', cancel_reason: reason });
    else {
      const campaign = await getRecord(tx, campaigns, locked.campaign_code);
      await depart(writer, platform, { campaign, email: locked, frozen: reason });
    }
  });
}

/** Why it cannot go out, in words; else what goes out, null of what goes to nobody. */
async function findObstacle(platform: Platform, email: EmailRow, now: Date) {
  const late = now.getTime() - new Date(email.sent_date ?? now).getTime();
  if (late > LATEST_MS) return 'It came due more than 24 hours before it could be sent.';
  if (groupsOf(email).length === 0) return null;
  const db = platform.scoped(wholeTenant(email.tenant_id));
  const campaign = await getRecord(db, campaigns, email.campaign_code);
  const deadline = AbortSignal.timeout(REQUEST_MS);
  const { frozen, problems, recipients } = await checkEmail(platform, { campaign, email }, { now, deadline });
  // What only some recipients lack fails their messages alone, which can be tried again once the content is repaired.
  const blocking = problems.filter(({ id, count }) => !OF_MESSAGES.has(id) || count >= recipients);
  return frozen !== null && blocking.length === 0 ? frozen : inWords(blocking);
}

/** Problems that make single messages fail. */
const OF_MESSAGES: ReadonlySet<string> = new Set(['variable_missing', 'render_failed']);
