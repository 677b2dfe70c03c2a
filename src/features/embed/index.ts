import type { Feature } from '../feature.ts';
import { routes } from './routes.ts';

/** Forms in other sites' pages: the page, the script and what a visitor submits. */
export const embed: Feature = { name: 'embed', routes };
