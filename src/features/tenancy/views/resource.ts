import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { RowOf, TableOf } from '../../../resources/field-types.ts';
import { boolean, id, moment, text, uuid, version } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';

const fields = {
  id,
  membership_id: uuid(Type.String(), { writes: 'platform', nullable: true }),
  screen: text(
    Type.String({
      pattern: '^[a-z0-9][a-z0-9/_-]{0,99}$',
      description: 'Name of the list: its path in the console without ids, such as `settings/members`.',
    }),
    { writes: 'once' },
  ),
  name: text(Type.String({ minLength: 1, maxLength: 100 }), {}),
  query: text(
    Type.String({
      maxLength: 4000,
      description: 'Query of the address, such as `filter=status is failed&sort=-created_at`.',
    }),
    {},
  ),
  shared: boolean(Type.Boolean({ description: 'True: all members of the tenant see it.' }), {
    column: 'is_shared',
    default: false,
  }),
  version,
  created_at: moment,
  updated_at: moment,
};

/** A saved view as stored. */
export type ViewRow = RowOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    views: TableOf<typeof fields>;
  }
}

/** Saved views of lists (docs/specification/tenants.md#saved-views). They belong to a member, not to a unit. */
export const views = defineResource({
  title: 'SavedView',
  table: 'views',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
  // Every member may save a view; the service checks who may share and change one.
  guard: () => {},
});
