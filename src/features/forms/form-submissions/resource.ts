import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { ADDRESS_FORM } from '../../../mail/address.ts';
import type { TableOf, ViewOf } from '../../../resources/field-types.ts';
import { boolean, hidden, id, integer, json, owner, text, time } from '../../../resources/fields.ts';
import { FORM_OPERATIONS } from '../../../resources/filters.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { SUBMISSION_TOTALS } from '../forms/index.ts';
import { FormData, SubmissionEvent } from './schema.ts';

const Text = Type.String();
const Flag = Type.Boolean();
const platform = { writes: 'platform' } as const;

/** Fields in responses, without the owning unit (docs/specification/forms.md#submissions). */
const fields = {
  id,
  version: integer(Type.Integer(), { ...platform, counts: true }),
  created_at: time(Text, { ...platform, filter: true }),
  updated_at: time(Text, { ...platform, nullable: true }),
  form_code: text(Text, { ...platform, filter: true }),
  form_name: text(Text, platform),
  email_address: text(Text, { ...platform, filter: true }),
  submission_date: time(Text, { ...platform, column: 'created_at' }),
  form_data: json(FormData, platform),
  subscriber_created: boolean(Flag, platform),
  journey_triggered: boolean(Flag, platform),
  ip_address: text(Text, { ...platform, nullable: true }),
  user_agent: text(Text, { ...platform, nullable: true }),
  events: json(Type.Array(SubmissionEvent), { ...platform, declared: true }),
  business_unit: hidden(owner),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    /** `address_key`: the normalized address. */
    form_submissions: TableOf<typeof fields> & { address_key: string };
  }
}

/** A submission as responses show it. */
export type SubmissionRecord = ViewOf<typeof fields>;

/** Submissions of visitors; each belongs to the unit of its form. */
export const submissions = defineResource({
  title: 'FormSubmission',
  entityType: 'form_submission',
  table: 'form_submissions',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
  operations: FORM_OPERATIONS,
  filters: { email_address: { type: 'text', normalization: { column: 'address_key', ...ADDRESS_FORM } } },
  totals: SUBMISSION_TOTALS,
});
