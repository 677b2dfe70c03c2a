/**
 * A few connections to a relay that many messages share: a message that finds none free waits in line. A relay that refuses a
 * connection because there are others gets fewer.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { FairQueue } from '../ledger/fair-queue.ts';
import { ConnectionLimit, isOneTooMany } from './connection-limit.ts';
import { type Envelope, type LinkOptions, NothingSentError, SmtpLink } from './smtp-link.ts';

/** How many connections, and how long each is used. */
export interface PoolOptions extends LinkOptions {
  readonly connections: number;
  readonly messagesPerConnection: number;
}

/** There was no answer within the deadline. */
export class DeadlineError extends Error {}

/**
 * What became of a message: the relay's words, or a DeadlineError or an error of the library that tells what the relay
 * said. With `isBodyBegun` the relay may have taken it over all the same.
 */
export type PoolOutcome =
  | { readonly answer: string }
  | { readonly error: unknown; readonly isBodyBegun: boolean };

/** Of connections while the relay takes fewer than were configured: another process may wait for one, milliseconds. */
const LIMITED_IDLE_MS = 1000;
/** How often, and how long after, a message is tried for which the relay has no connection, milliseconds. */
const MOST_TRIES = 10;
const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 2000;

/** The pool. Connections open when there is something to send. */
export class SmtpPool {
  readonly #options: PoolOptions;
  /** Whoever has a place has a connection to itself. */
  readonly #places: FairQueue;
  readonly #limit: ConnectionLimit;
  readonly #links = new Set<SmtpLink>();
  /** Those without a message, the one that was used last at the end. */
  #idle: SmtpLink[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#limit = new ConnectionLimit(options.connections);
    this.#places = new FairQueue({ inAll: options.connections, perTarget: options.connections });
  }

  /** Hands a message over. Never rejects. */
  async send(envelope: Envelope, mime: Buffer, deadlineMs: number): Promise<PoolOutcome> {
    const end = performance.now() + deadlineMs;
    for (let tries = 1; ; tries += 1) {
      const outcome = await this.#sendInTurn(envelope, mime, end);
      if ('answer' in outcome) {
        if (this.#limit.grow(performance.now())) this.#places.open(this.#limit.value);
        return outcome;
      }
      const isFinal = outcome.isBodyBegun || this.#isClosed || tries === MOST_TRIES;
      if (isFinal || !isOneTooMany(outcome.error, this.#openLinks > 0)) return outcome;
      this.#limit.lower(this.#openLinks, performance.now());
      this.#places.open(this.#limit.value);
      // One of ours that is open comes free by itself; one of another process does not tell.
      if (this.#openLinks === 0) await pause(Math.min(FIRST_WAIT_MS * 2 ** tries, LONGEST_WAIT_MS));
    }
  }

  get #openLinks(): number {
    return [...this.#links].filter(({ isOpen }) => isOpen).length;
  }

  async #sendInTurn(envelope: Envelope, mime: Buffer, end: number): Promise<PoolOutcome> {
    const maxWaitMs = end - performance.now();
    const leave = await this.#places.enter({ lane: 0, tenantId: '', targetId: '', maxWaitMs });
    if (leave === null) return { error: new DeadlineError(), isBodyBegun: false };
    try {
      return await this.#handOver(envelope, mime, end);
    } finally {
      leave();
    }
  }

  /** Ends all connections; what is under way fails. */
  close(): void {
    this.#isClosed = true;
    for (const link of [...this.#idle]) link.quit();
    for (const link of [...this.#links]) link.close(closed());
  }

  /** `end` is on the clock of `performance.now`. */
  async #handOver(envelope: Envelope, mime: Buffer, end: number): Promise<PoolOutcome> {
    for (;;) {
      if (this.#isClosed) return { error: closed(), isBodyBegun: false };
      const link = this.#idle.pop() ?? this.#newLink();
      const timer = setTimeout(() => link.close(new DeadlineError()), end - performance.now());
      try {
        return { answer: await link.send(envelope, mime) };
      } catch (error) {
        if (!(error instanceof NothingSentError)) return { error, isBodyBegun: link.isBodyBegun };
      } finally {
        clearTimeout(timer);
        this.#giveBack(link);
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

  #giveBack(link: SmtpLink): void {
    if (!this.#links.has(link)) return;
    if (link.messages >= this.#options.messagesPerConnection) {
      link.quit();
      return;
    }
    this.#idle.push(link);
    if (this.#limit.isLowered) this.#endSoon(link);
  }

  /** Ends a connection that stays without a message. */
  #endSoon(link: SmtpLink): void {
    const { messages } = link;
    setTimeout(() => {
      if (this.#idle.includes(link) && link.messages === messages) link.quit();
    }, LIMITED_IDLE_MS).unref();
  }
}

function closed(): Error {
  return new Error('The connections were closed');
}
