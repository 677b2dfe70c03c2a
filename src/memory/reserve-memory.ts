/** Memory that one process has for work of a kind. Tenants take turns, and none gets more than half. */
import { oncePerPlatform, type Platform } from '../platform.ts';
import { FairQueue, type Release } from '../work-queue/fair-queue.ts';
import { type MemoryShare, shareBytes } from './shares.ts';

/** Shares from which work reserves memory; the others are limits of caches or counted by their owners. */
type Reservable = Extract<MemoryShare, 'largeBodies' | 'largeRecords' | 'outgoingWork' | 'questions'>;

/** A request for memory. */
export interface MemoryRequest {
  readonly tenantId: string;
  readonly bytes: number;
  /** Priority; a lower number goes first. Default 0. */
  readonly lane?: number;
  readonly maxWaitMs: number;
}

const queues = oncePerPlatform((platform) => ({
  largeBodies: queueOf(platform, 'largeBodies'),
  largeRecords: queueOf(platform, 'largeRecords'),
  outgoingWork: queueOf(platform, 'outgoingWork'),
  questions: queueOf(platform, 'questions'),
}));

function queueOf(platform: Platform, share: Reservable): FairQueue {
  const total = shareBytes(platform, share);
  return new FairQueue({ total, perTarget: total / 2 });
}

/**
 * Waits for memory before anything is read or built; returns null if there is none in time. A request for more than
 * half of a share waits until its tenant has nothing else reserved. A caller that already has some must not request
 * more: two such callers would deadlock.
 */
export function reserveMemory(
  platform: Platform,
  share: Reservable,
  { tenantId, bytes: size, lane = 0, maxWaitMs }: MemoryRequest,
): Promise<Release | null> {
  return queues(platform)[share].enter({ tenantId, targetId: tenantId, size, lane, maxWaitMs });
}
