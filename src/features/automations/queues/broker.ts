/**
 * The broker (AMQP_URL). Its client reconnects by itself without a limit, and no request waits for it. Messages to
 * publish stay in the outbox, and consumers resume where they stopped.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AMQPError, Connection, type Envelope, type Publisher } from 'rabbitmq-client';
import { oncePerPlatform, type Platform } from '../../../platform.ts';

/** Longest wait for a publisher confirm, in ms. */
const CONFIRM_MS = 5_000;
/** Waits between attempts to connect, in ms. */
const RETRY_MS = { retryLow: 250, retryHigh: 10_000 };
/** Queues that a process remembers as declared. */
const KNOWN_QUEUES = 10_000;

/** Opens a connection that is renewed when it is lost; `onChange` is called each time. */
export function connectBroker(
  { config: { amqpUrl }, version, observe }: Platform,
  task: string,
  onChange: (isConnected: boolean) => void,
): Connection {
  if (amqpUrl === null) throw new Error('There is no AMQP_URL.');
  const connection = new Connection({
    url: amqpUrl,
    connectionName: `Tessera ${version}: ${task}`,
    acquireTimeout: CONFIRM_MS,
    ...RETRY_MS,
  });
  connection.on('connection', () => onChange(true));
  // Report each outage once.
  connection.on('error', (error) => {
    onChange(false);
    observe({ event: 'background.failed', task: `broker: ${task}`, error });
  });
  return connection;
}

/** Publishes messages with publisher confirms. */
export class BrokerPublisher {
  readonly #connection: Connection;
  readonly #publisher: Publisher;
  /** Declared queues, and pending declarations. */
  readonly #known = new LRUCache<string, Promise<void>>({ max: KNOWN_QUEUES });
  /** Ids of messages that the broker could not route to a queue. */
  readonly #returned = new Set<string>();

  constructor(platform: Platform, onChange: (isConnected: boolean) => void) {
    this.#connection = connectBroker(platform, 'publish', (isConnected) => {
      // The broker may have lost its queues.
      this.#known.clear();
      onChange(isConnected);
    });
    this.#publisher = this.#connection.createPublisher({ confirm: true });
    this.#publisher.on('basic.return', ({ messageId }) => this.#returned.add(messageId ?? ''));
    platform.onClose(() => this.#close());
  }

  /**
   * Resolves once the broker has the message in its queue. Declares the queue if needed. @throws if there is no confirm
   * in time.
   */
  async publish(
    queue: string,
    envelope: Envelope & { readonly messageId: string },
    body: Buffer,
  ): Promise<void> {
    const ended = new AbortController();
    const late = pause(CONFIRM_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw new Error('The broker did not confirm the message in time.');
    });
    const sent = this.#send(queue, envelope, body);
    await Promise.race([sent, late]).finally(() => ended.abort());
  }

  async #send(
    queue: string,
    envelope: Envelope & { readonly messageId: string },
    body: Buffer,
  ): Promise<void> {
    await this.#ensure(queue);
    await this.#publisher.send({ ...envelope, routingKey: queue, durable: true, mandatory: true }, body);
    // The broker returns a message before it confirms it, but the client reports this in the next turn of the event
    // loop.
    await nextTurn();
    if (!this.#returned.delete(envelope.messageId)) return;
    this.#known.delete(queue);
    throw new Error(`The broker has no queue ${queue}.`);
  }

  async #ensure(queue: string): Promise<void> {
    const known = this.#known.get(queue) ?? this.#declare(queue);
    this.#known.set(queue, known);
    await known;
  }

  async #declare(queue: string): Promise<void> {
    try {
      await this.#connection.queueDeclare({ queue, durable: true });
    } catch (error) {
      // The queue exists with other properties.
      if (hasCode(error, 'PRECONDITION_FAILED')) return;
      this.#known.delete(queue);
      throw error;
    }
  }

  async #close(): Promise<void> {
    await Promise.race([
      this.#publisher.close().catch(() => {}),
      pause(CONFIRM_MS, undefined, { ref: false }),
    ]);
    this.#connection.unsafeDestroy();
  }
}

/** The publisher of a process, created on first use. */
export const brokerPublisher = oncePerPlatform((platform) => {
  const listeners = new Set<(isConnected: boolean) => void>();
  let isConnected = false;
  const publisher = new BrokerPublisher(platform, (now) => {
    isConnected = now;
    for (const listen of listeners) listen(now);
  });
  return {
    publisher,
    /** Reports now, and on every change, whether the broker is connected. */
    watch: (listen: (isConnected: boolean) => void) => {
      listeners.add(listen);
      listen(isConnected);
    },
    get isConnected() {
      return isConnected;
    },
  };
});

/** True if the error of the broker or its client has this code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof AMQPError && error.code === code;
}
