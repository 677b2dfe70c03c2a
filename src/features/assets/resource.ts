import { randomBytes } from 'node:crypto';
import { expressionBuilder, type SqlBool, sql } from 'kysely';
import Type from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { AnyTables } from '../../resources/compiled-statements.ts';
import type { TableOf } from '../../resources/field-types.ts';
import { hidden, id, integer, json, moment, recordFields, text, version } from '../../resources/fields.ts';
import type { FieldSql } from '../../resources/filter-field.ts';
import { type Key, uuidKey } from '../../resources/keys.ts';
import { defineResource } from '../../resources/resource.ts';
import { Alt, Folder, Name, Tags } from './schema.ts';

const fields = {
  id,
  name: text(Name, { keeps: true, filter: true, search: true }),
  folder: text(Folder, { keeps: true, filter: true }),
  alt: text(Alt, { keeps: true, nullable: true, search: true }),
  tags: json(Tags, { keeps: true, declared: true }),
  mime_type: text(Type.String(), { writes: 'platform', filter: true }),
  size: integer(Type.Integer({ description: 'In bytes.' }), { writes: 'platform', filter: true }),
  width: integer(Type.Integer({ description: 'For images, as displayed.' }), {
    writes: 'platform',
    nullable: true,
  }),
  height: integer(Type.Integer(), { writes: 'platform', nullable: true }),
  sha256: text(Type.String({ description: 'Hex digest of the content.' }), { writes: 'platform' }),
  variants: hidden(integer(Type.Integer(), { writes: 'platform' })),
  version,
  created_at: recordFields.created_at,
  updated_at: moment,
};

declare module '../../db/tables.ts' {
  interface Tables {
    assets: TableOf<typeof fields>;
  }
}

/**
 * Creates an id that cannot be guessed, because it is all that protects a public address. All of its 74 random bits are
 * new: by default, `uuid` only increments a counter for further ids of the same millisecond.
 */
export function newAssetId(): string {
  return uuidv7({ random: randomBytes(16) });
}

const key: Key = { ...uuidKey('id'), generate: newAssetId };

/** Filter SQL that is true if any tag meets the comparison. */
const ofAnyTag: FieldSql = (compare) => {
  const eb = expressionBuilder<AnyTables, never>();
  const tags = eb
    .fn<Readonly<Record<string, unknown>>>('json_array_elements_text', [sql.ref('assets.tags')])
    .as<'tagged'>(sql`tagged(tag)`);
  const found = eb
    .selectFrom(tags)
    .select(sql.lit(1).as('one'))
    .where(compare(sql.ref('tagged.tag')));
  return eb.exists(found).$castTo<SqlBool>();
};

/** Files and images. They belong to the tenant, not to a business unit. */
export const assets = defineResource({
  title: 'Asset',
  table: 'assets',
  key,
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
  filters: {
    tags: {
      type: 'text',
      isArray: true,
      sql: ofAnyTag,
    },
  },
});
