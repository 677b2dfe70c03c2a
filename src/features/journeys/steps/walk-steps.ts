import { type Walked, walk } from '../../../flows/walk.ts';
import type { Plan } from '../definition/plan.ts';
import type { HistoryEntry } from '../schema.ts';
import { MOST_STEPS, type Visited, visitStep } from './visit-step.ts';
import type { World } from './world.ts';

/** Steps that one walk takes at most: what it did is noted then. */
const STEPS_AT_ONCE = 100;

/** What a walk came to, and how many steps it took. */
export type Progress = Walked<string, HistoryEntry> & { readonly taken: number };

/** Where a walk begins. */
export interface Start {
  readonly plan: Plan;
  readonly from: string;
  /** Steps that were taken before. */
  readonly takenBefore: number;
}

/** Goes on with a journey until it waits, ends, fails or is to be noted. More than `MOST_STEPS` steps fail it. */
export async function walkSteps({ plan, from, takenBefore }: Start, world: World): Promise<Progress> {
  let taken = 0;
  const visit = async (key: string): Promise<Visited> => {
    if (takenBefore + taken >= MOST_STEPS) {
      const entry = { step: key, at: world.now().toISOString(), outcome: 'failed' };
      return { kind: 'failed', error: `It has taken more than ${MOST_STEPS} steps.`, isFinal: true, entry };
    }
    const visited = await visitStep(plan, key, world);
    if (visited.kind === 'done' || visited.kind === 'passed') taken += 1;
    return visited;
  };
  const walked = await walk({ from, visit, mostSteps: STEPS_AT_ONCE });
  return { ...walked, taken };
}
