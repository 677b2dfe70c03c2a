import Type from 'typebox';
import { FORBIDDEN, VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { Filters, Limit, listReply, Page, Search } from '../../resources/paging.ts';
import {
  CREATE_ERRORS,
  CreateOptions,
  REPLACE_ERRORS,
  ReplaceOptions,
  readWriteOptions,
} from '../../resources/plain-routes.ts';
import { ThemeForRendering } from '../form-themes/index.ts';
import { FORM_NOT_FOUND } from './errors.ts';
import { Form, FormBody, FormDefinitionJson, ListedForm, SettingsEntry } from './schema.ts';
import {
  checkForm,
  createForm,
  deleteForm,
  getForm,
  getFormForRendering,
  listForms,
  replaceForm,
} from './service.ts';
import { formSettings } from './settings.ts';

const tag = 'Forms';
const params = Type.Object({ code: Type.String() });
const CodeReply = Type.Object({ code: Type.String() });

/** Forms (document 3, Forms; decisions section 7). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'forms.settings',
    method: 'GET',
    path: '/api/forms/settings',
    summary: 'Lists the kinds of forms and of post-submit actions',
    tag,
    access: 'member',
    reply: Type.Object({
      formTypes: Type.Array(SettingsEntry),
      postSubmitActionTypes: Type.Array(SettingsEntry),
      builderLicenseKey: Type.String(),
    }),
    handler: async () => formSettings,
  }),
  defineRoute({
    id: 'forms.create',
    method: 'POST',
    path: '/api/forms',
    summary: 'Creates a form',
    tag,
    access: 'editor',
    errors: [...CREATE_ERRORS, VALIDATION_ERROR],
    body: Type.Intersect([FormBody, CreateOptions]),
    reply: CodeReply,
    prepare: async (_ctx, input) => checkForm(input.body),
    write: async (ctx, input) => ({
      code: await createForm(ctx, input.body, readWriteOptions(input.body).businessUnit),
    }),
  }),
  defineRoute({
    id: 'forms.list',
    method: 'POST',
    path: '/api/forms/list',
    summary: 'Lists forms, newest first',
    description:
      'Filters: name, active, form_type, created_at, business_unit. Operations: eq, ne, like, gt, gte, lt, lte, in, between. `search` looks in names.',
    tag,
    access: 'member',
    body: Type.Object({ page: Page, limit: Limit, search: Type.Optional(Search), filters: Filters }),
    reply: listReply(ListedForm),
    handler: async (ctx, input) => listForms(ctx, input.body),
  }),
  defineRoute({
    id: 'forms.get',
    method: 'GET',
    path: '/api/forms/{code}',
    summary: 'Reads a form',
    tag,
    access: 'member',
    errors: [FORM_NOT_FOUND],
    params,
    reply: Form,
    handler: async (ctx, input) => getForm(ctx, input.params.code),
  }),
  defineRoute({
    id: 'forms.schema',
    method: 'GET',
    path: '/api/forms/{code}/schema',
    summary: 'Reads what a page needs to render a form',
    tag,
    access: 'member',
    errors: [FORM_NOT_FOUND],
    params,
    reply: Type.Object({
      form: Type.Object({
        code: Type.String(),
        public_code: Type.String(),
        name: Type.String(),
        formBuilderOptions: FormDefinitionJson,
      }),
      theme: Type.Union([ThemeForRendering, Type.Null()]),
    }),
    handler: async (ctx, input) => getFormForRendering(ctx, input.params.code),
  }),
  defineRoute({
    id: 'forms.replace',
    method: 'PUT',
    path: '/api/forms/{code}',
    summary: 'Replaces a form',
    tag,
    access: 'editor',
    errors: [FORM_NOT_FOUND, ...REPLACE_ERRORS, VALIDATION_ERROR],
    params,
    body: Type.Intersect([FormBody, ReplaceOptions]),
    reply: Type.Object({ success: Type.Boolean(), code: Type.String() }),
    prepare: async (_ctx, input) => checkForm(input.body),
    write: async (ctx, input) => {
      await replaceForm(ctx, input.params.code, input.body, readWriteOptions(input.body));
      return { success: true, code: input.params.code };
    },
  }),
  defineRoute({
    id: 'forms.delete',
    method: 'DELETE',
    path: '/api/forms/{code}',
    summary: 'Deletes a form; its submissions and history stay readable',
    tag,
    access: 'admin',
    errors: [FORM_NOT_FOUND, FORBIDDEN],
    params,
    reply: CodeReply,
    write: async (ctx, input) => {
      await deleteForm(ctx, input.params.code);
      return { code: input.params.code };
    },
  }),
];
