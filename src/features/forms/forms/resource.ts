import Type from 'typebox';
import type { CreateOf, ReplaceOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import { boolean, integer, json, recordFields, shortCode, text } from '../../../resources/fields.ts';
import { FORM_OPERATIONS } from '../../../resources/filters.ts';
import { shortCodeKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { FORM_NOT_FOUND } from './errors.ts';
import {
  AllowedOrigins,
  Challenge,
  FormDefinitionJson,
  Notify,
  PostSubmitAction,
  QuestionName,
  RetentionDays,
  SubscriberMapping,
} from './schema.ts';

const fields = {
  code: shortCode,
  public_code: text(Type.String({ description: 'Identifies the form in embeds.' }), { writes: 'platform' }),
  name: text(Type.String({ minLength: 1, maxLength: 500 }), { filter: true, search: true }),
  allowed_origins: json(AllowedOrigins, { declared: true }),
  active: boolean(Type.Boolean(), { filter: true }),
  form_type: text(Type.Enum(['embedded_form']), { filter: true }),
  formBuilderOptions: json(FormDefinitionJson, {}),
  theme_code: text(Type.String({ maxLength: 200 }), { nullable: true }),
  email_question: text(QuestionName, { nullable: true }),
  post_submit_actions: json(Type.Array(PostSubmitAction, { maxItems: 20 }), { default: [], whenNull: [] }),
  subscriber_mapping: json(SubscriberMapping, { nullable: true }),
  challenge: boolean(Challenge, { default: false }),
  notify: json(Notify, { nullable: true }),
  retention_days: integer(RetentionDays, { nullable: true }),
  ...recordFields,
};

/** A form as it is stored. */
export type FormRow = RowOf<typeof fields>;
/** A checked body of a create. */
export type FormCreate = CreateOf<typeof fields>;
/** A checked body of a replace. */
export type FormReplace = ReplaceOf<typeof fields>;

/** Counted up with every submission and embed view, spread over slots; see migrations/0001_baseline.sql. */
export interface FormCountsTable {
  tenant_id: string;
  form_code: string;
  slot: number;
  owner_bu_id: string;
  submissions: number;
  views: number;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    forms: TableOf<typeof fields>;
    form_counts: FormCountsTable;
  }
}

/** Forms, owned by business units. */
export const forms = defineResource({
  title: 'Form',
  entityType: 'form',
  table: 'forms',
  key: shortCodeKey('code'),
  notFound: FORM_NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
  operations: FORM_OPERATIONS,
});
