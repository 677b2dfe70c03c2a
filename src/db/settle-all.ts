/** What became of the work for several items. */
export interface Settled<Result> {
  /** Of those whose work did not fail, in the order in which it ended. */
  readonly results: readonly Result[];
  /** What the others threw, in that order. */
  readonly failures: readonly unknown[];
}

/** Does `work` for every item, `atOnce` of them at the same time, and waits for all, whichever fail. */
export async function settleAll<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Settled<Result>> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  // Shared by the lanes: each takes the next.
  const waiting = Iterator.from(items);
  const workOff = async () => {
    for (let next = waiting.next(); !next.done; next = waiting.next()) {
      await work(next.value).then(
        (result) => results.push(result),
        (error: unknown) => failures.push(error),
      );
    }
  };
  await Promise.all(Array.from({ length: atOnce }, workOff));
  return { results, failures };
}
