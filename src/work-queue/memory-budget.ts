/**
 * Memory budget of one process for data that it sends, in bytes: rendered messages, attachments, records to post. Code
 * that may need much memory reserves its maximum before it reads or builds anything, and releases what it does not use.
 * Tenants take turns, and none gets more than half, so that others can continue. A request for more than half waits
 * until its tenant has nothing else reserved.
 */
import { oncePerPlatform, type Platform } from '../platform.ts';
import { FairQueue, type Release } from './fair-queue.ts';

const BUDGET_BYTES = 128 * 1024 * 1024;

const budget = oncePerPlatform(() => new FairQueue({ total: BUDGET_BYTES, perTarget: BUDGET_BYTES / 2 }));

/** A request for memory. */
export interface MemoryRequest {
  readonly tenantId: string;
  readonly bytes: number;
  /** Priority; a lower number goes first. */
  readonly lane: number;
  readonly maxWaitMs: number;
}

/**
 * Waits for memory; returns null if there is none in time. A caller that already has some must not request more:
 * two such callers would deadlock.
 */
export function reserveMemory(platform: Platform, request: MemoryRequest): Promise<Release | null> {
  const { tenantId, bytes: size, lane, maxWaitMs } = request;
  return budget(platform).enter({ tenantId, targetId: tenantId, size, lane, maxWaitMs });
}
