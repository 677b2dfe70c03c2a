import { searchOf } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { DUPLICATE_SNIPPET } from './errors.ts';
import { examples } from './examples.ts';
import { snippets } from './resource.ts';
import { routes } from './routes.ts';

/** Pieces of HTML that templates include by name. */
export const templateSnippets: Feature = {
  name: 'template-snippets',
  examples,
  routes,
  searches: [searchOf(snippets)],
  restores: [{ resource: snippets, createdBy: 'template_snippets.create' }],
  errors: [DUPLICATE_SNIPPET],
};
