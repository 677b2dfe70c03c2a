import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { id, moment, owner, text, version } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { DUPLICATE_SNIPPET } from './errors.ts';

const Name = Type.String({
  minLength: 1,
  maxLength: 200,
  pattern: '^[^"\'{}\\[\\]\\s](?:[^"\'{}\\[\\]\\r\\n]*[^"\'{}\\[\\]\\s])?$',
  description:
    'Used as `{{{snippet name}}}`; quote names with other characters than letters, digits, - and _.',
});

const fields = {
  id,
  version,
  created_at: moment,
  updated_at: moment,
  name: text(Name, { search: true }),
  content: text(Type.String({ description: 'HTML; may use variables and snippets.' }), {}),
  description: text(Type.String({ maxLength: 10_000 }), { nullable: true, search: true }),
  business_unit: owner,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    email_template_snippets: TableOf<typeof fields>;
  }
}

/** Pieces of HTML that templates include, owned by business units. */
export const snippets = defineResource({
  title: 'TemplateSnippet',
  entityType: 'email_template_snippet',
  table: 'email_template_snippets',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
  duplicates: { email_template_snippets_name: DUPLICATE_SNIPPET },
});
