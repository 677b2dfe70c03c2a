/**
 * Collects garbage while a process is quiet (docs/decisions/0019-freed-memory-goes-back.md). The engine collects when its
 * heap reaches a limit, which it sets by what a busy time needed. A quiet process comes near it by some 3 MiB a minute:
 * what its looks for due work leave behind. It would hold that, and what the busy time left, for hours.
 */
import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';
import type { Platform } from './platform.ts';

const MIB = 1024 * 1024;
/** How often the process is looked at, milliseconds. */
const LOOK_MS = 60_000;
/** A process is quiet when its event loop had work for less than this share of the time. */
const QUIET_SHARE = 0.1;
/** Growth since the last collection that is worth another one, octets. */
const WORTH = 16 * MIB;

/** What is looked at. */
export interface Look {
  /** The share of the time since the last look in which the event loop had work. */
  readonly busyShare: number;
  /** Octets of the heap and of the buffers that hang on it. */
  readonly held: number;
  /** The same after the last collection. */
  readonly kept: number;
}

/** Whether now is the time. */
export function isTimeToCollect({ busyShare, held, kept }: Look): boolean {
  return busyShare < QUIET_SHARE && held - kept >= WORTH;
}

/** From now on this process collects garbage when it is quiet. */
export function collectWhenQuiet({ observe }: Pick<Platform, 'observe'>): void {
  let kept = 0;
  let since = performance.eventLoopUtilization();
  const look = async () => {
    const now = performance.eventLoopUtilization();
    const busyShare = performance.eventLoopUtilization(now, since).utilization;
    since = now;
    const held = heldBytes();
    // The engine may have collected by itself.
    kept = Math.min(kept, held);
    if (!isTimeToCollect({ busyShare, held, kept })) return;
    await collectGarbage();
    kept = heldBytes();
  };
  const report = (error: unknown) => observe({ event: 'background.failed', task: 'collect garbage', error });
  setInterval(() => void look().catch(report), LOOK_MS).unref();
}

/** Collects all garbage of this thread's heap, and gives back the memory it was in. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

function heldBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
