/** Results of successful items, and errors of failed ones. */
export interface Settled<Result> {
  /** Results of successful items, in the order in which they ended. */
  readonly results: readonly Result[];
  /** Errors of failed items, in the order in which they ended. */
  readonly failures: readonly unknown[];
}

/** Runs `work` for every item, with limited concurrency, and waits for all, even if some fail. */
export async function allSettled<Item, Result>(
  items: Iterable<Item>,
  concurrency: number,
  work: (item: Item) => Promise<Result>,
): Promise<Settled<Result>> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  // All runners share the iterator; each processes the next item.
  const remaining = Iterator.from(items);
  const runner = async () => {
    for (let next = remaining.next(); !next.done; next = remaining.next()) {
      await work(next.value).then(
        (result) => results.push(result),
        (error: unknown) => failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: concurrency }, runner));
  return { results, failures };
}
