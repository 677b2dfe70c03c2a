import { AppError, type Issue } from '../../errors/app-error.ts';
import { INVALID_STATUS, invalidRequest, NOT_FOUND } from '../../errors/platform-errors.ts';
import { check } from '../../http/body-checks.ts';
import type { MemberContext } from '../../http/context.ts';
import { normalizeAddress } from '../../mail/address.ts';
import type { DefinitionTarget } from '../../outbound/definition-targets.ts';
import type { Columns } from '../../resources/body.ts';
import { isUuid } from '../../resources/keys.ts';
import { requireRecordRole } from '../../resources/ownership.ts';
import { findRecord, getRecord } from '../../resources/records.ts';
import { idOfNew, type RestoringContext, restoredOf } from '../../resources/restored-records.ts';
import { findSubscriberByAddress, signalQueue, subscriberLocks } from '../contacts/api.ts';

import { findReferenceIssues, usesOf } from './definition/references.ts';
import { sealSteps } from './definition/sealed-steps.ts';
import { findStepsIssues } from './definition/step-checks.ts';
import { enrollSubscribers } from './entering/enrollment.ts';
import { ALREADY_IN_JOURNEY } from './errors.ts';
import { endJourney, resumeJourney } from './jobs.ts';
import { type JourneyReplace, type JourneyRow, journeys, type StateRow, states } from './resource.ts';
import type { EnterBody, Step } from './schema.ts';
import { endStates } from './states/state-writes.ts';
import { replaceWatches } from './watches.ts';

/** Checks of a definition that need no database. */
export const JOURNEY_CHECKS = [check(['steps'], ({ steps }: JourneyReplace) => findStepsIssues(steps))];

/** The URLs that steps call. */
export function journeyTargets({ steps }: JourneyReplace): readonly DefinitionTarget[] {
  return steps.flatMap((step, index) =>
    step.type === 'http_request' ? [{ field: `steps[${index}].url`, url: step.url }] : [],
  );
}

/** Checks of the enroll body beyond its schema. */
export const ENTER_CHECKS = [
  check<EnterBody>(['subscriber_id', 'email'], ({ subscriber_id, email }): Issue[] =>
    (subscriber_id === undefined) === (email === undefined)
      ? [{ field: 'subscriber_id', message: 'or email is required, but not both' }]
      : [],
  ),
];

/** Returns the id of a new journey, or of the one that is restored. */
export async function prepareJourney(ctx: RestoringContext): Promise<{ readonly id: string }> {
  return { id: idOfNew(ctx) };
}

/**
 * Stores the steps of a journey version and its watches. Returns the columns that are not in the body.
 * @throws AppError INVALID_REQUEST naming unknown references and secret headers without a value.
 */
export async function journeyColumns(
  { db, now, platform }: MemberContext,
  body: JourneyReplace,
  { id, version, stored }: Pick<JourneyRow, 'id' | 'version'> & { readonly stored: readonly Step[] },
): Promise<Columns> {
  const issues = await findReferenceIssues(db, body);
  if (issues.length > 0) throw invalidRequest(issues);
  const steps = sealSteps(platform.secrets, id, body.steps, stored);
  await db.query
    .insertInto('journey_versions')
    .values({ tenant_id: db.tenantId, journey_id: id, version, steps: JSON.stringify(steps) })
    .execute();
  await replaceWatches(db, id, body, now);
  return { uses: usesOf(body), steps };
}

/** Returns the computed columns of a new or restored journey. */
export function newJourneyColumns(
  ctx: MemberContext & RestoringContext,
  body: JourneyReplace,
  id: string,
): Promise<Columns> {
  return journeyColumns(ctx, body, { id, version: restoredOf(ctx, journeys)?.firstVersion ?? 1, stored: [] });
}

/** Like `journeyColumns`, for the next version. Activating a journey resumes its parked enrollments. */
export async function replacedJourneyColumns(
  ctx: MemberContext,
  body: JourneyReplace,
  current: JourneyRow,
): Promise<Columns> {
  const { db, platform } = ctx;
  const { id, version, steps: stored } = current;
  const columns = await journeyColumns(ctx, body, { id, version: version + 1, stored });
  if (body.active && !current.active)
    await platform.jobs.enqueue(db, resumeJourney, { tenantId: db.tenantId, journeyId: current.id });
  return columns;
}

