import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { json, recordFields, shortCode, text } from '../../../resources/fields.ts';
import { FORM_OPERATIONS } from '../../../resources/filters.ts';
import { shortCodeKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { ThemeOptions } from './schema.ts';

const fields = {
  code: shortCode,
  name: text(Type.String({ minLength: 1, maxLength: 500 }), { filter: true, search: true }),
  formBuilderThemeOptions: json(ThemeOptions, {}),
  ...recordFields,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    form_themes: TableOf<typeof fields>;
  }
}

/** Form themes, owned by business units. */
export const themes = defineResource({
  title: 'FormTheme',
  entityType: 'form_theme',
  table: 'form_themes',
  key: shortCodeKey('code'),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
  operations: FORM_OPERATIONS,
});
