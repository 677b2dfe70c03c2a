/** The compiled steps of a journey version. */
import { compileTemplate, type Template } from '../../../flows/expressions.ts';
import { AWAITED_TYPES, type AwaitedType, type Step } from '../schema.ts';

/** A step with its successor and its compiled expressions. */
export interface PlannedStep {
  readonly step: Step;
  /** Key of the default next step; null at the end. */
  readonly next: string | null;
  /** Compiled expressions of an `http_request` or `update_subscriber`; null for other types. */
  readonly template: Template | null;
}

/** The steps of a version by their keys. */
export interface Plan {
  readonly first: string;
  readonly steps: ReadonlyMap<string, PlannedStep>;
}

/** Compiles steps. @throws FlowError for an invalid expression; stored steps have none. */
export function compilePlan(steps: readonly Step[]): Plan {
  const planned = steps.map((step, index) => {
    const next = step.next ?? steps[index + 1]?.key ?? null;
    return [step.key, { step, next, template: templateOf(step) }] as const;
  });
  return { first: steps[0]?.key ?? '', steps: new Map(planned) };
}

/** Compiles the expressions of a step; null for types without any. @throws FlowError naming the invalid field. */
export function templateOf(step: Step): Template | null {
  if (step.type === 'http_request') {
    const { url, headers, body } = step;
    return compileTemplate({ url, headers, body });
  }
  return step.type === 'update_subscriber' ? compileTemplate(step.additional_fields_data ?? {}) : null;
}

/** Keys of the possible next steps; a key is null if it ends the journey. `following` is the key of the step below. */
export function nextStepKeys(step: Step, following: string | null): readonly (string | null)[] {
  switch (step.type) {
    case 'exit':
      return [];
    case 'split':
      return step.branches.map(({ to }) => to);
    case 'branch':
      return [step.then ?? step.next ?? following, step.else ?? step.next ?? following];
    case 'wait_for':
      return [step.on_event ?? step.next ?? following, step.on_timeout ?? step.next ?? following];
    default:
      return [step.next ?? following];
  }
}

/** Types of events that at least one of the steps waits for. */
export function awaitedTypes(steps: readonly Step[]): AwaitedType[] {
  const awaited = new Set(steps.flatMap((step) => (step.type === 'wait_for' ? [step.event] : [])));
  return AWAITED_TYPES.filter((type) => awaited.has(type));
}

/** Returns the lane of an enrollment at this step; HTTP calls have their own. */
export function laneOf(step: Step | undefined): 'steps' | 'calls' {
  return step?.type === 'http_request' ? 'calls' : 'steps';
}
