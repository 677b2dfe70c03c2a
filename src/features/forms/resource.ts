import type { Static } from 'typebox';
import { FORM_OPERATIONS } from '../../resources/filters.ts';
import {
  defineResource,
  isShortCode,
  type JsonColumn,
  OWNER_FILTER,
  type RecordRow,
} from '../../resources/resource.ts';
import { shortCode } from '../../secrets/codes.ts';
import { FORM_NOT_FOUND } from './errors.ts';
import type { FormDefinition } from './rules/definition.ts';
import type { Form, PostSubmitActionJson, SubscriberMapping } from './schema.ts';

export interface FormRow extends RecordRow {
  code: string;
  public_code: string;
  name: string;
  allowed_origins: string[];
  active: boolean;
  form_type: string;
  formBuilderOptions: FormDefinition;
  theme_code: string | null;
  email_question: string | null;
  post_submit_actions: PostSubmitActionJson[] | null;
  subscriber_mapping: Static<typeof SubscriberMapping> | null;
}

type JsonField = 'allowed_origins' | 'formBuilderOptions' | 'post_submit_actions' | 'subscriber_mapping';

type FormTable = Omit<FormRow, JsonField> & { [Field in JsonField]: JsonColumn<FormRow[Field]> };

/** Counted up with every submission and embed view, spread over slots; see migration 0002. */
export interface FormCountsTable {
  tenant_id: string;
  form_code: string;
  slot: number;
  owner_bu_id: string;
  submissions: number;
  views: number;
}

declare module '../../db/tables.ts' {
  interface Tables {
    forms: FormTable;
    form_counts: FormCountsTable;
  }
}

/** Forms, owned by business units. */
export const forms = defineResource<FormRow, Static<typeof Form>>({
  entityType: 'form',
  table: 'forms',
  key: 'code',
  newKey: () => shortCode(),
  isKey: isShortCode,
  notFound: FORM_NOT_FOUND,
  view: (row) => ({
    code: row.code,
    public_code: row.public_code,
    name: row.name,
    allowed_origins: row.allowed_origins,
    active: row.active,
    form_type: row.form_type,
    business_unit: row.owner_bu_id,
    formBuilderOptions: row.formBuilderOptions,
    theme_code: row.theme_code,
    email_question: row.email_question,
    post_submit_actions: row.post_submit_actions ?? [],
    subscriber_mapping: row.subscriber_mapping,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
  }),
  filters: {
    fields: {
      name: { type: 'text' },
      active: { type: 'boolean' },
      form_type: { type: 'text' },
      created_at: { type: 'time' },
      ...OWNER_FILTER,
    },
    operations: FORM_OPERATIONS,
  },
  search: ['name'],
});
