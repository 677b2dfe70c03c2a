/** A look-up that is under way, and the one that follows it. */
interface Running<Found> {
  readonly current: Promise<unknown>;
  next: Promise<Found> | null;
}

/**
 * Look-ups that those share who ask for the same at the same time: a program that calls with one key from many connections, a
 * page that asks for ten things at once. Nobody gets what was read before they asked: whoever comes while a look-up is
 * under way shares the next one, which begins when that has ended.
 */
export class SharedLookUps<Found> {
  readonly #running = new Map<string, Running<Found>>();

  /** What `read` finds for a key, read after this was called. @throws what `read` throws, to all who share it. */
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
