/** Consumes one queue of the broker. A message is acknowledged when its runs have ended. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type AsyncMessage, type Connection, type Consumer, ConsumerStatus } from 'rabbitmq-client';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { FairQueue } from '../../../work-queue/fair-queue.ts';
import { brokerPublisher, hasCode } from './broker.ts';
import { BURIED_HEADER, bytesOf, readDelivery } from './delivery.ts';
import { type MessageRun, requestMessageRuns } from './messages.ts';
import { brokerQueue, deadLetterQueue } from './names.ts';
import type { HandledQueue, Message } from './queries.ts';
import { runEnds } from './run-ends.ts';

/** Messages per queue whose runs a process waits for at once. */
const PREFETCH = 50;
/** Maximum number of messages that a process stores at the same time, in total and per queue. */
const WRITING = { total: 8, perTarget: 4 };
const MAX_WAIT_MS = 60_000;
/** Wait before an unprocessed message is returned, in ms. The broker redelivers it at once. */
const REQUEUE_DELAY_MS = 1_000;
/** How long dead letters are kept, in ms. */
const DEAD_LETTERS_MS = 30 * 24 * 60 * 60 * 1000;

const writing = oncePerPlatform(() => new FairQueue(WRITING));

/** A queue with the code of its tenant. */
interface ConsumedQueue extends HandledQueue {
  readonly code: string;
}

/** Consumes one queue until it is closed. */
export class QueueConsumer {
  readonly #platform: Platform;
  readonly #queue: ConsumedQueue;
  readonly #name: string;
  readonly #consumer: Consumer;
  /** Ends the waits of messages that can no longer be acknowledged. */
  #waits = new AbortController();

  constructor(platform: Platform, connection: Connection, queue: ConsumedQueue) {
    this.#platform = platform;
    this.#queue = queue;
    this.#name = brokerQueue(queue.code, queue.queue);
    const queueOptions = { durable: true, passive: false };
    const options = { queue: this.#name, queueOptions, qos: { prefetchCount: PREFETCH } };
    this.#consumer = connection.createConsumer(options, (delivery) => this.#receive(delivery));
    this.#consumer.on('error', (error: unknown) => {
      // If the queue exists with other properties, use it unchanged.
      queueOptions.passive = hasCode(error, 'PRECONDITION_FAILED');
      this.returnMessages();
      // Messages delivered on a lost connection cannot be acknowledged. The loss is reported elsewhere.
      if (!String(error).includes('failed to ack/nack'))
        this.#report('consume messages from the broker', error);
    });
  }

  /** Stops waiting for runs. The broker redelivers the messages. */
  returnMessages(): void {
    this.#waits.abort();
    this.#waits = new AbortController();
  }

  /** Stops consuming and returns the messages that wait for their runs. */
  async close(): Promise<void> {
    const closed = this.#consumer.close();
    this.returnMessages();
    await closed;
  }

  /** Never rejects. */
  async #receive(delivery: AsyncMessage): Promise<ConsumerStatus> {
    const { signal } = this.#waits;
    try {
      return await this.#process(delivery, signal);
    } catch (error) {
      this.#report('process a message', error);
      await pause(REQUEUE_DELAY_MS, undefined, { signal, ref: false }).catch(() => {});
      return ConsumerStatus.REQUEUE;
    }
  }

  async #process(delivery: AsyncMessage, signal: AbortSignal): Promise<ConsumerStatus> {
    const { clock, tokens } = this.#platform;
    const message = readDelivery(delivery, { queue: this.#queue.queue, tokens, now: clock() });
    if (typeof message === 'string') return this.#deadLetter(delivery, message);
    const runs = await this.#requestRuns(message);
    if (runs.length === 0) {
      // The queue no longer has a handler. Within a second, the process stops consuming it.
      await pause(REQUEUE_DELAY_MS, undefined, { signal, ref: false }).catch(() => {});
      return ConsumerStatus.REQUEUE;
    }
    const end = await runEnds(this.#platform).wait(this.#queue.tenant_id, runs, signal);
    if (end === 'failed') return this.#deadLetter(delivery, 'A run has failed.');
    return end === 'done' ? ConsumerStatus.ACK : ConsumerStatus.REQUEUE;
  }

  /** @throws Error if this process was too busy, so that another one can take the message. */
  async #requestRuns(message: Message): Promise<readonly MessageRun[]> {
    const { tenant_id: tenantId } = this.#queue;
    const entry = { lane: 0, tenantId, targetId: this.#name, maxWaitMs: MAX_WAIT_MS };
    const release = await writing(this.#platform).enter(entry);
    if (release === null) throw new Error('The process is too busy to store the message.');
    try {
      const now = this.#platform.clock();
      const db = this.#platform.scoped(wholeTenant(tenantId));
      return await db.transaction((tx) =>
        requestMessageRuns({ platform: this.#platform, db: tx, now }, message),
      );
    } finally {
      release();
    }
  }

  /** Moves a message to the dead letters. It is acknowledged once the broker has stored it there. */
  async #deadLetter(delivery: AsyncMessage, reason: string): Promise<ConsumerStatus> {
    const { messageId = randomUUID(), contentType, headers } = delivery;
    const envelope = {
      messageId,
      ...(contentType === undefined ? {} : { contentType }),
      headers: {
        ...headers,
        'x-tessera-reason': reason,
        [BURIED_HEADER]: this.#platform.clock().toISOString(),
      },
      expiration: String(DEAD_LETTERS_MS),
    };
    const name = deadLetterQueue(this.#name);
    await brokerPublisher(this.#platform).publisher.publish(name, envelope, bytesOrEmpty(delivery));
    return ConsumerStatus.ACK;
  }

  #report(task: string, error: unknown): void {
    this.#platform.observe({ event: 'background.failed', task: `${task} (${this.#name})`, error });
  }
}

/** Returns the delivered bytes; empty for JSON that is too deep to serialize, whose dead letter has only the reason. */
function bytesOrEmpty(delivery: AsyncMessage): Buffer {
  try {
    return bytesOf(delivery);
  } catch {
    return Buffer.alloc(0);
  }
}