/** Removes the watches of a deleted journey and starts the job that ends its enrollments. */
export async function cleanUpDeletedJourney(
  { db, platform }: MemberContext,
  { id }: JourneyRow,
): Promise<void> {
  await signalQueue.unwatch(db, id);
  await platform.jobs.enqueue(db, endJourney, { tenantId: db.tenantId, journeyId: id });
}

/**
 * Enrolls a subscriber in a journey.
 * @throws AppError NOT_FOUND for an unknown journey or subscriber, FORBIDDEN, INVALID_STATUS, ALREADY_IN_JOURNEY.
 */
export async function enterJourney(
  ctx: MemberContext,
  id: string,
  body: EnterBody,
): Promise<{ state_id: string }> {
  const { db, platform, now, caller } = ctx;
  const journey = await getRecord(db, journeys, id);
  requireRecordRole(caller, journey, 'editor');
  const stateId = await enrollSubscriber(ctx, journey, body, {
    platform,
    now,
    actor: { kind: 'member', caller },
  });
  return { state_id: stateId };
}

/**
 * Enrolls one subscriber. `ctx.db` is a transaction.
 * @throws AppError NOT_FOUND for an unknown subscriber, INVALID_STATUS, ALREADY_IN_JOURNEY.
 */
export async function enrollSubscriber(
  { db }: Pick<MemberContext, 'db'>,
  journey: JourneyRow,
  { subscriber_id: id, email }: EnterBody,
  context: Parameters<typeof enrollSubscribers>[1],
): Promise<string> {
  if (!journey.active)
    throw new AppError(INVALID_STATUS, {
      message: 'The journey is inactive. Activate it to let subscribers enter.',
    });
  const subscriberId =
    id ?? (await findSubscriberByAddress(db, journey.owner_bu_id, normalizeAddress(email ?? ''))) ?? '';
  const subscriber = isUuid(subscriberId)
    ? (await subscriberLocks.keyShareLock(db, [subscriberId])).get(subscriberId)
    : undefined;
  if (subscriber?.owner_bu_id !== journey.owner_bu_id)
    throw new AppError(NOT_FOUND, { message: 'The business unit of the journey has no such subscriber.' });
  if (!subscriber.active)
    throw new AppError(INVALID_STATUS, {
      message: 'The subscriber is inactive. Activate them before they enter a journey.',
    });
  const [stateId] = await enrollSubscribers(db, context, [
    { journeyId: journey.id, subscriberId, trigger: { type: 'manual' } },
  ]);
  if (stateId === null || stateId === undefined) throw new AppError(ALREADY_IN_JOURNEY);
  return stateId;
}

/** Returns an enrollment of a journey. @throws AppError NOT_FOUND, also for enrollments of a deleted journey. */
export async function getState(
  { db }: Pick<MemberContext, 'db'>,
  journeyId: string,
  stateId: string,
): Promise<{ readonly journey: JourneyRow; readonly state: StateRow }> {
  const journey = await getRecord(db, journeys, journeyId);
  const state = await findRecord(db, states, stateId);
  if (state === null || state.target_id !== journey.id) throw new AppError(NOT_FOUND);
  return { journey, state };
}

/** Ends a running enrollment. @throws AppError NOT_FOUND, FORBIDDEN, or INVALID_STATUS for one that has ended. */
export async function exitState(
  ctx: MemberContext,
  journeyId: string,
  stateId: string,
): Promise<{ id: string }> {
  const { db, caller, now } = ctx;
  const { journey } = await getState(ctx, journeyId, stateId);
  requireRecordRole(caller, journey, 'editor');
  const ended = await endStates(db, { actor: { kind: 'member', caller }, now }, { ids: [stateId] });
  if (ended === 0) throw new AppError(INVALID_STATUS, { message: 'The state has already ended.' });
  return { id: stateId };
}
