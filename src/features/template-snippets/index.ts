import type { Feature } from '../feature.ts';
import { DUPLICATE_SNIPPET } from './errors.ts';
import { routes } from './routes.ts';

/** Pieces of HTML that templates include by name. */
export const templateSnippets: Feature = { name: 'template-snippets', routes, errors: [DUPLICATE_SNIPPET] };
