import type { Feature } from '../../feature.ts';
import { DUPLICATE_HOOK } from './errors.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';
import { hookTrigger } from './trigger.ts';

/** Automations that are triggered by HTTP calls. */
export const automationHooks: Feature = {
  name: 'automation-hooks',
  examples,
  routes,
  automationTriggers: [hookTrigger],
  errors: [DUPLICATE_HOOK],
};
