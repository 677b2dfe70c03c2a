import Type from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { CreateOf, ReplaceOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import { json, moment, text, version } from '../../../resources/fields.ts';
import { bodyKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { DUPLICATE_ENTITY } from './errors.ts';
import { EntityName, FieldList, isEntityName, OwnedBy, Workflow } from './schema.ts';

const fields = {
  name: text(EntityName, { writes: 'once' }),
  label: text(Type.String({ maxLength: 200, description: 'Display name.' }), { nullable: true }),
  owned_by: text(OwnedBy, { writes: 'once', default: 'tenant' }),
  fields: json(FieldList, { declared: true }),
  workflow: json(Workflow, { nullable: true, declared: true }),
  version,
  created_at: moment,
  updated_at: moment,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    entities: TableOf<typeof fields>;
  }
}

/** A stored definition. */
export type EntityRow = RowOf<typeof fields>;
/** A validated body of a create. */
export type EntityCreate = CreateOf<typeof fields>;
/** A validated body of a replace. */
export type EntityReplace = ReplaceOf<typeof fields>;

/** Definitions of entities. They belong to the tenant; its owners write them. */
export const entityResource = defineResource({
  title: 'Entity',
  entityType: 'entity',
  table: 'entities',
  key: bodyKey('name', isEntityName),
  notFound: NOT_FOUND,
  fields,
  duplicates: { entities_pkey: DUPLICATE_ENTITY },
  guard: ({ isTenantAdmin }) => {
    if (!isTenantAdmin) throw new AppError(FORBIDDEN);
  },
});
