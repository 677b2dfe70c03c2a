/**
 * Collects garbage while a process is idle (docs/decisions/0019-memory-settings.md). The engine collects at a heap
 * limit, which depends on the last busy time. An idle process grows by about 3 MiB a minute from polls for due work, so
 * it would keep the memory of that busy time for hours.
 */
import { Session } from 'node:inspector/promises';
import { getHeapStatistics } from 'node:v8';
import type { Platform } from './platform.ts';

const MIB = 1024 * 1024;
/** Interval of checks, in ms. */
const CHECK_MS = 60_000;
/** Maximum share of time in which the event loop of an idle process is busy. */
const IDLE_SHARE = 0.1;
/** Smallest growth since the last collection that justifies another one, in bytes. */
const MIN_GROWTH = 16 * MIB;

/** Measurements of one check. */
export interface HeapCheck {
  /** Share of the time since the last check in which the event loop was busy. */
  readonly busyShare: number;
  /** Bytes of the heap and its external buffers. */
  readonly usedBytes: number;
  /** Bytes after the last collection. */
  readonly baselineBytes: number;
}

/** Returns true if the process should collect garbage now. */
export function isTimeToCollect({ busyShare, usedBytes, baselineBytes }: HeapCheck): boolean {
  return busyShare < IDLE_SHARE && usedBytes - baselineBytes >= MIN_GROWTH;
}

/** Starts garbage collection while the process is idle. */
export function collectWhenIdle({ observe }: Pick<Platform, 'observe'>): void {
  let baselineBytes = 0;
  let since = performance.eventLoopUtilization();
  const check = async () => {
    const now = performance.eventLoopUtilization();
    const busyShare = performance.eventLoopUtilization(now, since).utilization;
    since = now;
    const usedBytes = readUsedBytes();
    // The engine may have collected garbage itself.
    baselineBytes = Math.min(baselineBytes, usedBytes);
    if (!isTimeToCollect({ busyShare, usedBytes, baselineBytes })) return;
    await collectGarbage();
    baselineBytes = readUsedBytes();
  };
  const report = (error: unknown) => observe({ event: 'background.failed', task: 'collect garbage', error });
  setInterval(() => void check().catch(report), CHECK_MS).unref();
}

/** Collects all garbage of this thread's heap and releases its memory. */
export async function collectGarbage(): Promise<void> {
  const session = new Session();
  session.connect();
  try {
    await session.post('HeapProfiler.collectGarbage');
  } finally {
    session.disconnect();
  }
}

function readUsedBytes(): number {
  const { used_heap_size, external_memory } = getHeapStatistics();
  return used_heap_size + external_memory;
}
