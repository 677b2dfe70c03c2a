/** Use cases of runs: start, show, dry run, replay and cancel. */
import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../../errors/app-error.ts';
import { INVALID_STATUS, NOT_FOUND, RATE_LIMITED } from '../../../errors/platform-errors.ts';
import type { ActionContext } from '../../../flows/action-type.ts';
import { MAX_CHAIN } from '../../../flows/chain.ts';
import { type Condition, ConditionEvaluator, ConditionsBusy } from '../../../flows/condition-thread.ts';
import type { Json, Values } from '../../../flows/expressions.ts';
import type { ReadRelated } from '../../../flows/related-records.ts';
import { hideSecrets } from '../../../flows/secret-headers.ts';
import { walk } from '../../../flows/walk.ts';
import type { MemberContext } from '../../../http/context.ts';
import { JsonText } from '../../../http/json-text.ts';
import { reserveResponseMemory } from '../../../http/large-response.ts';
import { REQUEST_MS, requestDeadline, requireTime } from '../../../http/request-deadline.ts';
import { isUuid } from '../../../resources/keys.ts';
import { answerSortedPage } from '../../../resources/large-lists.ts';
import { type CheckedQuery, readListQuery } from '../../../resources/list-queries.ts';
import { findRecord } from '../../../resources/records.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';

import { captureOutcome, Deadline, limitResult } from './action-outcome.ts';
import { type ActionTypes, compilePlan } from './compile.ts';
import { requireInputQuota } from './kept-inputs.ts';
import type { Plan, PlannedAction, Step } from './plan.ts';
import { findVersion } from './queries.ts';
import type { AutomationRow } from './resource.ts';
import { AUTOMATION_RUNS } from './run-creation.ts';
import { bytesOfRun, cancelQueued, findRunDetails, type RunDetails, restartFailed } from './run-details.ts';
import { requestRuns } from './run-requests.ts';
import { runs } from './runs.ts';
import { type AutomationDefinition, MAX_ACTIONS, type RunStatus } from './schema.ts';
import { getAutomation } from './service.ts';
import { readsRelations, TriggerRelations } from './trigger-relations.ts';
import { type ActionOutcome, type Entry, paramsOf, planVisitor, resultsOf } from './visitor.ts';

/** Longest action inputs in one response, in characters of JSON. */
const MAX_INPUTS_CHARS = 4 * 1024 * 1024;

/** Query of the list of runs. */
type RunQuery = CheckedQuery & { readonly status?: RunStatus };

/** Starts a run manually. @throws AppError NOT_FOUND, TOO_MANY_RUNS, AUTOMATION_INPUTS_FULL. */
export async function runManually(
  ctx: MemberContext,
  key: string,
  trigger: Readonly<Record<string, unknown>>,
): Promise<{ run_id: string }> {
  const { id, version, trigger_type } = await getAutomation(ctx, key);
  await requireInputQuota(ctx.platform, ctx.db);
  const request = {
    automationId: id,
    version,
    triggerType: trigger_type,
    trigger: JSON.stringify(trigger),
  };
  const [run_id] = await requestRuns(ctx.db, ctx, [request]);
  if (typeof run_id !== 'string') throw new Error('A manual run was skipped.');
  return { run_id };
}

/** Returns a page of an automation's runs, newest first. @throws AppError NOT_FOUND. */
export async function listRuns(ctx: MemberContext, key: string, query: RunQuery) {
  const { id } = await getAutomation(ctx, key);
  const { status } = query;
  const filters = status === undefined ? {} : { status: { operation: 'eq', value: status } };
  return answerSortedPage(ctx.db, runs, { ...readListQuery(query), filters, parent: [id] });
}

