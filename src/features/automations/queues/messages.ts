/**
 * What becomes of messages: a run of each active handler of their queue (docs/specification/automations.md#queues). A message
 * is published with what publishes it, in one transaction; without a broker its runs are asked for there, so that no process is
 * needed between them.
 */
import { v7 as uuidv7 } from 'uuid';
import { momentOfId } from '../../../db/time-ordered-id.ts';
import { runCausedBy } from '../../../db/work-kind.ts';
import { storedCause } from '../../../flows/chain.ts';
import type { Platform } from '../../../platform.ts';
import { WAITING_MESSAGES } from '../../../stored-bytes/kinds.ts';
import { requireRoom } from '../../../stored-bytes/require-room.ts';
import { storedBytes } from '../../../stored-bytes/stored-bytes.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { shareLockTenant } from '../../../tenancy/tenant-home.ts';
import {
  type ActiveAutomation,
  listActiveAutomations,
  requestRuns,
  requireInputRoom,
} from '../automations/index.ts';
import { QUEUE_OUTBOX } from './outbox-name.ts';
import { insertOutgoing, insertWaiting, listHandlerIds, type Message } from './queries.ts';

/** What publishes and takes in messages. */
export interface QueueContext {
  readonly platform: Platform;
  /** The open transaction. */
  readonly db: ScopedDb;
  readonly now: Date;
}

/** A run that a message has set off, now or when it came before. */
export interface MessageRun {
  readonly automationId: string;
  readonly sourceKey: string;
}

/** Triggers that are written by one statement, in characters. */
const MOST_CHARACTERS = 8 * 1024 * 1024;

/** Publishes a message, in the transaction of what publishes it; returns its id. */
export async function publishMessage(
  ctx: QueueContext,
  { queue, body }: { readonly queue: string; readonly body: unknown },
): Promise<string> {
  const { db, platform, now } = ctx;
  const message = { id: uuidv7(), queue, body: JSON.stringify(body), cause: storedCause(db.tenantId) };
  if (platform.config.amqpUrl === null) {
    await deliverHere(ctx, message);
  } else {
    await insertOutgoing(db, message, now);
    db.afterCommit(() => platform.workQueues.wake(QUEUE_OUTBOX));
  }
  return message.id;
}

/** Asks for the runs of a message, or keeps it until somebody handles its queue. */
export async function deliverHere(ctx: QueueContext, message: Message): Promise<void> {
  if ((await requestMessageRuns(ctx, message)).length > 0) return;
  // From here on none is added without seeing that the message waits.
  await shareLockTenant(ctx.db);
  if ((await requestMessageRuns(ctx, message)).length > 0) return;
  await insertWaiting(ctx.db, message);
  countWaiting(ctx, message, 1);
}

/** Requires room for one more message and its runs. @throws AppError AUTOMATION_INPUTS_FULL. */
export async function requireMessageRoom({ platform, db }: QueueContext): Promise<void> {
  await requireInputRoom(platform, db);
  await requireRoom(platform, db, WAITING_MESSAGES);
}

/** Counts a message that begins (1) or ceases (-1) to wait, once this commits. */
export function countWaiting({ platform, db }: QueueContext, { id, body }: Message, sign: 1 | -1): void {
  const bytes = sign * Buffer.byteLength(body);
  db.afterCommit(() => storedBytes(platform).add(db.tenantId, WAITING_MESSAGES, bytes, momentOfId(id)));
}

/** Asks for a run of each active handler, once for each message; returns all of its runs, none when nobody handles the queue. */
export async function requestMessageRuns(
  { db, platform, now }: QueueContext,
  { id, queue, body, cause, again = '' }: Message,
): Promise<readonly MessageRun[]> {
  const handlers = await listHandlers(db, queue);
  const trigger = `{"message":{"id":${JSON.stringify(id)},"body":${body},"queue":${JSON.stringify(queue)}}}`;
  const sourceKey = `message ${queue} ${id} ${again}`.trimEnd();
  const requests = handlers.map((handler) => ({
    automationId: handler.id,
    version: handler.version,
    triggerType: 'mqHandler' as const,
    ...{ trigger, sourceKey },
  }));
  const atOnce = Math.max(1, Math.floor(MOST_CHARACTERS / trigger.length));
  for (let from = 0; from < requests.length; from += atOnce)
    await runCausedBy(cause && { tenantId: db.tenantId, ...cause }, () =>
      requestRuns(db, { platform, now }, requests.slice(from, from + atOnce)),
    );
  return requests.map(({ automationId }) => ({ automationId, sourceKey }));
}

/** The active automations that handle a queue. */
export async function listHandlers(db: ScopedDb, queue: string): Promise<readonly ActiveAutomation[]> {
  const ids = await listHandlerIds(db, queue);
  return ids.length === 0 ? [] : listActiveAutomations(db, ids);
}
