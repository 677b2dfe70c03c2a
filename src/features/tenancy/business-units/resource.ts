import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { boolean, hidden, id, moment, text, time, version } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { DUPLICATE_SLUG } from './errors.ts';

const fields = {
  bu_id: id,
  name: text(Type.String(), {}),
  slug: text(Type.String(), {}),
  is_default: boolean(Type.Boolean(), { filter: true }),
  archived_at: time(Type.String(), { nullable: true, omitsNull: true, listed: false, filter: true }),
  version: hidden(version),
  created_at: hidden(moment),
  updated_at: hidden(moment),
};

declare module '../../../db/tables.ts' {
  interface Tables {
    business_units: TableOf<typeof fields>;
  }
}

/** Business units (docs/specification/tenants.md#business-units). Each unit owns its own history entries. */
export const units = defineResource({
  entityType: 'business_unit',
  table: 'business_units',
  key: uuidKey('bu_id'),
  notFound: NOT_FOUND,
  fields,
  historyOwner: 'bu_id',
  duplicates: { business_units_slug: DUPLICATE_SLUG },
});
