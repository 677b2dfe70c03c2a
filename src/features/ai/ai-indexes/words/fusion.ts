/** Reciprocal rank fusion: combines two ranked lists without comparing their scores. */

/** The usual constant. It keeps the first places from dominating. */
const SMOOTHING = 60;

/** An entry of a ranked list. */
interface Ranked {
  readonly id: string;
}

/** Returns the fused score of each id in two ranked lists; 1 if it is first in both. */
export function fuse(...lists: readonly (readonly Ranked[])[]): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  for (const list of lists)
    for (const [rank, { id }] of list.entries())
      scores.set(id, (scores.get(id) ?? 0) + (SMOOTHING + 1) / (SMOOTHING + 1 + rank) / lists.length);
  return scores;
}
