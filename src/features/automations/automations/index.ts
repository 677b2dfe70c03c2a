import { mergeWritten } from '../../../db/written-json.ts';
import type { ActionType } from '../../../flows/action-type.ts';
import type { AutomationTrigger } from '../../../flows/automation-trigger.ts';
import type { ReadRelated } from '../../../flows/related-records.ts';
import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { httpRequestAction } from './actions/http-request.ts';
import { logAction } from './actions/log.ts';
import { findFailingAutomations } from './attention.ts';
import type { ActionTypes } from './compile.ts';
import { AUTOMATION_INPUTS_FULL, DUPLICATE_AUTOMATION, INVALID_AUTOMATION, TOO_MANY_RUNS } from './errors.ts';
import { examples } from './examples.ts';
import { automationResource, sealedDefinitions } from './resource.ts';
import { runRetention, versionRetention } from './retention.ts';
import { definitionRoutes } from './routes.ts';
import { runQueue } from './run-queue.ts';
import { runRoutes } from './run-routes.ts';

export { activeAutomations } from './automation-cache.ts';
export { type EntityDefinitions, entityDefinitions } from './entity-definitions.ts';
export { deactivateAutomationsOf } from './entity-deletion.ts';
export { AUTOMATION_INPUTS_FULL, TOO_MANY_RUNS } from './errors.ts';
export { requireInputQuota } from './kept-inputs.ts';
export {
  type ActiveAutomation,
  findActiveAutomation,
  listActiveAutomations,
  type TriggeredAutomation,
} from './queries.ts';
export { AUTOMATION_RUNS } from './run-creation.ts';
export { findSourceEnds, type RunSource } from './run-ends.ts';
export { type ChangeTrigger, type RunRequest, requestRuns, runRequestFollowUp } from './run-requests.ts';
export { ENTITY_TRIGGERS, type TriggerType } from './schema.ts';

/** Parts that other features contribute to automations. */
export interface AutomationParts {
  /** Action types of other features. */
  readonly actionTypes: readonly ActionType[];
  /** Triggers other than record changes. */
  readonly triggers: readonly AutomationTrigger[];
  /** Reads records that a trigger's entity refers to. */
  readonly readRelated: ReadRelated;
}

/** Action types that belong to no other feature. */
const OWN_TYPES: readonly ActionType[] = [httpRequestAction, logAction];

/** Definitions of automations and the work queue of their runs. */
export function automations({ actionTypes, triggers, readRelated }: AutomationParts): Feature {
  const types = typesByKey([...actionTypes, ...OWN_TYPES]);
  return {
    name: 'automations',
    examples,
    tags: {
      Automations: 'Actions that run on record changes, schedules and calls.',
      'Automation runs': 'Runs of automations, action by action, and dry runs.',
    },
    routes: [...definitionRoutes(types, triggers), ...runRoutes({ types, readRelated })],
    actionTypes: OWN_TYPES,
    workQueues: [runQueue(types, readRelated)],
    sealed: sealedDefinitions,
    searches: [searchOf(automationResource)],
    restores: [
      {
        resource: automationResource,
        createdBy: 'automations.create',
        bodyOf: (version) => mergeWritten(version, { active: false }),
        notRestored:
          'The automation is inactive: activate it after checking it. A webhook trigger has a new URL. Earlier runs are not restored.',
      },
    ],
    retentions: [runRetention, versionRetention],
    overview: { attention: [findFailingAutomations] },
    errors: [INVALID_AUTOMATION, DUPLICATE_AUTOMATION, TOO_MANY_RUNS, AUTOMATION_INPUTS_FULL],
  };
}

/** @throws Error if two types have the same key. */
function typesByKey(types: readonly ActionType[]): ActionTypes {
  const byKey = new Map(types.map((type) => [type.key, type]));
  if (byKey.size < types.length) throw new Error('Two action types have the same key.');
  return byKey;
}
