/** When a sending will have ended, by what has been sent so far. */
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { countMembers } from '../../subscriber-groups/index.ts';
import { countSendings } from '../../transmissions/index.ts';
import type { EmailRow } from './resource.ts';

/** Messages a second over one connection to a relay, before anything is known of it. */
const PER_CONNECTION = 10;

/** When it ends, or has ended. */
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
  const people = groups.length === 0 ? 0 : await countMembers(db, groups);
  const counts = (await countSendings(db, [job_id])).get(job_id);
  const sent = counts === undefined ? 0 : counts.delivered + counts.bounced;
  const seconds = (now.getTime() - new Date(sent_date ?? now).getTime()) / 1000;
  const perSecond = sent > 0 && seconds > 1 ? sent / seconds : config.smtpConnections * PER_CONNECTION;
  return new Date(startAt.getTime() + (Math.max(0, people - sent) / perSecond) * 1000);
}
