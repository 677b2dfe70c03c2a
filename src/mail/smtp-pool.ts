/** A few connections to a relay that many messages share: a message that finds none free waits in line. */
import { FairQueue } from '../ledger/fair-queue.ts';
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

/** The pool. Connections open when there is something to send. */
export class SmtpPool {
  readonly #options: PoolOptions;
  /** Whoever has a place has a connection to itself. */
  readonly #places: FairQueue;
  readonly #links = new Set<SmtpLink>();
  /** Those without a message, the one that was used last at the end. */
  #idle: SmtpLink[] = [];
  #isClosed = false;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#places = new FairQueue({ inAll: options.connections, perTarget: options.connections });
  }

  /** Hands a message over. Never rejects. */
  async send(envelope: Envelope, mime: Buffer, deadlineMs: number): Promise<PoolOutcome> {
    const end = performance.now() + deadlineMs;
    const leave = await this.#places.enter({ lane: 0, tenantId: '', targetId: '', maxWaitMs: deadlineMs });
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
    if (link.messages < this.#options.messagesPerConnection) this.#idle.push(link);
    else link.quit();
  }
}

function closed(): Error {
  return new Error('The connections were closed');
}
