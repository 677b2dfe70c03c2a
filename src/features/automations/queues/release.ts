/** Delivers waiting messages when their queue gets a handler. */
import Type from 'typebox';
import { defineJob } from '../../../jobs/jobs.ts';
import type { Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { countWaiting, listHandlers, requestMessageRuns } from './messages.ts';
import { lockWaiting, removeWaiting } from './queries.ts';

/** Messages per transaction, and total size of the inputs of their runs, in bytes. */
const MAX_MESSAGES = 100;
const MAX_BYTES = 8 * 1024 * 1024;

/** Requests the runs of waiting messages. */
export const releaseWaiting = defineJob({
  name: 'queues.release-waiting',
  payload: Type.Object({ tenant_id: Type.String(), queue: Type.String() }),
  timeoutSeconds: 3600,
  run: async (platform, { tenant_id: tenantId, queue }) => {
    while (!platform.drain.started && (await releaseBatch(platform, tenantId, queue)));
    if (platform.drain.started)
      throw new Error('The process is stopping. The next attempt releases the remaining messages.');
  },
});

/** Returns true if there may be more. */
async function releaseBatch(platform: Platform, tenantId: string, queue: string): Promise<boolean> {
  const now = platform.clock();
  return platform.scoped(wholeTenant(tenantId)).transaction(async (db) => {
    const handlers = await listHandlers(db, queue);
    if (handlers.length === 0) return false;
    const waiting = await lockWaiting(db, queue, MAX_MESSAGES);
    let bytes = 0;
    const batch = waiting.filter(({ bytes: own }, index) => {
      bytes += own * handlers.length;
      return index === 0 || bytes <= MAX_BYTES;
    });
    const messages = await removeWaiting(
      db,
      batch.map(({ id }) => id),
    );
    for (const message of messages) {
      countWaiting({ platform, db, now }, message, -1);
      await requestMessageRuns({ platform, db, now }, message);
    }
    return messages.length > 0;
  });
}
