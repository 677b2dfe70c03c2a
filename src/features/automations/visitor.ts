/** How a walk goes through a plan: the same in runs, which act, and in dry runs, which say what they would do. */
import type { Condition } from '../../flows/condition-thread.ts';
import { FlowError, type Json, type Values } from '../../flows/expressions.ts';
import type { StepOutcome } from '../../flows/walk.ts';
import type { Plan, PlannedAction } from './compile.ts';

/** What came of an action, as a run keeps and shows it. */
export interface Entry {
  readonly key: string;
  readonly status: 'succeeded' | 'failed' | 'skipped';
  readonly error: string | null;
  readonly result: Json;
}

/** What doing an action came to. */
export type Acted =
  | { readonly kind: 'done'; readonly result: Json }
  /** `isFinal`: to try again would not help. */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly isFinal: boolean;
      readonly result: Json;
    };

/** What a visitor goes through, and with what. */
export interface Visited {
  readonly plan: Plan;
  readonly trigger: Readonly<Record<string, unknown>>;
  /** Of the actions that were done before, by key: these are passed. */
  readonly done: ReadonlyMap<string, Entry>;
  /** Returns true if a condition holds. @throws FlowError when that cannot be decided. */
  readonly holds: (condition: Condition, values: Values) => Promise<boolean>;
  /** Does an action, its parameters filled in. */
  readonly act: (action: PlannedAction, params: Json) => Promise<Acted>;
}

/** Visits the step at a place of the plan. */
export type Visit = (place: number) => Promise<StepOutcome<number, Entry>>;

/** What visits the steps of a plan, from the first one on, also where some were done before. */
export function planVisitor({ plan, trigger, done, holds, act }: Visited): Visit {
  const results = resultsOf(done.values());
  /** The conditions that do not hold, by place. */
  const shut = new Set<number>();
  return async (place) => {
    const step = plan.steps[place];
    const next = place + 1 < plan.steps.length ? place + 1 : null;
    if (step === undefined) throw new Error(`The plan of ${plan.key} has no step ${place}.`);
    if (step.kind === 'gate') {
      const first = firstActionOf(plan, place, step.place);
      const known = first && done.get(first.key);
      const values = { trigger, actions: results };
      const held = known ? known.status !== 'skipped' : await flowResult(() => holds(step.gate, values));
      if (typeof held !== 'boolean')
        return failedAt(
          first?.key ?? '',
          `The condition of conditionalActions[${step.place}]: ${held.message}`,
        );
      if (!held) shut.add(step.place);
      return { kind: 'passed', next };
    }
    const { action } = step;
    if (done.has(action.key)) return { kind: 'passed', next };
    if (action.gate !== null && shut.has(action.gate))
      return { kind: 'done', entry: entryOf(action.key, 'skipped'), next };
    const params = paramsOf(action, trigger, results);
    if (params instanceof FlowError) return failedAt(action.key, params.message);
    const acted = await act(action, params);
    if (acted.kind === 'failed') {
      const { error, isFinal, result } = acted;
      return { kind: 'failed', error, isFinal, entry: { key: action.key, status: 'failed', error, result } };
    }
    results[action.key] = acted.result;
    return { kind: 'done', entry: entryOf(action.key, 'succeeded', acted.result), next };
  };
}

/** The parameters of an action, or why they cannot be made: too large, too deep. */
export function paramsOf(
  action: PlannedAction,
  trigger: Visited['trigger'],
  results: Values,
): Json | FlowError {
  const values = { trigger: { ...trigger, action: { key: action.key } }, actions: results };
  try {
    return action.params.resolve(values);
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
}

/** The results of what was done, as expressions read them: `actions.<key>`. */
export function resultsOf(entries: Iterable<Entry>): Record<string, Json> {
  // Without a prototype: a key may be `__proto__`.
  const results: Record<string, Json> = Object.create(null);
  for (const { key, status, result } of entries) if (status === 'succeeded') results[key] = result;
  return results;
}

function firstActionOf({ steps }: Plan, place: number, gate: number): PlannedAction | null {
  const step = steps[place + 1];
  return step?.kind === 'action' && step.action.gate === gate ? step.action : null;
}

async function flowResult<T>(work: () => Promise<T>): Promise<T | FlowError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
}

/** By what the definition makes of this trigger: another try would come to the same. */
function failedAt(key: string, error: string): StepOutcome<number, Entry> {
  return { kind: 'failed', error, isFinal: true, entry: { key, status: 'failed', error, result: null } };
}

function entryOf(key: string, status: 'succeeded' | 'skipped', result: Json = null): Entry {
  return { key, status, error: null, result };
}
