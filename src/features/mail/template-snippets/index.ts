import type { Feature } from '../../feature.ts';
import { DUPLICATE_SNIPPET } from './errors.ts';
import { reference } from './reference.ts';
import { snippets } from './resource.ts';
import { routes } from './routes.ts';

/** Pieces of HTML that templates include by name. */
export const templateSnippets: Feature = {
  name: 'template-snippets',
  reference,
  routes,
  restores: [{ resource: snippets, by: 'template_snippets.create' }],
  errors: [DUPLICATE_SNIPPET],
};
