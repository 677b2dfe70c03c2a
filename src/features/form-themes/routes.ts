import type { Route } from '../../http/route.ts';
import { listRoute } from '../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../resources/routes.ts';
import { themes } from './resource.ts';
import { unknownOptions } from './unknown-options.ts';

const family = {
  path: '/api/form_themes',
  id: 'form_themes',
  tag: 'Forms',
  noun: 'form theme',
  saysSuccess: true,
} as const;
const rules = {
  warnings: ({ formBuilderThemeOptions }: { readonly formBuilderThemeOptions: object }) =>
    unknownOptions(formBuilderThemeOptions),
};

/** Create, list, read, replace and delete form themes (docs/specification/forms.md#form-themes). */
export const routes: readonly Route[] = [
  createRoute(themes, family, rules),
  listRoute(themes, family),
  getRoute(themes, family),
  replaceRoute(themes, family, rules),
  deleteRoute(themes, family),
];
