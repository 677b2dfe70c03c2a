import { type Walked, walk } from '../../../flows/walk.ts';
import type { Plan } from '../definition/plan.ts';
import type { HistoryEntry } from '../schema.ts';
import { MAX_STEPS_TAKEN, type Visited, visitStep } from './visit-step.ts';
import type { World } from './world.ts';

/** Largest number of steps of one walk, before its effects are written. */
const MAX_STEPS_PER_WALK = 100;

/** Result of a walk, and the number of steps it took. */
export type Progress = Walked<string, HistoryEntry> & { readonly taken: number };

/** Start of a walk. */
export interface Start {
  readonly plan: Plan;
  readonly from: string;
  /** Number of steps in earlier walks. */
  readonly takenBefore: number;
}

/** Continues a journey until it waits, ends, fails or has effects to write. More than `MAX_STEPS_TAKEN` steps fail it. */
export async function walkSteps({ plan, from, takenBefore }: Start, world: World): Promise<Progress> {
  let taken = 0;
  const visit = async (key: string): Promise<Visited> => {
    if (takenBefore + taken >= MAX_STEPS_TAKEN) {
      const entry = { step: key, at: world.now().toISOString(), outcome: 'failed' };
      return {
        kind: 'failed',
        error: `The journey took more than ${MAX_STEPS_TAKEN} steps.`,
        isFinal: true,
        entry,
      };
    }
    const visited = await visitStep(plan, key, world);
    if (visited.kind === 'done' || visited.kind === 'passed') taken += 1;
    return visited;
  };
  const walked = await walk({ from, visit, mostSteps: MAX_STEPS_PER_WALK });
  return { ...walked, taken };
}
