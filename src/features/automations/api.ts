/** The functions, values and types that other areas use. */
export {
  type ActiveAutomation,
  activeAutomations,
  type ChangeTrigger,
  deactivateAutomationsOf,
  entityDefinitions,
  requestRuns,
  runRequestFollowUp,
  type TriggerType,
} from './automations/index.ts';
