/**
 * The broker (AMQP_URL). Its client connects again by itself, for as long as it takes, and nobody waits for it: what is to be
 * published stays in the outbox, and consumers begin again where they were.
 */
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { AMQPError, Connection, type Envelope, type Publisher } from 'rabbitmq-client';
import { oncePerPlatform, type Platform } from '../../../platform.ts';

/** Longer than this nobody waits for the broker to say that it has a message, milliseconds. */
const CONFIRM_MS = 5_000;
/** Steps between attempts to connect, which grow to the second, milliseconds. */
const RETRY_MS = { retryLow: 250, retryHigh: 10_000 };
/** Queues of which a process knows that they are there. */
const KNOWN_QUEUES = 10_000;

/** A connection that is made again whenever it is lost; `onChange` is told. */
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
  // Told once for each time it is away.
  connection.on('error', (error) => {
    onChange(false);
    observe({ event: 'background.failed', task: `broker: ${task}`, error });
  });
  return connection;
}

/** Publishes to queues, with the broker's word that it has each message. */
export class BrokerPublisher {
  readonly #connection: Connection;
  readonly #publisher: Publisher;
  /** Queues that are there, as far as is known; and those about which it is being asked. */
  readonly #known = new LRUCache<string, Promise<void>>({ max: KNOWN_QUEUES });
  /** Ids of messages that the broker could not put into any queue. */
  readonly #returned = new Set<string>();

  constructor(platform: Platform, onChange: (isConnected: boolean) => void) {
    this.#connection = connectBroker(platform, 'publish', (isConnected) => {
      // It may have lost what it had.
      this.#known.clear();
      onChange(isConnected);
    });
    this.#publisher = this.#connection.createPublisher({ confirm: true });
    this.#publisher.on('basic.return', ({ messageId }) => this.#returned.add(messageId ?? ''));
    platform.onClose(() => this.#close());
  }

  /** Resolves once the broker has the message in its queue, which is made if need be. @throws when it does not say so in time. */
  async publish(
    queue: string,
    envelope: Envelope & { readonly messageId: string },
    body: Buffer,
  ): Promise<void> {
    const ended = new AbortController();
    const late = pause(CONFIRM_MS, undefined, { signal: ended.signal, ref: false }).then(() => {
      throw new Error('The broker did not say in time that it has the message.');
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
    // A message that comes back does so before it is confirmed, but the client tells so in its next turn.
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
      // Somebody has made it with other properties: it is there.
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

/** The publisher of a process, made when it is first asked for. */
export const brokerPublisher = oncePerPlatform((platform) => {
  const listeners = new Set<(isConnected: boolean) => void>();
  let isConnected = false;
  const publisher = new BrokerPublisher(platform, (now) => {
    isConnected = now;
    for (const listen of listeners) listen(now);
  });
  return {
    publisher,
    /** Tells at once, and whenever it changes, whether the broker can be reached. */
    watch: (listen: (isConnected: boolean) => void) => {
      listeners.add(listen);
      listen(isConnected);
    },
    get isConnected() {
      return isConnected;
    },
  };
});

/** Whether an error is what the broker, or its client, calls so. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof AMQPError && error.code === code;
}
