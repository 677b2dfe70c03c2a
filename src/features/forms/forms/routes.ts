import Type from 'typebox';
import { IN_USE, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { nullable } from '../../../http/schemas.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { ThemeForRendering } from '../form-themes/index.ts';
import { afterFormDeletion } from './deletion.ts';
import { FORM_NOT_FOUND } from './errors.ts';
import { forms } from './resource.ts';
import { FormFigures, FormForRendering, SettingsEntry } from './schema.ts';
import {
  FORM_CHECKS,
  figuresOf,
  getFormForRendering,
  newFormColumns,
  patternsOf,
  prepareForm,
  replacedFormColumns,
} from './service.ts';
import { formSettings } from './settings.ts';

const tag = 'Forms';
const params = Type.Object({ code: Type.String() });
const family = {
  path: '/api/forms',
  id: 'forms',
  tag,
  noun: 'form',
  saysSuccess: true,
  maxBodyBytes: CONTENT_BODY_BYTES,
} as const;

/** Forms (docs/specification/forms.md#form). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'forms.settings',
    method: 'GET',
    path: '/api/forms/settings',
    summary: 'Lists form types and post-submit actions',
    tag,
    access: 'member',
    reply: Type.Object(
      {
        formTypes: Type.Array(SettingsEntry),
        postSubmitActionTypes: Type.Array(SettingsEntry),
        builderLicenseKey: Type.String(),
      },
      { title: 'FormSettings' },
    ),
    handler: async () => formSettings,
  }),
  createRoute(forms, family, {
    errors: [VALIDATION_ERROR],
    checks: FORM_CHECKS,
    patterns: patternsOf,
    prepare: prepareForm,
    columns: (ctx, { body }) => newFormColumns(ctx, body),
  }),
  listRoute(forms, family, { requiresFilters: true, more: FormFigures, extend: figuresOf }),
  getRoute(forms, family),
  defineRoute({
    id: 'forms.schema',
    method: 'GET',
    path: '/api/forms/{code}/schema',
    summary: 'Reads what is needed to render a form',
    tag,
    access: 'member',
    errors: [FORM_NOT_FOUND],
    params,
    reply: Type.Object(
      {
        form: FormForRendering,
        theme: nullable(ThemeForRendering),
      },
      { title: 'FormRendering' },
    ),
    handler: async (ctx, input) => getFormForRendering(ctx, input.params.code),
  }),
  replaceRoute(forms, family, {
    errors: [VALIDATION_ERROR],
    checks: FORM_CHECKS,
    patterns: patternsOf,
    prepare: prepareForm,
    columns: (ctx, { body }, stored) => replacedFormColumns(ctx, body, stored),
  }),
  deleteRoute(forms, family, {
    summary: 'Deletes a form and its webhooks; its submissions and history stay readable',
    errors: [IN_USE],
    after: afterFormDeletion,
  }),
];
