/** Execution of each type of step, in a run or a simulation (docs/specification/journeys.md#steps). */
import { FlowError, type Json, toText } from '../../../flows/expressions.ts';
import type { StepOutcome } from '../../../flows/walk.ts';
import type { Plan, PlannedStep } from '../definition/plan.ts';
import { branchOf } from '../definition/split.ts';
import { endOfWait } from '../definition/wait-times.ts';
import type { HistoryEntry, StepOf } from '../schema.ts';
import type { ResolvedCall, ResolvedFields, StepEnvironment } from './environment.ts';

/** Largest number of steps that one enrollment takes. */
export const MAX_STEPS_TAKEN = 1000;

/** Result of a visit. */
export type VisitResult = StepOutcome<string, HistoryEntry>;

/** Executes a step of a plan. A FlowError ends the enrollment as failed. */
export async function visitStep(plan: Plan, key: string, environment: StepEnvironment): Promise<VisitResult> {
  const planned = plan.steps.get(key);
  // Saved definitions have no unknown keys.
  if (planned === undefined) return failed(key, environment, `The journey has no step ${key}.`, true);
  if (!environment.begin(planned.step)) return { kind: 'paused' };
  try {
    return await runStep(planned, environment);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return failed(key, environment, error.message, true);
  }
}

async function runStep(planned: PlannedStep, environment: StepEnvironment): Promise<VisitResult> {
  const { step, next } = planned;
  const done = (outcome: string, to: string | null = next): VisitResult => ({
    kind: 'done',
    entry: entryOf(step.key, environment, outcome),
    next: to,
  });
  switch (step.type) {
    case 'exit':
      return { kind: 'ended', entry: entryOf(step.key, environment, 'exited') };
    case 'split': {
      const to = branchOf(step, environment.splitDetails);
      return done(to, to);
    }
    case 'branch':
      return (await environment.meetsFilters(step))
        ? done('then', step.then ?? next)
        : done('else', step.else ?? next);
    case 'wait': {
      const until = endOfWait(step, environment.arrivedAt());
      return until > environment.now() ? { kind: 'waiting', until } : done('waited');
    }
    case 'wait_for':
      return waitFor(step, environment, done, next);
    case 'send_email': {
      const result = await environment.send(step);
      return result.outcome === 'failed'
        ? failed(step.key, environment, result.error, true)
        : done(result.outcome);
    }
    case 'update_subscriber': {
      const result = await environment.update(step, resolveFields(planned, environment));
      return result.ok ? done('done') : failed(step.key, environment, result.error, true);
    }
    case 'http_request': {
      const result = await environment.call(step, resolveCall(step, planned, environment));
      return result.ok ? done('done') : failed(step.key, environment, result.error, result.isFinal);
    }
  }
}

function waitFor(
  step: StepOf<'wait_for'>,
  environment: StepEnvironment,
  done: (outcome: string, to?: string | null) => VisitResult,
  next: string | null,
): VisitResult {
  if (environment.hasOccurred(step)) return done('event', step.on_event ?? next);
  const until = new Date(environment.arrivedAt().getTime() + step.timeout_seconds * 1000);
  return until > environment.now() ? { kind: 'waiting', until } : done('timeout', step.on_timeout ?? next);
}

/** Resolves field values; a field without a value is left out and so does not change. */
function resolveFields({ template }: PlannedStep, environment: StepEnvironment): ResolvedFields {
  const resolved = Object.entries(template?.resolve(environment.values()) ?? {});
  return Object.fromEntries(
    resolved.flatMap(([name, value]: [string, Json]) => {
      if (value === null) return [];
      return [[name, typeof value === 'object' ? toText(value) : value]];
    }),
  );
}

function resolveCall(
  { method, headers: defined = {} }: StepOf<'http_request'>,
  { template }: PlannedStep,
  environment: StepEnvironment,
): ResolvedCall {
  const resolved = Object.entries(template?.resolve(environment.values()) ?? {});
  const { url = null, headers = null, body } = Object.fromEntries<Json>(resolved);
  const resolvedHeaders = Object.entries(headers ?? {}).map(([name, value]: [string, Json]) => {
    const header = defined[name];
    return [name, typeof header === 'object' ? header : toText(value)] as const;
  });
  return { method, url: toText(url), headers: Object.fromEntries(resolvedHeaders), body: body ?? undefined };
}

function failed(step: string, environment: StepEnvironment, error: string, isFinal: boolean): VisitResult {
  return { kind: 'failed', error, isFinal, entry: entryOf(step, environment, 'failed') };
}

function entryOf(step: string, environment: StepEnvironment, outcome: string): HistoryEntry {
  return { step, at: environment.now().toISOString(), outcome };
}
