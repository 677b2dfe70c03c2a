import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { routes } from './routes.ts';

/** Changes of all records by members and operators. */
export const activity: Feature = { name: 'activity', examples, routes };
