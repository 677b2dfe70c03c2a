/**
 * What a process may hold in memory for the sake of outside work, in bytes: messages that are rendered and built ahead
 * of their hand-over, files that go along, records that are posted. Whatever may be large takes from it before it is
 * read or made, by its greatest size, and gives back what it does not need any more. Tenants take turns, and none has
 * more than half, so that the others' work finds room beside it; what is larger than its share passes alone.
 */
import { oncePerPlatform, type Platform } from '../platform.ts';
import { FairQueue, type Leave } from './fair-queue.ts';

const BUDGET_BYTES = 128 * 1024 * 1024;

const budget = oncePerPlatform(() => new FairQueue({ inAll: BUDGET_BYTES, perTarget: BUDGET_BYTES / 2 }));

/** What asks for memory. */
export interface MemoryRequest {
  readonly tenantId: string;
  readonly bytes: number;
  /** The lower goes first. */
  readonly lane: number;
  readonly maxWaitMs: number;
}

/**
 * Waits for memory; null when there was none in time. Whoever holds some must not wait for more: two that did would wait
 * for each other.
 */
export function takeMemory(platform: Platform, request: MemoryRequest): Promise<Leave | null> {
  const { tenantId, bytes: size, lane, maxWaitMs } = request;
  return budget(platform).enter({ tenantId, targetId: tenantId, size, lane, maxWaitMs });
}
