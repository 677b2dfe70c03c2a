/** Execution of each type of step, in a run or a simulation (docs/specification/journeys.md#steps). */
import { FlowError, type Json, toText } from '../../../flows/expressions.ts';
import type { StepOutcome } from '../../../flows/walk.ts';
import type { Plan, PlannedStep } from '../definition/plan.ts';
import { branchOf } from '../definition/split.ts';
import { endOfWait } from '../definition/wait-times.ts';
import type { HistoryEntry, StepOf } from '../schema.ts';
import type { FilledCall, FilledFields, World } from './world.ts';

/** Largest number of steps that one state takes. */
export const MAX_STEPS_TAKEN = 1000;

/** Result of a visit. */
export type Visited = StepOutcome<string, HistoryEntry>;

/** Visits a step of a plan. */
export async function visitStep(plan: Plan, key: string, world: World): Promise<Visited> {
  const planned = plan.steps.get(key);
  // Saved definitions have no unknown keys.
  if (planned === undefined) return failed(key, world, `The journey has no step ${key}.`, true);
  if (!world.begins(planned.step)) return { kind: 'paused' };
  try {
    return await take(planned, world);
  } catch (error) {
    if (!(error instanceof FlowError)) throw error;
    return failed(key, world, error.message, true);
  }
}

async function take(planned: PlannedStep, world: World): Promise<Visited> {
  const { step, next } = planned;
  const done = (outcome: string, to: string | null = next): Visited => ({
    kind: 'done',
    entry: entryOf(step.key, world, outcome),
    next: to,
  });
  switch (step.type) {
    case 'exit':
      return { kind: 'ended', entry: entryOf(step.key, world, 'exited') };
    case 'split': {
      const to = branchOf(step, world.facts);
      return done(to, to);
    }
    case 'branch':
      return (await world.meets(step)) ? done('then', step.then ?? next) : done('else', step.else ?? next);
    case 'wait': {
      const until = endOfWait(step, world.arrivedAt());
      return until > world.now() ? { kind: 'waiting', until } : done('waited');
    }
    case 'wait_for':
      return waitFor(step, world, done, next);
    case 'send_email': {
      const sending = await world.send(step);
      return sending.outcome === 'failed'
        ? failed(step.key, world, sending.error, true)
        : done(sending.outcome);
    }
    case 'update_subscriber': {
      const updating = await world.update(step, fieldsOf(planned, world));
      return updating.ok ? done('done') : failed(step.key, world, updating.error, true);
    }
    case 'http_request': {
      const calling = await world.call(step, callOf(step, planned, world));
      return calling.ok ? done('done') : failed(step.key, world, calling.error, calling.isFinal);
    }
  }
}

function waitFor(
  step: StepOf<'wait_for'>,
  world: World,
  done: (outcome: string, to?: string | null) => Visited,
  next: string | null,
): Visited {
  if (world.hasOccurred(step)) return done('event', step.on_event ?? next);
  const until = new Date(world.arrivedAt().getTime() + step.timeout_seconds * 1000);
  return until > world.now() ? { kind: 'waiting', until } : done('timeout', step.on_timeout ?? next);
}

/** Resolves field values; a field without a value is left out and so does not change. */
function fieldsOf({ template }: PlannedStep, world: World): FilledFields {
  const filled = Object.entries(template?.resolve(world.values()) ?? {});
  return Object.fromEntries(
    filled.flatMap(([name, value]: [string, Json]) => {
      if (value === null) return [];
      return [[name, typeof value === 'object' ? toText(value) : value]];
    }),
  );
}

function callOf(
  { method, headers: own = {} }: StepOf<'http_request'>,
  { template }: PlannedStep,
  world: World,
): FilledCall {
  const filled = Object.entries(template?.resolve(world.values()) ?? {});
  const { url = null, headers = null, body } = Object.fromEntries<Json>(filled);
  const filledHeaders = Object.entries(headers ?? {}).map(([name, value]: [string, Json]) => {
    const given = own[name];
    return [name, typeof given === 'object' ? given : toText(value)] as const;
  });
  return { method, url: toText(url), headers: Object.fromEntries(filledHeaders), body: body ?? undefined };
}

function failed(step: string, world: World, error: string, isFinal: boolean): Visited {
  return { kind: 'failed', error, isFinal, entry: entryOf(step, world, 'failed') };
}

function entryOf(step: string, world: World, outcome: string): HistoryEntry {
  return { step, at: world.now().toISOString(), outcome };
}
