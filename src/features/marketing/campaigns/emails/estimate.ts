/** Estimates when a sending will end, from its rate so far. */
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { countMembers } from '../../../contacts/api.ts';
import { sendingFigures } from '../../../mail/api.ts';
import type { EmailRow } from './resource.ts';

/** Assumed messages per second and relay connection, before the first measurement. */
const PER_CONNECTION = 10;

/** Returns the estimated or actual end of a sending. */
export async function estimateEnd(
  db: ScopedDb,
  { config }: Platform,
  email: EmailRow,
  groups: readonly string[],
  now: Date,
): Promise<Date> {
  const { status, sent_date, updated_at, job_id } = email;
  if (status === 'Sent') return new Date(updated_at);
  const startAt = new Date(status === 'Scheduled' && sent_date !== null ? sent_date : now);
  const members = groups.length === 0 ? 0 : await countMembers(db, groups);
  const counts = (await sendingFigures.countSendings(db, [job_id])).get(job_id);
  const sent = counts === undefined ? 0 : counts.delivered + counts.bounced;
  const seconds = (now.getTime() - new Date(sent_date ?? now).getTime()) / 1000;
  const perSecond = sent > 0 && seconds > 1 ? sent / seconds : config.smtpConnections * PER_CONNECTION;
  return new Date(startAt.getTime() + (Math.max(0, members - sent) / perSecond) * 1000);
}
