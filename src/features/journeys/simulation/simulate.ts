import type { Issue } from '../../../errors/app-error.ts';
import { check } from '../../../http/body-checks.ts';
import type { MemberContext } from '../../../http/context.ts';
import { JsonText } from '../../../http/json-text.ts';
import { REQUEST_MS, requestDeadline } from '../../../http/request-deadline.ts';
import { isTime, readTime } from '../../../resources/filter-values.ts';
import { getRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { getEmailSettings } from '../../email-settings/index.ts';
import { compilePlan, type Plan } from '../definition/plan.ts';
import { journeys } from '../resource.ts';
import type { HistoryEntry, SimulateBody, Simulated, Status } from '../schema.ts';
import { walkSteps } from '../steps/walk-steps.ts';
import { type Shown, ShownSteps } from './shown-steps.ts';
import { findVirtualPerson } from './virtual-person.ts';
import { VirtualWorld } from './virtual-world.ts';

/** The rules of a simulation beside its schema. */
export const SIMULATE_CHECKS = [
  check<SimulateBody>(['subscriber_id', 'subscriber'], ({ subscriber_id, subscriber }): Issue[] =>
    (subscriber_id === undefined) === (subscriber === undefined)
      ? [{ field: 'subscriber_id', message: 'is needed, or subscriber: one of the two' }]
      : [],
  ),
  check<SimulateBody>(['start_at'], ({ start_at }): Issue[] =>
    start_at === undefined || isTime(start_at)
      ? []
      : [{ field: 'start_at', message: 'must be an ISO 8601 time' }],
  ),
];

// A step under way is not interrupted: it has a deadline of its own.
const TOO_LONG = `It took longer than ${REQUEST_MS / 1000} s of real time: simulate a smaller part of the journey.`;
const TOO_LATE = 'It waits beyond the year 9999, where the virtual clock ends.';

/**
 * What a journey, as it is now, would do with somebody: each step with its time. Nothing is written and nobody is called.
 * @throws AppError NOT_FOUND for a journey or a person that there is not.
 */
export async function simulate(
  ctx: Pick<MemberContext, 'platform' | 'db' | 'now' | 'whenGone'>,
  id: string,
  body: SimulateBody,
): Promise<Simulated | JsonText> {
  const { platform, now } = ctx;
  const journey = await getRecord(ctx.db, journeys, id);
  const person = await findVirtualPerson(ctx.db, journey.owner_bu_id, body, now);
  const startAt = new Date(readTime(body.start_at ?? '') ?? now);
  if (!person.active) return { status: 'exited', finished_at: startAt.toISOString(), steps: [] };
  // Templates and audiences that the units share, and the mail of all, as in a run.
  const db = platform.scoped(wholeTenant(ctx.db.tenantId));
  const events = (body.events ?? []).map(({ after_seconds, ...event }) => ({
    ...event,
    at: new Date(startAt.getTime() + after_seconds * 1000),
  }));
  const shown = new ShownSteps(platform, db.tenantId);
  const end = requestDeadline(ctx);
  const simulation = {
    end,
    ...{ platform, db, settings: await getEmailSettings(db), journey, person, events, startAt },
    trigger: body.trigger ?? { type: 'manual' },
  };
  try {
    const world = new VirtualWorld(simulation, shown);
    return new JsonText(JSON.stringify(await runThrough(compilePlan(journey.steps), world, { shown, end })));
  } finally {
    shown.leave();
  }
}

interface Course {
  readonly shown: ShownSteps;
  readonly end: AbortSignal;
}

async function runThrough(plan: Plan, world: VirtualWorld, { shown, end }: Course): Promise<Simulated> {
  const steps: Simulated['steps'] = [];
  const fail = (step: string, error: string): Simulated => {
    const entry = { step, at: world.now().toISOString(), outcome: 'failed' };
    steps.push(...toldSteps(plan, [entry], []).map((told) => ({ ...told, error })));
    return { status: 'failed', finished_at: entry.at, steps };
  };
  let [from, taken] = [plan.first, 0];
  for (;;) {
    const progress = await walkSteps({ plan, from, takenBefore: taken }, world);
    taken += progress.taken;
    const isFailed = progress.kind === 'failed';
    const entries = isFailed ? [...progress.entries, progress.entry] : progress.entries;
    steps.push(...toldSteps(plan, entries, shown.take()));
    if (progress.kind === 'waiting') {
      const at = plan.steps.get(progress.place)?.step;
      from = progress.place;
      if (world.turnTo(progress.until, at?.type === 'wait_for' ? at : null)) continue;
      return fail(from, TOO_LATE);
    } else if (progress.kind === 'paused') {
      from = progress.place;
      if (end.aborted) return fail(from, TOO_LONG);
    } else {
      const last = steps.at(-1);
      if (isFailed && last !== undefined) last.error = progress.error;
      return { status: statusOf(progress.kind), finished_at: world.now().toISOString(), steps };
    }
  }
}

const STATUSES = { completed: 'completed', ended: 'exited', failed: 'failed' } as const;

function statusOf(kind: keyof typeof STATUSES): Status {
  return STATUSES[kind];
}

/** The steps that were taken; one at which the clock is turned shows nothing more than it did. */
function toldSteps(
  plan: Plan,
  entries: readonly HistoryEntry[],
  shown: readonly Shown[],
): Simulated['steps'] {
  return entries.map(({ step, at, outcome }, index) => {
    const type = plan.steps.get(step)?.step.type ?? '';
    return { step, type, at, outcome, ...shown[index] };
  });
}
