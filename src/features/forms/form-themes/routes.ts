import { check, overlongFaults } from '../../../http/body-checks.ts';
import type { Route } from '../../../http/route.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { themes } from './resource.ts';
import { unknownOptions } from './unknown-options.ts';

const family = {
  path: '/api/form_themes',
  id: 'form_themes',
  tag: 'Forms',
  noun: 'form theme',
  saysSuccess: true,
} as const;
interface ThemeBody {
  readonly formBuilderThemeOptions: object;
}

/** A theme stands whole in the page of each form that has it. */
const MAX_OPTIONS = 2 * 1024 * 1024;

const rules = {
  checks: [
    check(['formBuilderThemeOptions'], ({ formBuilderThemeOptions }: ThemeBody) =>
      overlongFaults('formBuilderThemeOptions', formBuilderThemeOptions, MAX_OPTIONS),
    ),
  ],
  warnings: ({ formBuilderThemeOptions }: ThemeBody) => unknownOptions(formBuilderThemeOptions),
};

/** Create, list, read, replace and delete form themes (docs/specification/forms.md#form-themes). */
export const routes: readonly Route[] = [
  createRoute(themes, family, rules),
  listRoute(themes, family),
  getRoute(themes, family),
  replaceRoute(themes, family, rules),
  deleteRoute(themes, family),
];