/** Returns a run with its trigger and the input of each action. @throws AppError NOT_FOUND. */
export async function showRun(
  ctx: MemberContext,
  types: ActionTypes,
  key: string,
  runId: string,
): Promise<JsonText> {
  const { db, platform } = ctx;
  const { id } = await getAutomation(ctx, key);
  const bytes = isUuid(runId) ? await bytesOfRun(db, id, runId) : null;
  if (bytes === null) throw new AppError(NOT_FOUND);
  // The input of each action may contain all data of the run.
  const maxInputChars = Math.min(MAX_INPUTS_CHARS, bytes * MAX_ACTIONS);
  const release = await reserveResponseMemory(platform, db.tenantId, bytes + maxInputChars);
  try {
    const [row, details] = [await findRecord(db, runs, [id, runId]), await findRunDetails(db, runId)];
    if (row === null || details === undefined) throw new AppError(NOT_FOUND);
    const definition = await findVersion(db, id, row.automation_version);
    const plan = definition && planOrNull(definition, types);
    const actions = inputsOf(plan, { id: runId, ...details }).map((input, index) => ({
      ...row.actions[index],
      input,
    }));
    const { trigger, chain, input_bytes } = details;
    return new JsonText(JSON.stringify({ ...runs.view(row), actions, trigger, input_bytes, chain }));
  } finally {
    release();
  }
}

/**
 * Returns the input of each stored action. Null if the input can no longer be computed, the action did not run, or the
 * response is full. An input with related records cannot be computed, because they may have changed since.
 */
function inputsOf(plan: Plan | null | undefined, run: { readonly id: string } & RunDetails): unknown[] {
  const { trigger, is_input_kept, actions, failure } = run;
  if (!plan || !is_input_kept || trigger === null) return actions.map(() => null);
  const inputs = new InputCollector();
  const main = actionsOf(plan.steps);
  const afterFailure = actionsOf(plan.onFailure);
  const mainCount = actions.filter((entry) => entry.on_failure !== true).length;
  const roots = failure && {
    run: { id: run.id, error: failure.error },
    failed: { action: failure.action },
  };
  return actions.map(({ key, status, on_failure }, index) => {
    const action = on_failure === true ? afterFailure[index - mainCount] : main[index];
    if (action?.key !== key || status === 'skipped') return null;
    if (readsRelations(plan, trigger, action.params.paths)) return null;
    const values = { ...(on_failure && roots), trigger, actions: resultsOf(actions.slice(0, index)) };
    const params = paramsOf(action, values);
    return params instanceof Error ? null : inputs.add(params);
  });
}

function actionsOf(steps: readonly Step[]): PlannedAction[] {
  return steps.flatMap((step) => (step.kind === 'action' ? [step.action] : []));
}

/** Null for a version with action types that this process does not know. */
function planOrNull(definition: AutomationDefinition, types: ActionTypes): Plan | null {
  try {
    return compilePlan(definition, types);
  } catch {
    return null;
  }
}

/** Collects the inputs of one response. Each may contain the same large value, so their total is limited. */
class InputCollector {
  #chars = 0;

