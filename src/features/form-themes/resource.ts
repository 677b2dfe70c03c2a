import type { Static } from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { FORM_OPERATIONS } from '../../resources/filters.ts';
import {
  defineResource,
  isShortCode,
  type JsonColumn,
  OWNER_FILTER,
  type RecordRow,
} from '../../resources/resource.ts';
import { shortCode } from '../../secrets/codes.ts';
import type { Theme, ThemeOptions } from './schema.ts';

export interface ThemeRow extends RecordRow {
  code: string;
  name: string;
  formBuilderThemeOptions: Static<typeof ThemeOptions>;
}

interface ThemeTable extends Omit<ThemeRow, 'formBuilderThemeOptions'> {
  formBuilderThemeOptions: JsonColumn<ThemeRow['formBuilderThemeOptions']>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    form_themes: ThemeTable;
  }
}

/** Form themes, owned by business units. */
export const themes = defineResource<ThemeRow, Static<typeof Theme>>({
  entityType: 'form_theme',
  table: 'form_themes',
  key: 'code',
  newKey: () => shortCode(),
  isKey: isShortCode,
  notFound: NOT_FOUND,
  view: (row) => ({
    code: row.code,
    name: row.name,
    formBuilderThemeOptions: row.formBuilderThemeOptions,
    business_unit: row.owner_bu_id,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
  filters: {
    fields: { name: { type: 'text' }, created_at: { type: 'time' }, ...OWNER_FILTER },
    operations: FORM_OPERATIONS,
  },
  search: ['name'],
});
