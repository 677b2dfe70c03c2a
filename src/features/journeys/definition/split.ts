import { createHash } from 'node:crypto';
import type { StepOf } from '../schema.ts';

/** Data that determines the branch: equal data always leads to the same branch. */
export interface SplitDetails {
  readonly journeyId: string;
  readonly version: number;
  readonly subscriberId: string;
}

/** Returns the key of the step that a split chooses for a subscriber. */
export function branchOf(
  { key, branches }: StepOf<'split'>,
  { journeyId, version, subscriberId }: SplitDetails,
): string {
  const digest = createHash('sha256').update(`${journeyId}/${version}/${key}/${subscriberId}`).digest();
  let remaining = (digest.readUIntBE(0, 6) / 2 ** 48) * 100;
  for (const { percent, to } of branches) {
    remaining -= percent;
    if (remaining < 0) return to;
  }
  // Rounded percents may sum to less than 100.
  const last = branches.filter(({ percent }) => percent > 0).at(-1) ?? branches.at(-1);
  return last?.to ?? '';
}
