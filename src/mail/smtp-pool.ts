/**
 * A pool of connections to the relay. A message waits in a queue while all connections are busy. The pool shrinks when
 * the relay refuses further connections.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { FairQueue } from '../work-queue/fair-queue.ts';
import { ConnectionLimit, isConnectionLimitError } from './connection-limit.ts';
import { type Envelope, type LinkOptions, NothingSentError, SmtpLink } from './smtp-link.ts';

/** Size of the pool and number of messages per connection. */
export interface PoolOptions extends LinkOptions {
  readonly connections: number;
  readonly messagesPerConnection: number;
}

/** Thrown when the relay does not answer within the deadline. */
export class DeadlineError extends Error {}

/**
 * Result of sending a message: the relay's answer, or a DeadlineError or an error of the library, which contains the
 * relay's answer. With `hasBodyStarted` the relay may have accepted the message despite the error.
 */
export type PoolOutcome =
  | { readonly answer: string }
  | { readonly error: unknown; readonly hasBodyStarted: boolean };

/** Idle time of a connection while the limit is lowered, in ms. Short, because another process may need the connection. */
const LIMITED_IDLE_MS = 1000;
/** Retries of a message when the relay refuses the connection. Waits in ms, with exponential backoff. */
const MAX_TRIES = 10;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/** Pool of connections, which open when there is something to send. */
export class SmtpPool {
  readonly #options: PoolOptions;
  /** One place per connection: a message enters before it uses a connection. */
  readonly #places: FairQueue;
  readonly #limit: ConnectionLimit;
  readonly #links = new Set<SmtpLink>();
  /** Connections without a message, the most recently used last. */
  #idle: SmtpLink[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#limit = new ConnectionLimit(options.connections);
    this.#places = new FairQueue({ inAll: options.connections, perTarget: options.connections });
  }

  /** Sends a message. Never rejects. */
  async send(envelope: Envelope, mime: Buffer, deadlineMs: number): Promise<PoolOutcome> {
    const end = performance.now() + deadlineMs;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#sendWhenFree(envelope, mime, end);
      if ('answer' in outcome) {
        if (this.#limit.grow(performance.now())) this.#places.open(this.#limit.value);
        return outcome;
      }
      const isFinal = outcome.hasBodyStarted || this.#isClosed || tries === MAX_TRIES;
      if (isFinal || !isConnectionLimitError(outcome.error, this.#openLinks > 0)) return outcome;
      this.#limit.lower(this.#openLinks, performance.now());
      this.#places.open(this.#limit.value);
      // The queue waits for our own open connections. Nothing signals that another process closes one.
      if (this.#openLinks === 0) await pause(Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS));
    }
  }

  get #openLinks(): number {
    return [...this.#links].filter(({ isOpen }) => isOpen).length;
  }

  async #sendWhenFree(envelope: Envelope, mime: Buffer, end: number): Promise<PoolOutcome> {
    const maxWaitMs = end - performance.now();
    const release = await this.#places.enter({ lane: 0, tenantId: '', targetId: '', maxWaitMs });
    if (release === null) return { error: new DeadlineError(), hasBodyStarted: false };
    try {
      return await this.#sendOnLink(envelope, mime, end);
    } finally {
      release();
    }
  }

  /** Closes all connections; messages in progress fail. */
  close(): void {
    this.#isClosed = true;
    for (const link of [...this.#idle]) link.quit();
    for (const link of [...this.#links]) link.close(closed());
  }

  /** Sends a message on an idle or new connection. `end` is on the clock of `performance.now`. */
  async #sendOnLink(envelope: Envelope, mime: Buffer, end: number): Promise<PoolOutcome> {
    for (;;) {
      if (this.#isClosed) return { error: closed(), hasBodyStarted: false };
      const link = this.#idle.pop() ?? this.#newLink();
      const timer = setTimeout(() => link.close(new DeadlineError()), end - performance.now());
      try {
        return { answer: await link.send(envelope, mime) };
      } catch (error) {
        if (!(error instanceof NothingSentError)) return { error, hasBodyStarted: link.hasBodyStarted };
      } finally {
        clearTimeout(timer);
        this.#release(link);
      }
    }
  }

  #newLink(): SmtpLink {
    const link = new SmtpLink(this.#options, () => {
      this.#links.delete(link);
      this.#idle = this.#idle.filter((each) => each !== link);
    });
    this.#links.add(link);
    return link;
  }

  #release(link: SmtpLink): void {
    if (!this.#links.has(link)) return;
    if (link.messages >= this.#options.messagesPerConnection) {
      link.quit();
      return;
    }
    this.#idle.push(link);
    if (this.#limit.isLowered) this.#quitWhenIdle(link);
  }

  /** Closes the connection if it gets no message within LIMITED_IDLE_MS. */
  #quitWhenIdle(link: SmtpLink): void {
    const { messages } = link;
    setTimeout(() => {
      if (this.#idle.includes(link) && link.messages === messages) link.quit();
    }, LIMITED_IDLE_MS).unref();
  }
}

function closed(): Error {
  return new Error('The connections were closed');
}
