import { sql } from 'kysely';
import Type from 'typebox';
import { firstIdOf } from '../../../../db/time-ordered-id.ts';
import { NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { defineRetention } from '../../../../jobs/retention.ts';
import type { JsonColumn, TableOf } from '../../../../resources/field-types.ts';
import { id, moment, owner, text, uuid } from '../../../../resources/fields.ts';
import { uuidKey } from '../../../../resources/keys.ts';
import { defineResource } from '../../../../resources/resource.ts';
import type { Part } from './rows.ts';
import { ImportMode } from './schema.ts';

const fields = {
  id,
  created_at: moment,
  mode: text(ImportMode, {}),
  list_id: uuid(Type.String(), { nullable: true }),
  business_unit: owner,
};

declare module '../../../../db/tables.ts' {
  interface Tables {
    subscriber_imports: TableOf<typeof fields>;
    /** Staged rows that are not applied yet. */
    subscriber_import_parts: {
      tenant_id: string;
      import_id: string;
      part: number;
      content: JsonColumn<Part>;
    };
  }
}

/**
 * Imports. The operation with the same id has their progress. Rows without a unit belong to the unit of their import.
 */
export const imports = defineResource({
  table: 'subscriber_imports',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
});

/** Retention of import results. */
export const importRetention = defineRetention({
  description: 'results of subscriber imports',
  keptHours: 30 * 24,
  table: 'subscriber_imports',
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: true,
});

/** Retention of the rows of uploads whose process was killed. Other rows are deleted when they are applied. */
export const partRetention = defineRetention({
  description: 'rows of interrupted subscriber uploads',
  keptHours: 48,
  table: 'subscriber_import_parts',
  key: ['import_id', 'part'],
  isOld: (before) => sql`r.import_id < ${firstIdOf(before)} and not exists (
    select from subscriber_imports i where i.tenant_id = r.tenant_id and i.id = r.import_id)`,
  byTenant: true,
});
