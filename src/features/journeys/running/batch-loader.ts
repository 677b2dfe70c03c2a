/** Loads results in the order of the items. */
type LoadBatch<Item, Result> = (items: readonly Item[]) => Promise<readonly Result[]>;

interface Batch<Item, Result> {
  readonly items: Item[];
  readonly results: Promise<readonly Result[]>;
}

const MAX_BATCH_SIZE = 500;

/** Batches requests: requests with the same key in one turn of the event loop share one load. */
export class BatchLoader<Item, Result> {
  readonly #open = new Map<string, Batch<Item, Result>>();

  /** Loads a result. The `loadBatch` of the batch's first request loads all of them; every request throws its error. */
  async load(key: string, item: Item, loadBatch: LoadBatch<Item, Result>): Promise<Result> {
    const batch = this.#open.get(key) ?? this.#begin(key, loadBatch);
    const index = batch.items.push(item) - 1;
    if (batch.items.length === MAX_BATCH_SIZE) this.#open.delete(key);
    const result = (await batch.results)[index];
    if (result === undefined) throw new Error(`The batch has no result for ${key}.`);
    return result;
  }

  #begin(key: string, loadBatch: LoadBatch<Item, Result>): Batch<Item, Result> {
    const items: Item[] = [];
    const { promise, resolve, reject } = Promise.withResolvers<readonly Result[]>();
    setImmediate(() => {
      if (this.#open.get(key)?.items === items) this.#open.delete(key);
      loadBatch(items).then(resolve, reject);
    });
    const batch = { items, results: promise };
    this.#open.set(key, batch);
    return batch;
  }
}
