import { createHash } from 'node:crypto';
import type { StepOf } from '../schema.ts';

/** What decides which way somebody falls: the same facts always the same way. */
export interface SplitFacts {
  readonly journeyId: string;
  readonly version: number;
  readonly subscriberId: string;
}

/** The step to which a split leads somebody. */
export function branchOf(
  { key, branches }: StepOf<'split'>,
  { journeyId, version, subscriberId }: SplitFacts,
): string {
  const digest = createHash('sha256').update(`${journeyId}/${version}/${key}/${subscriberId}`).digest();
  let left = (digest.readUIntBE(0, 6) / 2 ** 48) * 100;
  for (const { percent, to } of branches) {
    left -= percent;
    if (left < 0) return to;
  }
  // Percents that are rounded may leave a little.
  const last = branches.filter(({ percent }) => percent > 0).at(-1) ?? branches.at(-1);
  return last?.to ?? '';
}
