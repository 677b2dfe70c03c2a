import { type WalkResult, walk } from '../../../flows/walk.ts';
import type { Plan } from '../definition/plan.ts';
import type { HistoryEntry } from '../schema.ts';
import type { StepEnvironment } from './environment.ts';
import { MAX_STEPS_TAKEN, type VisitResult, visitStep } from './step-visitor.ts';

/** Largest number of steps of one walk, before its effects are written. */
const MAX_STEPS_PER_WALK = 100;

/** Result of a walk, with the number of steps that it took. */
export type Progress = WalkResult<string, HistoryEntry> & { readonly taken: number };

/** Start of a walk. */
export interface WalkStart {
  readonly plan: Plan;
  /** Key of the first step. */
  readonly from: string;
  /** Number of steps in earlier walks. */
  readonly stepsBefore: number;
}

/**
 * Continues a journey until it waits, ends, fails or has effects to write. More than `MAX_STEPS_TAKEN` steps fail it.
 */
export async function walkSteps(
  { plan, from, stepsBefore }: WalkStart,
  environment: StepEnvironment,
): Promise<Progress> {
  let taken = 0;
  const visit = async (key: string): Promise<VisitResult> => {
    if (stepsBefore + taken >= MAX_STEPS_TAKEN) {
      const entry = { step: key, at: environment.now().toISOString(), outcome: 'failed' };
      return {
        kind: 'failed',
        error: `The journey took more than ${MAX_STEPS_TAKEN} steps.`,
        isFinal: true,
        entry,
      };
    }
    const result = await visitStep(plan, key, environment);
    if (result.kind === 'done' || result.kind === 'passed') taken += 1;
    return result;
  };
  const result = await walk({ from, visit, maxSteps: MAX_STEPS_PER_WALK });
  return { ...result, taken };
}
