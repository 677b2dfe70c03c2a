/**
 * Limits the memory of questions in a process. A question keeps the messages of its thread in memory until the provider
 * has answered, which may take minutes. The budget is separate, so that neither mail nor a list waits for a model.
 * Tenants take turns, and none gets more than half. So even the longest thread reserves at most half.
 */
import { limitedError } from '../../../http/rate-limits.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { FairQueue, type Release } from '../../../work-queue/fair-queue.ts';

const BUDGET_BYTES = 128 * 1024 * 1024;
/** Copies of a message: as read, as text of at most two bytes a character, and as sent. */
const COPIES = 4;
/** Threads up to this size (bytes) are read without waiting, so most conversations never wait for long ones. */
const SMALL_BYTES = 256 * 1024;
const MAX_WAIT_MS = 30_000;

const budget = oncePerPlatform(() => new FairQueue({ total: BUDGET_BYTES, perTarget: BUDGET_BYTES / 2 }));

/**
 * Waits for memory for messages of this many bytes, before they are read. Call it outside a transaction, and for only
 * one question at a time: two callers that each wait for a second reservation would deadlock. @throws AppError
 * RATE_LIMITED if no memory is available in time.
 */
export async function reserveQuestionMemory(
  platform: Platform,
  tenantId: string,
  bytes: number,
): Promise<Release> {
  if (bytes <= SMALL_BYTES) return () => {};
  const size = Math.min(bytes * COPIES, BUDGET_BYTES / 2);
  const entry = { tenantId, targetId: tenantId, size, lane: 0, maxWaitMs: MAX_WAIT_MS };
  const release = await budget(platform).enter(entry);
  if (release === null)
    throw limitedError(1000, 'Too many long threads are being answered. Try again later.');
  return release;
}
