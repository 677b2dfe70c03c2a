import Type from 'typebox';
import { INVALID_STATUS, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { RENDERINGS_PER_MINUTE } from '../../../http/request-deadline.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { listParameters } from '../../../resources/list-queries.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { orderedPage, type PageReply } from '../../../resources/paging.ts';
import { withMore } from '../../../resources/view.ts';

import { AUTOMATION_INPUTS_FULL, INVALID_AUTOMATION, TOO_MANY_RUNS } from './errors.ts';
import {
  cancelRun,
  listRuns,
  type RunParts,
  replayRun,
  runManually,
  showRun,
  testAutomation,
} from './run-service.ts';
import { allRuns, runs } from './runs.ts';
import {
  AutomationParams,
  RunIdReply,
  RunParams as RunPath,
  RunStatus,
  TestedAction,
  TestReply,
  TriggerBody,
} from './schema.ts';

const path = '/api/automations/{key}';
/** Runs can affect the whole tenant and show the data that they read, so only owners may see them. */
const common = { tag: 'Automation runs', access: 'owner' } as const;

const RunDetails = withMore(
  runs.reply,
  {
    actions: Type.Array(TestedAction),
    trigger: Type.Unknown({
      description: 'Trigger data as expressions read it; null once it is deleted after the run.',
    }),
    input_bytes: Type.Integer({ description: 'Size of the original `trigger` in bytes; 0 if unknown.' }),
    chain: Type.Array(Type.String(), {
      description: 'Causes of this run, first to last: keys of automations, `webhook <id>`, `journey <id>`.',
    }),
  },
  'AutomationRunStory',
);

/** Routes of an automation's runs (docs/specification/automations.md#runs). */
export function runRoutes(parts: RunParts): readonly Route[] {
  return [...readRoutes(parts), listAllRoute(), ...writeRoutes()];
}

function readRoutes(parts: RunParts): readonly Route[] {
  return [
    defineRoute({
      ...common,
      id: 'automations.test',
      readsOnly: true,
      mayLackBody: true,
      method: 'POST',
      path: `${path}/test`,
      summary: 'Simulates a run without effects',
      rateLimit: { limit: RENDERINGS_PER_MINUTE, windowSeconds: 60, per: 'caller' },
      description: 'Writes nothing, calls nothing and stores no run.',
      errors: [NOT_FOUND],
      invalid: INVALID_AUTOMATION,
      params: AutomationParams,
      body: TriggerBody,
      maxBodyBytes: CONTENT_BODY_BYTES,
      reply: TestReply,
      handler: (ctx, { params: { key }, body: { trigger = {} } }) => testAutomation(ctx, parts, key, trigger),
    }),
    defineRoute({
      ...common,
      id: 'automations.list_runs',
      method: 'GET',
      path: `${path}/runs`,
      summary: 'Lists the runs of an automation, newest first',
      description: 'Finished runs are kept for 30 days. `limit` defaults to 20.',
      errors: [NOT_FOUND],
      params: AutomationParams,
      query: Type.Object({ status: Type.Optional(RunStatus), ...listParameters }),
      ...listFacts(runs),
      reply: Type.Unsafe<PageReply<object>>(orderedPage(runs.listReply)),
      handler: (ctx, { params: { key }, query }) => listRuns(ctx, key, query),
    }),
    defineRoute({
      ...common,
      id: 'automations.get_run',
      method: 'GET',
      path: `${path}/runs/{run_id}`,
      summary: 'Reads a run with its trigger, inputs and results',
      errors: [NOT_FOUND],
      params: RunPath,
      reply: RunDetails,
      handler: (ctx, { params: { key, run_id } }) => showRun(ctx, parts.types, key, run_id),
    }),
  ];
}

function listAllRoute(): Route {
  const family = { path: '/api/automations/runs', id: 'automation_runs', tag: common.tag, noun: 'run' };
  const summary = 'Lists the runs of all automations, newest first';
  return { ...listRoute(allRuns, family, { summary }), access: common.access };
}

function writeRoutes(): readonly Route[] {
  return [
    defineRoute({
      ...common,
      id: 'automations.run',
      mayLackBody: true,
      method: 'POST',
      path: `${path}/run`,
      summary: 'Starts a run manually',
      description: 'The run is stored when this returns and starts shortly after.',
      status: 202,
      errors: [NOT_FOUND, TOO_MANY_RUNS, AUTOMATION_INPUTS_FULL],
      invalid: INVALID_AUTOMATION,
      params: AutomationParams,
      body: TriggerBody,
      maxBodyBytes: CONTENT_BODY_BYTES,
      reply: RunIdReply,
      // Everything else only reads. If the automation is deleted meanwhile, the run is skipped.
      oneStatement: true,
      write: (ctx, { params: { key }, body: { trigger = {} } }) => runManually(ctx, key, trigger),
    }),
    defineRoute({
      ...common,
      id: 'automations.replay_run',
      method: 'POST',
      path: `${path}/runs/{run_id}/replay`,
      summary: 'Resumes a failed run at the failed action',
      description: 'Continues the same run with its version of the automation.',
      status: 202,
      errors: [NOT_FOUND, INVALID_STATUS],
      params: RunPath,
      reply: RunIdReply,
      write: (ctx, { params: { key, run_id } }) => replayRun(ctx, key, run_id),
    }),
    defineRoute({
      ...common,
      id: 'automations.cancel_run',
      method: 'POST',
      path: `${path}/runs/{run_id}/cancel`,
      summary: 'Cancels a queued run',
      description: 'Its status becomes `skipped`.',
      errors: [NOT_FOUND, INVALID_STATUS],
      params: RunPath,
      reply: RunIdReply,
      write: (ctx, { params: { key, run_id } }) => cancelRun(ctx, key, run_id),
    }),
  ];
}
