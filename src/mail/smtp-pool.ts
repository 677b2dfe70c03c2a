/**
 * A pool of connections to the relay. A message waits in a queue while all connections are busy. The pool shrinks when
 * the relay refuses further connections.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { FairQueue } from '../work-queue/fair-queue.ts';
import { ConnectionLimit, isConnectionLimitError } from './connection-limit.ts';
import { type Envelope, NothingSentError, type SessionOptions, SmtpSession } from './smtp-session.ts';

/** Size of the pool and number of messages per connection. */
export interface PoolOptions extends SessionOptions {
  readonly connections: number;
  readonly messagesPerConnection: number;
}

/** Thrown when the relay does not answer within the deadline. */
export class DeadlineError extends Error {}

/**
 * Result of sending a message: the relay's reply, or a DeadlineError or an error of the library, which contains the
 * relay's reply. With `hasBodyStarted` the relay may have accepted the message despite the error.
 */
export type PoolOutcome =
  | { readonly reply: string }
  | { readonly error: unknown; readonly hasBodyStarted: boolean };

/**
 * Idle time of a connection while the limit is lowered, in ms. Short, because another process may need the connection.
 */
const LIMITED_IDLE_MS = 1000;
/** Maximum attempts for a message while the relay refuses connections. The waits between them, in ms, double. */
const MAX_TRIES = 10;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/** Pool of connections, which open when there is something to send. */
export class SmtpPool {
  readonly #options: PoolOptions;
  /** One slot per connection: a message enters before it uses a connection. */
  readonly #slots: FairQueue;
  readonly #limit: ConnectionLimit;
  readonly #sessions = new Set<SmtpSession>();
  /** Connections without a message, the most recently used last. */
  #idle: SmtpSession[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#limit = new ConnectionLimit(options.connections);
    this.#slots = new FairQueue({ total: options.connections, perTarget: options.connections });
  }

  /** Sends a message. Never rejects. */
  async send(envelope: Envelope, mime: Buffer, deadlineMs: number): Promise<PoolOutcome> {
    const deadline = performance.now() + deadlineMs;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#sendWhenFree(envelope, mime, deadline);
      if ('reply' in outcome) {
        if (this.#limit.recordSuccess(performance.now())) this.#slots.open(this.#limit.value);
        return outcome;
      }
      const isFinal = outcome.hasBodyStarted || this.#isClosed || tries === MAX_TRIES;
      if (isFinal || !isConnectionLimitError(outcome.error, this.#openSessions > 0)) return outcome;
      this.#limit.lower(this.#openSessions, performance.now());
      this.#slots.open(this.#limit.value);
      // The queue waits for our own open connections. Nothing signals that another process closes one.
      if (this.#openSessions === 0) await pause(Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS));
    }
  }

  get #openSessions(): number {
    return [...this.#sessions].filter(({ isOpen }) => isOpen).length;
  }

  async #sendWhenFree(envelope: Envelope, mime: Buffer, deadline: number): Promise<PoolOutcome> {
    const maxWaitMs = deadline - performance.now();
    const release = await this.#slots.enter({ lane: 0, tenantId: '', targetId: '', maxWaitMs });
    if (release === null) return { error: new DeadlineError(), hasBodyStarted: false };
    try {
      return await this.#sendInSession(envelope, mime, deadline);
    } finally {
      release();
    }
  }

  /** Closes all connections; messages in progress fail. */
  close(): void {
    this.#isClosed = true;
    for (const session of [...this.#idle]) session.quit();
    for (const session of [...this.#sessions]) session.close(closed());
  }

  /** Sends a message on an idle or new connection. `deadline` is on the clock of `performance.now`. */
  async #sendInSession(envelope: Envelope, mime: Buffer, deadline: number): Promise<PoolOutcome> {
    for (;;) {
      if (this.#isClosed) return { error: closed(), hasBodyStarted: false };
      const session = this.#idle.pop() ?? this.#createSession();
      const timer = setTimeout(() => session.close(new DeadlineError()), deadline - performance.now());
      try {
        return { reply: await session.send(envelope, mime) };
      } catch (error) {
        if (!(error instanceof NothingSentError)) return { error, hasBodyStarted: session.hasBodyStarted };
      } finally {
        clearTimeout(timer);
        this.#release(session);
      }
    }
  }

  #createSession(): SmtpSession {
    const session = new SmtpSession(this.#options, () => {
      this.#sessions.delete(session);
      this.#idle = this.#idle.filter((each) => each !== session);
    });
    this.#sessions.add(session);
    return session;
  }

  #release(session: SmtpSession): void {
    if (!this.#sessions.has(session)) return;
    if (session.messages >= this.#options.messagesPerConnection) {
      session.quit();
      return;
    }
    this.#idle.push(session);
    if (this.#limit.isLowered) this.#quitWhenIdle(session);
  }

  /** Closes the connection if it gets no message within LIMITED_IDLE_MS. */
  #quitWhenIdle(session: SmtpSession): void {
    const { messages } = session;
    setTimeout(() => {
      if (this.#idle.includes(session) && session.messages === messages) session.quit();
    }, LIMITED_IDLE_MS).unref();
  }
}

function closed(): Error {
  return new Error('The connections were closed');
}
