/**
 * What the questions of a process hold in memory: the messages of their threads, until the provider has answered, which may take
 * minutes. The budget is one of its own, so that neither mail nor a list waits behind a model. Tenants take turns, and none has more
 * than half, which the longest of threads count as: one that waited for more would hold up all others.
 */
import { limitedError } from '../../../http/rate-limits.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { FairQueue, type Leave } from '../../../work-queue/fair-queue.ts';

const BUDGET_BYTES = 128 * 1024 * 1024;
/** Of a message: as it was read, as text of at most two bytes a character, and as it goes out. */
const COPIES = 4;
/** What takes no more is read without asking, bytes: most conversations never wait behind long ones. */
const AT_ONCE = 256 * 1024;
const MAX_WAIT_MS = 30_000;

const budget = oncePerPlatform(() => new FairQueue({ inAll: BUDGET_BYTES, perTarget: BUDGET_BYTES / 2 }));

/**
 * Waits for memory for messages of so many bytes, before they are read. Whoever waits holds no transaction, and takes memory for one
 * question only: two that held some and waited for more would wait for each other. @throws AppError RATE_LIMITED when there is none in time
 */
export async function takeQuestionMemory(
  platform: Platform,
  tenantId: string,
  octets: number,
): Promise<Leave> {
  if (octets <= AT_ONCE) return () => {};
  const size = Math.min(octets * COPIES, BUDGET_BYTES / 2);
  const entry = { tenantId, targetId: tenantId, size, lane: 0, maxWaitMs: MAX_WAIT_MS };
  const leave = await budget(platform).enter(entry);
  if (leave === null) throw limitedError(1000, 'Too many long threads are being answered. Try again later.');
  return leave;
}
