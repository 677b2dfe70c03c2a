import { check, overlongFaults } from '../../../http/body-checks.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
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
  maxBodyBytes: CONTENT_BODY_BYTES,
} as const;
interface ThemeBody {
  readonly formBuilderThemeOptions: object;
}

/** Size limit: the theme is part of each page that uses it. */
const MAX_OPTIONS = 2 * 1024 * 1024;

const rules = {
  checks: [
    check(['formBuilderThemeOptions'], ({ formBuilderThemeOptions }: ThemeBody) =>
      overlongFaults('formBuilderThemeOptions', formBuilderThemeOptions, MAX_OPTIONS),
    ),
  ],
  warnings: ({ formBuilderThemeOptions }: ThemeBody) => unknownOptions(formBuilderThemeOptions),
};

/** Routes of form themes (docs/specification/forms.md#form-themes). */
export const routes: readonly Route[] = [
  createRoute(themes, family, rules),
  listRoute(themes, family),
  getRoute(themes, family),
  replaceRoute(themes, family, rules),
  deleteRoute(themes, family),
];
