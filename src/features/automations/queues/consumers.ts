/** Follows the queues that have handlers, and runs a consumer for each. */
import { setTimeout as pause } from 'node:timers/promises';
import type { Connection } from 'rabbitmq-client';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { connectBroker } from './broker.ts';
import { QueueConsumer } from './consumer.ts';
import { type HandledQueue, listHandledQueues } from './queries.ts';
import { tenantCode } from './tenant-codes.ts';

/** Poll interval for handled queues, in ms. */
const POLL_MS = 700;
/** Consumers per connection: each uses a channel, and brokers allow 2,047 per connection. */
const PER_CONNECTION = 1_000;
/** How long a stopping process waits for the broker, in ms. */
const MAX_CLOSE_MS = 5_000;

interface Link {
  readonly connection: Connection;
  readonly consumers: Map<string, QueueConsumer>;
}

/** Consumes until the process drains. */
export class QueueConsumers {
  readonly #platform: Platform;
  readonly #links: Link[] = [];
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> = Promise.resolve();
  #stopped: Promise<void> | undefined;

  constructor(platform: Platform) {
    this.#platform = platform;
  }

  /** Starts in the background. Call it once. */
  start(): void {
    const { drain, onClose } = this.#platform;
    this.#poll();
    drain.signal.addEventListener('abort', () => void this.#stop());
    onClose(() => this.#stop());
  }

  #stop(): Promise<void> {
    this.#stopped ??= this.#end();
    return this.#stopped;
  }

  #poll(): void {
    this.#polling = this.#updateConsumers()
      .catch((error: unknown) =>
        this.#platform.observe({
          event: 'background.failed',
          task: 'check which queues have handlers',
          error,
        }),
      )
      .finally(() => {
        if (!this.#platform.drain.started) this.#timer = setTimeout(() => this.#poll(), POLL_MS).unref();
      });
  }

  /** Starts consumers of newly handled queues and stops those without handlers. */
  async #updateConsumers(): Promise<void> {
    const { rows, failure } = await listHandledQueues(this.#platform);
    if (this.#platform.drain.started) return;
    const handled = new Map(rows.map((row) => [`${row.tenant_id} ${row.queue}`, row]));
    for (const { consumers } of this.#links) {
      for (const [key, consumer] of consumers) {
        if (handled.delete(key) || failure !== undefined) continue;
        consumers.delete(key);
        void this.#close(consumer);
      }
    }
    for (const [key, queue] of handled)
      this.#add(key, queue, await tenantCode(this.#platform, queue.tenant_id));
  }

  #add(key: string, queue: HandledQueue, code: string): void {
    if (this.#platform.drain.started) return;
    const link = this.#links.find(({ consumers }) => consumers.size < PER_CONNECTION) ?? this.#connect();
    link.consumers.set(key, new QueueConsumer(this.#platform, link.connection, { ...queue, code }));
  }

  #connect(): Link {
    const consumers = new Map<string, QueueConsumer>();
    const connection = connectBroker(this.#platform, 'consume', (isConnected) => {
      // After a reconnect the broker redelivers its unacknowledged messages.
      if (!isConnected) for (const consumer of consumers.values()) consumer.returnMessages();
    });
    const link = { connection, consumers };
    this.#links.push(link);
    return link;
  }

  #close(consumer: QueueConsumer): Promise<void> {
    return consumer
      .close()
      .catch((error: unknown) =>
        this.#platform.observe({ event: 'background.failed', task: 'stop consuming messages', error }),
      );
  }

  async #end(): Promise<void> {
    await this.#polling;
    clearTimeout(this.#timer);
    const consumers = this.#links.flatMap((link) => [...link.consumers.values()]);
    const closed = Promise.all(consumers.map((consumer) => this.#close(consumer)));
    await Promise.race([closed, pause(MAX_CLOSE_MS, undefined, { ref: false })]);
    for (const { connection } of this.#links) connection.unsafeDestroy();
  }
}

/** The consumers of a process. */
export const queueConsumers = oncePerPlatform((platform) => new QueueConsumers(platform));
