/** A journey's steps as they are gone through: compiled once for each version. */
import { compileTemplate, type Template } from '../../../flows/expressions.ts';
import { AWAITED_TYPES, type AwaitedType, type Step } from '../schema.ts';

/** A step with what follows it, and with the expressions in it. */
export interface PlannedStep {
  readonly step: Step;
  /** The step that follows unless the step itself says another; null: the end. */
  readonly next: string | null;
  /** What an `http_request` or an `update_subscriber` holds that may have expressions. */
  readonly template: Template | null;
}

/** The steps of a version by their keys. */
export interface Plan {
  readonly first: string;
  readonly steps: ReadonlyMap<string, PlannedStep>;
}

/** Compiles steps. @throws FlowError for an expression that is none: steps that were saved have none. */
export function compilePlan(steps: readonly Step[]): Plan {
  const planned = steps.map((step, index) => {
    const next = step.next ?? steps[index + 1]?.key ?? null;
    return [step.key, { step, next, template: templateOf(step) }] as const;
  });
  return { first: steps[0]?.key ?? '', steps: new Map(planned) };
}

/** What of a step may hold expressions, compiled. @throws FlowError naming the text that is at fault. */
export function templateOf(step: Step): Template | null {
  if (step.type === 'http_request') {
    const { url, headers, body } = step;
    return compileTemplate({ url, headers, body });
  }
  return step.type === 'update_subscriber' ? compileTemplate(step.additional_fields_data ?? {}) : null;
}

/** The steps to which a step may lead; null: it may be the last one. */
export function exitsOf(step: Step, following: string | null): readonly (string | null)[] {
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

/** The kinds of events that any of the steps waits for. */
export function heardBy(steps: readonly Step[]): AwaitedType[] {
  const heard = new Set(steps.flatMap((step) => (step.type === 'wait_for' ? [step.event] : [])));
  return AWAITED_TYPES.filter((type) => heard.has(type));
}

/** Whether a state that begins at the first step calls others at once. */
export function laneOf(step: Step | undefined): 'steps' | 'calls' {
  return step?.type === 'http_request' ? 'calls' : 'steps';
}
