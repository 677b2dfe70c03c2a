import type { Platform } from '../../../../platform.ts';
import { lockRecord, replaceRecord } from '../../../../resources/records.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { sendings } from '../../../mail/api.ts';
import { emails, sendingJobs } from '../emails/resource.ts';
import { platformWriter } from './platform-writer.ts';
import { findEndedPosition, recordEndedPosition } from './queries.ts';

/**
 * Sets an email to Sent if none of its messages is pending. Returns false if its sending is unknown, has ended, or has
 * an unfinished audience snapshot.
 */
export async function completeIfSent(
  platform: Platform,
  db: ScopedDb,
  emailId: string,
  jobId: string,
): Promise<boolean> {
  const endedPosition = await findEndedPosition(db, jobId);
  if (endedPosition === null) return false;
  const pending = await sendings.firstPending(db, jobId, endedPosition);
  if (pending !== null) {
    if (pending > endedPosition) await recordEndedPosition(db, jobId, pending);
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
