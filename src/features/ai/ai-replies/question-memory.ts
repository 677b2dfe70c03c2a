/**
 * Limits the memory of questions in a process: the messages of their threads, until the provider has answered, which
 * may take minutes. The budget is separate, so that neither mail nor a list waits for a model. Tenants take turns, and
 * none gets more than half. The longest threads count as half, because a question that waits for more would block all
 * others.
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

const budget = oncePerPlatform(() => new FairQueue({ inAll: BUDGET_BYTES, perTarget: BUDGET_BYTES / 2 }));

/**
 * Waits for memory for messages of this many bytes, before they are read. The caller must hold no transaction, and must
 * take memory for only one question: two that held some and waited for more would deadlock. @throws AppError
 * RATE_LIMITED if there is none in time.
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
