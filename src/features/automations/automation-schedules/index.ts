import type { Feature } from '../../feature.ts';
import { scheduleLedger } from './ledger.ts';
import { scheduleTrigger } from './trigger.ts';

/** Automations that a time sets off. */
export const automationSchedules: Feature = {
  name: 'automation-schedules',
  routes: [],
  ledgers: [scheduleLedger],
  automationTriggers: [scheduleTrigger],
};
