import Type, { type Static } from 'typebox';
import type { CreateOf, TableOf, ViewOf } from '../../../resources/field-types.ts';
import { text } from '../../../resources/fields.ts';
import { pathKey } from '../../../resources/keys.ts';
import { requireDefaultAdmin } from '../../../resources/ownership.ts';
import { defineResource } from '../../../resources/resource.ts';
import { dateTime } from '../area.ts';
import { SUPPRESSION_NOT_FOUND } from '../errors.ts';

/** Cause of a suppression: bounces and complaints block all mail, an unsubscribe all but transactional mail. */
export const SuppressionType = Type.Enum(['bounce', 'complaint', 'unsubscribe']);
/** The cause of a suppression. */
export type SuppressionType = Static<typeof SuppressionType>;

/** Longest description, in characters; generated ones are cut. */
export const MAX_DESCRIPTION = 1000;

const fields = {
  recipient: text(Type.String({ description: 'Address, trimmed and in lower case.' }), { search: true }),
  type: text(SuppressionType, { filter: true }),
  description: text(Type.String({ maxLength: MAX_DESCRIPTION }), { default: '', search: true, filter: true }),
  created_at: dateTime,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    email_suppressions: TableOf<typeof fields> & {
      /** Subscription types that the recipient left; null for a message without a type, or if unknown. */
      left_types: string[] | null;
    };
  }
}

/** A suppression in replies. */
export type Suppression = ViewOf<typeof fields>;
/** A checked body of a create. */
export type SuppressionCreate = CreateOf<typeof fields>;

/** Recipients that must not be sent to. */
export const suppressions = defineResource({
  title: 'Suppression',
  table: 'email_suppressions',
  key: pathKey('recipient', () => true),
  notFound: SUPPRESSION_NOT_FOUND,
  guard: requireDefaultAdmin,
  fields,
  sorts: ['recipient'],
});
