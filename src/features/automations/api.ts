/** The functions, values and types that other areas use. */
export {
  type ActiveAutomation,
  activeAutomations,
  type ChangeTrigger,
  deactivateAutomationsOf,
  entityDefinitions,
  followingRuns,
  requestRuns,
  type TriggerType,
} from './automations/index.ts';