  /** Returns the parameters without secrets, or null if the response is full. */
  add(params: Json): unknown {
    const input = hideSecrets(params);
    const { length } = JSON.stringify(input);
    if (this.#chars + length > MAX_INPUTS_CHARS) return null;
    this.#chars += length;
    return input;
  }
}

/** Dependencies of run routes. */
export interface RunParts {
  readonly types: ActionTypes;
  readonly readRelated: ReadRelated;
}

/** Reports what a run would do, action by action, without doing it. @throws AppError NOT_FOUND. */
export async function testAutomation(
  ctx: MemberContext,
  { types, readRelated }: RunParts,
  key: string,
  trigger: Readonly<Record<string, unknown>>,
) {
  const row = await getAutomation(ctx, key);
  const plan = compilePlan(definitionOf(row), types);
  const end = requestDeadline(ctx);
  const deadline = new Deadline(Math.min(plan.timeoutMs, REQUEST_MS));
  const inputByPosition = new Map<number, unknown>();
  const collector = new InputCollector();
  let chars = 0;
  const act = async (action: PlannedAction, params: Json): Promise<ActionOutcome> => {
    inputByPosition.set(action.position, collector.add(params));
    return captureOutcome(async () => {
      const preview = action.type.preview(previewContext(ctx, row, deadline), params);
      const limited = limitResult(await deadline.within(preview), chars);
      chars += limited.chars;
      return limited.result;
    });
  };
  const conditions = new ConditionEvaluator(ctx.platform, ctx.caller.tenantId);
  const { steps } = plan;
  const relations = new TriggerRelations({
    ...{ plan, trigger },
    read: readRelated,
    ctx: () => previewContext(ctx, row, deadline),
  });
  const visit = planVisitor({
    ...{ steps, trigger },
    done: [],
    related: (paths) => relations.load(paths),
    isMet: (condition, values) => evaluateNow(conditions, condition, values),
    act,
  });
  const walkResult = await walk({
    from: steps.length > 0 ? 0 : null,
    visit: (position) => {
      requireTime(end);
      return visit(position);
    },
    maxSteps: steps.length,
  });
  const withInput = (entry: Entry, position: number) => ({
    ...entry,
    input: inputByPosition.get(position) ?? null,
  });
  const actions = walkResult.entries.map(withInput);
  if (walkResult.kind !== 'failed') return { status: 'succeeded' as const, error: null, actions };
  return {
    status: 'failed' as const,
    error: walkResult.error,
    actions: [...actions, withInput(walkResult.entry, actions.length)],
  };
}

/** @throws AppError RATE_LIMITED if the thread is busy. */
async function evaluateNow(
  conditions: ConditionEvaluator,
  condition: Condition,
  values: Values,
): Promise<boolean> {
  try {
    return await conditions.isMet(condition, values);
  } catch (error) {
    if (!(error instanceof ConditionsBusy)) throw error;
    const message = 'Too many conditions wait to be evaluated. Try again later.';
    throw new AppError(RATE_LIMITED, { message, retryAfterSeconds: 5, cause: error });
  }
}

function previewContext(
  { platform, now, caller }: MemberContext,
  { id, key }: AutomationRow,
  deadline: Deadline,
): ActionContext {
  const runId = uuidv7();
  return {
    platform,
    db: platform.scoped(wholeTenant(caller.tenantId)),
    actor: { kind: 'automation', key, runId, chain: [], depth: 1 },
    now,
    openSecret: (sealed) => platform.secrets.open(sealed, id),
    idempotencyKey: runId,
    timeoutMs: deadline.leftMs(),
  };
}

function definitionOf(row: AutomationRow) {
  const { key, name, trigger_type, trigger_params, actions, conditional_actions } = row;
  return {
    ...{ key, name, actions },
    entityKey: row.entity_key,
    onFailure: row.on_failure,
    triggerType: trigger_type,
    triggerParams: trigger_params,
    conditionalActions: conditional_actions,
  };
}

/**
 * Continues a failed run from the failed action, with all attempts again and the same version.
 * @throws AppError NOT_FOUND, or INVALID_STATUS if the run did not fail, was the last one of a chain at its limit, or
 * no longer has its input.
 */
export async function replayRun(ctx: MemberContext, key: string, runId: string): Promise<{ run_id: string }> {
  return changeRun(ctx, key, runId, restartFailed, NOT_REPLAYED);
}

const NOT_REPLAYED = `did not fail, was stopped at the limit of ${MAX_CHAIN} runs in a chain, or no longer has its input`;

/** Cancels a waiting run. A skipped run stays as it is. @throws AppError NOT_FOUND, or INVALID_STATUS. */
export async function cancelRun(ctx: MemberContext, key: string, runId: string): Promise<{ run_id: string }> {
  return changeRun(ctx, key, runId, cancelQueued, 'has already started');
}

async function changeRun(
  ctx: MemberContext,
  key: string,
  runId: string,
  change: typeof restartFailed,
  refusal: string,
): Promise<{ run_id: string }> {
  const { db, platform, now } = ctx;
  const { id } = await getAutomation(ctx, key);
  const changed = isUuid(runId) ? await change(db, id, runId, now) : undefined;
  if (changed === undefined) throw new AppError(NOT_FOUND);
  if (!changed) throw new AppError(INVALID_STATUS, { message: `The run ${refusal}.` });
  db.afterCommit(() => platform.workQueues.wake(AUTOMATION_RUNS));
  return { run_id: runId };
}
