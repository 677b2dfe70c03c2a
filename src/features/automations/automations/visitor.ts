/** Walks through a plan. Runs execute its actions; dry runs describe them. */
import type { Condition } from '../../../flows/condition-thread.ts';
import {
  FlowError,
  type Json,
  type NullPart,
  type Segments,
  type Values,
} from '../../../flows/expressions.ts';
import type { StepOutcome } from '../../../flows/walk.ts';
import type { PlannedAction, Step } from './plan.ts';

/** The result of an action, as a run stores and shows it. */
export interface Entry {
  readonly key: string;
  readonly status: 'succeeded' | 'failed' | 'skipped';
  readonly error: string | null;
  readonly result: Json;
  /** Set for actions that follow the failure of the run. */
  readonly on_failure?: true;
}

/** The outcome of an action. */
export type ActionOutcome =
  | { readonly kind: 'done'; readonly result: Json }
  /** `isFinal`: a retry would not help. `fields`: the faulty parameters, as far as they are known. */
  | {
      readonly kind: 'failed';
      readonly error: string;
      readonly isFinal: boolean;
      readonly result: Json;
      readonly fields: readonly string[];
    };

/** The input of a walk. */
export interface VisitorOptions {
  readonly steps: readonly Step[];
  readonly trigger: Readonly<Record<string, unknown>>;
  /** Other roots of expressions, such as `run`. */
  readonly roots?: Values;
  /** Completed actions of earlier steps; expressions can read their results. */
  readonly earlier?: readonly Entry[];
  /** Completed actions of these steps by position; they are skipped. */
  readonly done: readonly Entry[];
  /** Returns related records of the trigger's entity, at least those on these paths. @throws FlowError. */
  readonly related: (paths: readonly Segments[]) => Promise<Values>;
  /** Returns true if a condition is met. @throws FlowError if it cannot be evaluated. */
  readonly isMet: (condition: Condition, values: Values) => Promise<boolean>;
  /** Executes an action with its resolved parameters. */
  readonly act: (action: PlannedAction, params: Json) => Promise<ActionOutcome>;
}

/** Maximum number of expressions without a value that an error names. */
const MAX_NULLS = 5;
const MAX_NULLS_CHARS = 1000;

/** Visits the step at a position of the plan. */
export type Visit = (position: number) => Promise<StepOutcome<number, Entry>>;

/** Returns a visitor that starts at the first step and skips completed actions. */
export function planVisitor(options: VisitorOptions): Visit {
  const { steps, trigger, done, isMet, act } = options;
  const results = resultsOf([...(options.earlier ?? []), ...done]);
  const valuesFor = async (paths: readonly Segments[]): Promise<Values> => ({
    ...options.roots,
    ...(await options.related(paths)),
    ...{ trigger, actions: results },
  });
  /** Indexes of the false conditions. */
  const falseConditions = new Set<number>();
  return async (position) => {
    const step = steps[position];
    const next = position + 1 < steps.length ? position + 1 : null;
    if (step === undefined) throw new Error(`There is no step ${position}.`);
    if (step.kind === 'condition') {
      const firstAction = firstActionOf(steps, position, step.index);
      const firstEntry = firstAction && done[firstAction.position];
      const isTrue = firstEntry
        ? firstEntry.status !== 'skipped'
        : await flowResult(async () => isMet(step.condition, await valuesFor(step.paths)));
      if (typeof isTrue !== 'boolean')
        return failedAt(
          firstAction?.key ?? '',
          `The condition of conditionalActions[${step.index}]: ${isTrue.message}`,
        );
      if (!isTrue) falseConditions.add(step.index);
      return { kind: 'passed', next };
    }
    const { action } = step;
    if (done[action.position] !== undefined) return { kind: 'passed', next };
    if (action.conditionIndex !== null && falseConditions.has(action.conditionIndex))
      return { kind: 'done', entry: entryOf(action.key, 'skipped'), next };
    const values = await flowResult(() => valuesFor(action.params.paths));
    if (values instanceof FlowError) return failedAt(action.key, values.message);
    const params = paramsOf(action, values);
    if (params instanceof FlowError) return failedAt(action.key, params.message);
    const outcome = await act(action, params);
    if (outcome.kind === 'failed') {
      const { isFinal, result } = outcome;
      const error = `${outcome.error}${describeNulls(outcome.fields, action.params.findNulls(withAction(action, values)))}`;
      return { kind: 'failed', error, isFinal, entry: { key: action.key, status: 'failed', error, result } };
    }
    results[action.key] = outcome.result;
    return { kind: 'done', entry: entryOf(action.key, 'succeeded', outcome.result), next };
  };
}

/** Returns the parameters of an action, or why they cannot be computed: too large or too deep. */
export function paramsOf(action: PlannedAction, values: Values): Json | FlowError {
  try {
    return action.params.resolve(withAction(action, values));
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
}

/** Results by action key, as `actions.<key>` in expressions. The last action with a key wins. */
export function resultsOf(entries: Iterable<Entry>): Record<string, Json> {
  // No prototype: a key may be `__proto__`.
  const results: Record<string, Json> = Object.create(null);
  for (const { key, status, result } of entries) if (status === 'succeeded') results[key] = result;
  return results;
}

function withAction({ key }: PlannedAction, values: Values): Values {
  return { ...values, trigger: { ...Object(values.trigger), action: { key } } };
}

/** Names the expressions without a value in faulty parameters. */
function describeNulls(fields: readonly string[], nulls: readonly NullPart[]): string {
  const isFaulty = (part: string) =>
    fields.some((field) => field === part || part.endsWith(`.${field}`) || part.startsWith(`${field}.`));
  return nulls
    .filter(({ field }) => isFaulty(field))
    .slice(0, MAX_NULLS)
    .map(({ field, expression }) => ` params.${field} is null, as ${expression} has no value.`)
    .join('')
    .slice(0, MAX_NULLS_CHARS);
}

function firstActionOf(
  steps: readonly Step[],
  position: number,
  conditionIndex: number,
): PlannedAction | null {
  const step = steps[position + 1];
  return step?.kind === 'action' && step.action.conditionIndex === conditionIndex ? step.action : null;
}

async function flowResult<T>(work: () => Promise<T>): Promise<T | FlowError> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof FlowError) return error;
    throw error;
  }
}

/** Final, because the definition and trigger are the same in a retry. */
function failedAt(key: string, error: string): StepOutcome<number, Entry> {
  return { kind: 'failed', error, isFinal: true, entry: { key, status: 'failed', error, result: null } };
}

function entryOf(key: string, status: 'succeeded' | 'skipped', result: Json = null): Entry {
  return { key, status, error: null, result };
}
