import type { Platform } from '../../../platform.ts';
import { lockRecord, replaceRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { firstPending } from '../../transmissions/index.ts';
import { emails, sendingJobs } from '../emails/resource.ts';
import { platformWriter } from './platform-writer.ts';
import { findEndedTo, noteEnded } from './queries.ts';

/**
 * Ends an e-mail of which no message is to be handed over any more. Returns false when its audience is still being frozen,
 * or nothing is known of its sending.
 */
export async function endWhenSent(
  platform: Platform,
  db: ScopedDb,
  emailId: string,
  jobId: string,
): Promise<boolean> {
  const endedTo = await findEndedTo(db, jobId);
  if (endedTo === null) return false;
  const pending = await firstPending(db, jobId, endedTo);
  if (pending !== null) {
    if (pending > endedTo) await noteEnded(db, jobId, pending);
    return true;
  }
  await db.transaction(async (tx) => {
    const writer = platformWriter(tx, platform.clock());
    const email = await lockRecord(writer, emails, emailId, 'editor');
    if (email.status !== 'Sending') return;
    await replaceRecord(writer, emails, emailId, { status: 'Sent' });
    await replaceRecord(writer, sendingJobs, jobId, { status: 'sent' });
  });
  return true;
}
