/** The current look-up of a key, and the next one. */
interface Running<Found> {
  readonly current: Promise<unknown>;
  next: Promise<Found> | null;
}

/**
 * Request coalescing: concurrent look-ups of the same key share one read, for example of a program with one key and
 * many connections. A result is never older than the call: a call during a read shares the next read, which starts when
 * the current one has ended.
 */
export class CoalescedReads<Found> {
  readonly #running = new Map<string, Running<Found>>();

  /** Returns the result of a `read` that starts after this call. @throws the error of `read`, to all who share it. */
  find(key: string, read: () => Promise<Found>): Promise<Found> {
    const running = this.#running.get(key);
    if (running === undefined) return this.#start(key, read);
    const start = () => this.#start(key, read);
    running.next ??= running.current.then(start, start);
    return running.next;
  }

  #start(key: string, read: () => Promise<Found>): Promise<Found> {
    const current = read();
    const running: Running<Found> = { current, next: null };
    this.#running.set(key, running);
    const end = () => {
      if (running.next === null) this.#running.delete(key);
    };
    current.then(end, end);
    return current;
  }
}
