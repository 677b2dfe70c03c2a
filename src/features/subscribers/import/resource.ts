import { sql } from 'kysely';
import Type from 'typebox';
import { firstIdOf } from '../../../db/time-ordered-id.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { defineRetention } from '../../../jobs/retention.ts';
import type { JsonColumn, RowOf, TableOf } from '../../../resources/field-types.ts';
import { hidden, id, integer, json, moment, owner, text, uuid } from '../../../resources/fields.ts';
import { uuidKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import type { Caller } from '../../../tenancy/caller.ts';
import type { Part } from './rows.ts';
import { ImportErrors, ImportMode, ImportStatus } from './schema.ts';

const count = integer(Type.Integer(), {});

const fields = {
  id,
  created_at: moment,
  mode: text(ImportMode, {}),
  list_id: uuid(Type.String(), { nullable: true }),
  status: text(ImportStatus, {}),
  total: count,
  created: count,
  updated: count,
  failed: count,
  errors: json(ImportErrors, { declared: true }),
  /** Who called, with what they could reach then. */
  caller: hidden(json(Type.Unsafe<Caller>({}), {})),
  parts: hidden(count),
  /** How many of the parts are applied. */
  applied: hidden(count),
  /** Which of its jobs may apply. */
  turn: hidden(count),
  /** Runs that broke. */
  faults: hidden(count),
  business_unit: owner,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    subscriber_imports: TableOf<typeof fields>;
    /** Rows that are not applied yet. */
    subscriber_import_parts: {
      tenant_id: string;
      import_id: string;
      part: number;
      content: JsonColumn<Part>;
    };
  }
}

/** An import as it is stored. */
export type ImportRow = RowOf<typeof fields>;

/** Imports, each of the unit of those of its subscribers that name none. */
export const imports = defineResource({
  table: 'subscriber_imports',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
});

/** What came of imports. */
export const importRetention = defineRetention({
  what: 'results of imports of subscribers',
  keptHours: 30 * 24,
  table: 'subscriber_imports',
  isOld: (before) => sql`r.created_at < ${before}`,
  byTenant: true,
});

/** Rows of uploads that were never answered, as their process was killed; those of others go as they are applied. */
export const partRetention = defineRetention({
  what: 'rows of uploads of subscribers that broke off',
  keptHours: 48,
  table: 'subscriber_import_parts',
  key: ['import_id', 'part'],
  isOld: (before) => sql`r.import_id < ${firstIdOf(before)} and not exists (
    select from subscriber_imports i where i.tenant_id = r.tenant_id and i.id = r.import_id)`,
  byTenant: true,
});
