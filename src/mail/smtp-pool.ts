/** A few connections to a relay that many messages share: a message that finds none free waits in line. */
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

/** A message on its way. */
interface Job {
  readonly envelope: Envelope;
  readonly mime: Buffer;
  /** The connection that has it; null while it waits for one. */
  link: SmtpLink | null;
  readonly end: (outcome: PoolOutcome) => void;
}

/** The pool. Connections open when there is something to send. */
export class SmtpPool {
  readonly #options: PoolOptions;
  readonly #links = new Set<SmtpLink>();
  /** Those without a message, the one that was used last at the end. */
  #idle: SmtpLink[] = [];
  readonly #jobs = new Set<Job>();
  #waiting: Job[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  /** Hands a message over. Never rejects. */
  send(envelope: Envelope, mime: Buffer, deadlineMs: number): Promise<PoolOutcome> {
    const { promise, resolve } = Promise.withResolvers<PoolOutcome>();
    const job: Job = {
      envelope,
      mime,
      link: null,
      end: (outcome) => {
        clearTimeout(timer);
        this.#jobs.delete(job);
        resolve(outcome);
      },
    };
    const timer = setTimeout(() => this.#giveUp(job, new DeadlineError()), deadlineMs);
    this.#jobs.add(job);
    this.#waiting.push(job);
    this.#serve();
    return promise;
  }

  /** Ends all connections; what is under way fails. */
  close(): void {
    for (const job of [...this.#jobs]) this.#giveUp(job, new Error('The connections were closed'));
    for (const link of [...this.#idle]) link.quit();
  }

  #giveUp(job: Job, error: Error): void {
    this.#waiting = this.#waiting.filter((each) => each !== job);
    job.end({ error, isBodyBegun: job.link?.isBodyBegun ?? false });
    job.link?.close(error);
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const link = this.#idle.pop() ?? this.#newLink();
      if (link === null) return;
      const job = this.#waiting.shift();
      if (job !== undefined) this.#handOver(job, link);
    }
  }

  /** Never rejects. */
  async #handOver(job: Job, link: SmtpLink): Promise<void> {
    job.link = link;
    try {
      job.end({ answer: await link.send(job.envelope, job.mime) });
    } catch (error) {
      job.link = null;
      if (error instanceof NothingSentError && this.#jobs.has(job)) this.#waiting.unshift(job);
      else job.end({ error, isBodyBegun: link.isBodyBegun });
    }
    this.#giveBack(link);
    this.#serve();
  }

  #newLink(): SmtpLink | null {
    if (this.#links.size >= this.#options.connections) return null;
    const link = new SmtpLink(this.#options, () => {
      this.#links.delete(link);
      this.#idle = this.#idle.filter((each) => each !== link);
      this.#serve();
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
