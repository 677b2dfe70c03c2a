/**
 * Publishes messages and creates one run per active handler of their queue (docs/specification/automations.md#queues).
 * A message commits with the transaction that publishes it. Without a broker, its runs are requested in that
 * transaction too, so no worker is needed in between.
 */
import { v7 as uuidv7 } from 'uuid';
import { momentOfId } from '../../../db/time-ordered-id.ts';
import { runCausedBy } from '../../../db/work-kind.ts';
import { storedCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import { WAITING_MESSAGES } from '../../../stored-bytes/kinds.ts';
import { requireStorageQuota } from '../../../stored-bytes/storage-quota.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { shareLockTenant } from '../../../tenancy/tenant-row.ts';
import {
  type ActiveAutomation,
  listActiveAutomations,
  requestRuns,
  requireInputQuota,
} from '../automations/index.ts';
import { QUEUE_OUTBOX } from './outbox-name.ts';
import { insertOutgoing, insertWaiting, listHandlerIds, type Message } from './queries.ts';

/** The context in which messages are published and received. */
export interface QueueContext {
  readonly platform: Platform;
  /** The open transaction. */
  readonly db: ScopedDb;
  readonly now: Date;
}

/** A run of a message, created now or by an earlier delivery. */
export interface MessageRun {
  readonly automationId: string;
  readonly sourceKey: string;
}

/** Triggers written by one statement, in characters. */
const MAX_CHARS = 8 * 1024 * 1024;

/** Publishes a message in the caller's transaction and returns its id. */
export async function publishMessage(
  ctx: QueueContext,
  { queue, body }: { readonly queue: string; readonly body: unknown },
): Promise<string> {
  const { db, platform, now } = ctx;
  const message = { id: uuidv7(), queue, body: JSON.stringify(body), cause: storedCause(db.tenantId) };
  if (platform.config.amqpUrl === null) {
    await deliverDirectly(ctx, message);
  } else {
    await insertOutgoing(db, message, now);
    db.afterCommit(() => platform.workQueues.wake(QUEUE_OUTBOX));
  }
  return message.id;
}

/** Requests the runs of a message, or stores it until its queue has a handler. */
export async function deliverDirectly(ctx: QueueContext, message: Message): Promise<void> {
  if ((await requestMessageRuns(ctx, message)).length > 0) return;
  // The lock is held from here on, so a new handler sees the waiting message.
  await shareLockTenant(ctx.db);
  if ((await requestMessageRuns(ctx, message)).length > 0) return;
  await insertWaiting(ctx.db, message);
  countWaiting(ctx, message, 1);
}

/** Requires that the quota allows one more message and its runs. @throws AppError AUTOMATION_INPUTS_FULL. */
export async function requireMessageQuota({ platform, db }: QueueContext): Promise<void> {
  await requireInputQuota(platform, db);
  await requireStorageQuota(platform, db, WAITING_MESSAGES);
}

/** Counts a message that starts (1) or stops (-1) waiting, after the commit. */
export function countWaiting({ platform, db }: QueueContext, { id, body }: Message, sign: 1 | -1): void {
  const bytes = sign * Buffer.byteLength(body);
  db.afterCommit(() => storedBytes(platform).add(db.tenantId, WAITING_MESSAGES, bytes, momentOfId(id)));
}

/**
 * Requests one run per message and active handler. Returns all runs of the message; none if the queue has no handler.
 */
export async function requestMessageRuns(
  { db, platform, now }: QueueContext,
  { id, queue, body, cause, buriedAt = '' }: Message,
): Promise<readonly MessageRun[]> {
  const handlers = await listHandlers(db, queue);
  const trigger = `{"message":{"id":${JSON.stringify(id)},"body":${body},"queue":${JSON.stringify(queue)}}}`;
  const sourceKey = `message ${queue} ${id} ${buriedAt}`.trimEnd();
  const requests = handlers.map((handler) => ({
    automationId: handler.id,
    version: handler.version,
    triggerType: 'mqHandler' as const,
    ...{ trigger, sourceKey },
  }));
  const batchSize = Math.max(1, Math.floor(MAX_CHARS / trigger.length));
  for (let from = 0; from < requests.length; from += batchSize)
    await runCausedBy(cause && { tenantId: db.tenantId, ...cause }, () =>
      requestRuns(db, { platform, now }, requests.slice(from, from + batchSize)),
    );
  return requests.map(({ automationId }) => ({ automationId, sourceKey }));
}

/** Lists the active automations that handle a queue. */
export async function listHandlers(db: ScopedDb, queue: string): Promise<readonly ActiveAutomation[]> {
  const ids = await listHandlerIds(db, queue);
  return ids.length === 0 ? [] : listActiveAutomations(db, ids);
}
