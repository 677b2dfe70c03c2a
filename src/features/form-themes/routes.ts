import { resourceRoutes } from '../../resources/routes.ts';
import { themes } from './resource.ts';

/** Create, list, read, replace and delete form themes (document 3, Form themes). */
export const routes = resourceRoutes(themes, {
  path: '/api/form_themes',
  id: 'form_themes',
  tag: 'Forms',
  noun: 'form theme',
  saysSuccess: true,
});
