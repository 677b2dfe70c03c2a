import { plainRoutes } from '../../resources/plain-routes.ts';
import { themes } from './resource.ts';
import { Theme, ThemeBody } from './schema.ts';

/** Create, list, read, replace and delete form themes (document 3, Form themes). */
export const routes = plainRoutes({
  resource: themes,
  path: '/api/form_themes',
  id: 'form_themes',
  tag: 'Forms',
  noun: 'form theme',
  body: ThemeBody,
  reply: Theme,
  columns: (body) => ({
    name: body.name,
    formBuilderThemeOptions: JSON.stringify(body.formBuilderThemeOptions),
  }),
});
