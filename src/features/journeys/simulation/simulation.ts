import type { Issue } from '../../../errors/app-error.ts';
import { check } from '../../../http/body-checks.ts';
import type { MemberContext } from '../../../http/context.ts';
import { JsonText } from '../../../http/json-text.ts';
import { REQUEST_MS, requestDeadline } from '../../../http/request-deadline.ts';
import { isTime, readTime } from '../../../resources/filter-values.ts';
import { getRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { getEmailSettings } from '../../email-settings/api.ts';
import { compilePlan, type Plan } from '../definition/plan.ts';
import { journeys } from '../resource.ts';
import type { HistoryEntry, Status } from '../schema.ts';
import { walkSteps } from '../steps/step-walk.ts';
import type { SimulateBody, SimulationReply } from './schema.ts';
import { findSimulatedSubscriber } from './simulated-subscriber.ts';
import { SimulationEnvironment } from './simulation-environment.ts';
import { type StepPreview, StepPreviews } from './step-previews.ts';

/** Checks of a simulation beyond its schema. */
export const SIMULATE_CHECKS = [
  check<SimulateBody>(['subscriber_id', 'subscriber'], ({ subscriber_id, subscriber }): Issue[] =>
    (subscriber_id === undefined) === (subscriber === undefined)
      ? [{ field: 'subscriber_id', message: 'or subscriber is required, but not both' }]
      : [],
  ),
  check<SimulateBody>(['start_at'], ({ start_at }): Issue[] =>
    start_at === undefined || isTime(start_at)
      ? []
      : [{ field: 'start_at', message: 'must be an ISO 8601 time' }],
  ),
];

// The current step is not interrupted, because it has its own deadline.
const TOO_LONG = `The simulation took longer than ${REQUEST_MS / 1000} s of real time. Simulate a smaller part of the journey.`;
const TOO_LATE = 'The journey waits beyond the year 9999, where the virtual clock ends.';

/**
 * Simulates the current version of a journey for a subscriber and returns each step with its time. Nothing is written
 * or called.
 * @throws AppError NOT_FOUND for an unknown journey or subscriber.
 */
export async function simulate(
  ctx: Pick<MemberContext, 'platform' | 'db' | 'now' | 'disconnectSignal'>,
  id: string,
  body: SimulateBody,
): Promise<SimulationReply | JsonText> {
  const { platform, now } = ctx;
  const journey = await getRecord(ctx.db, journeys, id);
  const subscriber = await findSimulatedSubscriber(ctx.db, journey.owner_bu_id, body, now);
  const startAt = new Date(readTime(body.start_at ?? '') ?? now);
  if (!subscriber.active) return { status: 'exited', finished_at: startAt.toISOString(), steps: [] };
  // As in a run, the simulation reads the templates, audiences and mail of all units.
  const db = platform.scoped(wholeTenant(ctx.db.tenantId));
  const events = (body.events ?? []).map(({ after_seconds, ...event }) => ({
    ...event,
    at: new Date(startAt.getTime() + after_seconds * 1000),
  }));
  const previews = new StepPreviews(platform, db.tenantId);
  const deadline = requestDeadline(ctx);
  const simulation = {
    deadline,
    platform,
    db,
    settings: await getEmailSettings(db),
    journey,
    subscriber,
    events,
    startAt,
    trigger: body.trigger ?? { type: 'manual' },
  };
  try {
    const environment = new SimulationEnvironment(simulation, previews);
    return new JsonText(
      JSON.stringify(await runSimulation(compilePlan(journey.steps), environment, { previews, deadline })),
    );
  } finally {
    previews.release();
  }
}

interface SimulationContext {
  readonly previews: StepPreviews;
  readonly deadline: AbortSignal;
}

async function runSimulation(
  plan: Plan,
  environment: SimulationEnvironment,
  { previews, deadline }: SimulationContext,
): Promise<SimulationReply> {
  const steps: SimulationReply['steps'] = [];
  const fail = (step: string, error: string): SimulationReply => {
    const entry = { step, at: environment.now().toISOString(), outcome: 'failed' };
    steps.push(...describeSteps(plan, [entry], []).map((step) => ({ ...step, error })));
    return { status: 'failed', finished_at: entry.at, steps };
  };
  let [from, taken] = [plan.first, 0];
  for (;;) {
    const progress = await walkSteps({ plan, from, stepsBefore: taken }, environment);
    taken += progress.taken;
    const isFailed = progress.kind === 'failed';
    const entries = isFailed ? [...progress.entries, progress.entry] : progress.entries;
    steps.push(...describeSteps(plan, entries, previews.take()));
    if (progress.kind === 'waiting') {
      const waiting = plan.steps.get(progress.position)?.step;
      from = progress.position;
      if (environment.advanceTo(progress.until, waiting?.type === 'wait_for' ? waiting : null)) continue;
      return fail(from, TOO_LATE);
    } else if (progress.kind === 'paused') {
      from = progress.position;
      if (deadline.aborted) return fail(from, TOO_LONG);
    } else {
      const last = steps.at(-1);
      if (isFailed && last !== undefined) last.error = progress.error;
      return { status: statusOf(progress.kind), finished_at: environment.now().toISOString(), steps };
    }
  }
}

const STATUSES = { completed: 'completed', ended: 'exited', failed: 'failed' } as const;

function statusOf(kind: keyof typeof STATUSES): Status {
  return STATUSES[kind];
}

/** Returns the visited steps with their previews. */
function describeSteps(
  plan: Plan,
  entries: readonly HistoryEntry[],
  previews: readonly StepPreview[],
): SimulationReply['steps'] {
  return entries.map(({ step, at, outcome }, index) => {
    const type = plan.steps.get(step)?.step.type ?? '';
    return { step, type, at, outcome, ...previews[index] };
  });
}
