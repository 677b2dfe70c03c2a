/** Answers in the order of the questions. */
type Answer<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Gathering<Item, Result> {
  readonly items: Item[];
  readonly answers: Promise<readonly Result[]>;
}

/** So many questions are answered together at most. */
const MOST = 500;

/**
 * Asks for many at once what each asks for by itself: those who ask under one key before the event loop turns share a
 * statement.
 */
export class Together<Item, Result> {
  readonly #waiting = new Map<string, Gathering<Item, Result>>();

  /** `answer` of the first who asks is called. @throws what it throws, to all of them. */
  async ask(key: string, item: Item, answer: Answer<Item, Result>): Promise<Result> {
    const gathering = this.#waiting.get(key) ?? this.#begin(key, answer);
    const index = gathering.items.push(item) - 1;
    if (gathering.items.length === MOST) this.#waiting.delete(key);
    const result = (await gathering.answers)[index];
    if (result === undefined) throw new Error(`Nothing was answered to ${key}.`);
    return result;
  }

  #begin(key: string, answer: Answer<Item, Result>): Gathering<Item, Result> {
    const items: Item[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<readonly Result[]>();
    setImmediate(() => {
      if (this.#waiting.get(key)?.items === items) this.#waiting.delete(key);
      answer(items).then(resolve, reject);
    });
    const gathering = { items, answers: promise };
    this.#waiting.set(key, gathering);
    return gathering;
  }
}
