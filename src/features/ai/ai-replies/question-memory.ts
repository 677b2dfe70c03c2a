/**
 * Limits the memory of questions in a process. A question keeps the messages of its thread in memory until the provider
 * has answered, which may take minutes.
 */
import { limitedError } from '../../../http/rate-limits.ts';
import { reserveMemory } from '../../../memory/reserve-memory.ts';
import { shareBytes } from '../../../memory/shares.ts';
import type { Platform } from '../../../platform.ts';
import type { Release } from '../../../work-queue/fair-queue.ts';

/** Copies of a message: as read, as text of at most two bytes a character, and as sent. */
const COPIES = 4;
/** Threads up to this size (bytes) are read without waiting, so most conversations never wait for long ones. */
const SMALL_BYTES = 256 * 1024;
const MAX_WAIT_MS = 30_000;

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
  const release = await reserveMemory(platform, 'questions', {
    tenantId,
    // Even the longest thread leaves half to other tenants.
    bytes: Math.min(bytes * COPIES, shareBytes(platform, 'questions') / 2),
    maxWaitMs: MAX_WAIT_MS,
  });
  if (release === null)
    throw limitedError(1000, 'Too many long threads are being answered. Try again later.');
  return release;
}
