import type { Platform } from '../platform.ts';
import { QueueWorker } from './queue-worker.ts';
import type { WorkQueue, WorkQueueDefinition } from './work-queue.ts';

/** Declares a work queue for a feature's manifest. */
export function defineWorkQueue<Work, Result = undefined, Row = unknown>(
  definition: WorkQueueDefinition<Work, Result, Row>,
): WorkQueue {
  const { name, table, view = table, extraTenantIds = [], dueTimes } = definition;
  const createWorker = (platform: Platform) => new QueueWorker(platform, definition);
  return { name, table, view, extraTenantIds, dueTimes, createWorker };
}
