import type { Feature } from '../feature.ts';
import { automationHooks } from './automation-hooks/index.ts';
import { automationSchedules } from './automation-schedules/index.ts';
import { queues } from './queues/index.ts';

export { automations } from './automations/index.ts';

/** Automations, their triggers, and message queues. */
export const automationsFeatures: readonly Feature[] = [automationHooks, automationSchedules, queues];
