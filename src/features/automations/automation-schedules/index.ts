import type { Feature } from '../../feature.ts';
import { scheduleQueue } from './queue.ts';
import { scheduleTrigger } from './trigger.ts';

/** Automations that run on a schedule. */
export const automationSchedules: Feature = {
  name: 'automation-schedules',
  routes: [],
  workQueues: [scheduleQueue],
  automationTriggers: [scheduleTrigger],
};
