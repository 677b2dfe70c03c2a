import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { TableOf } from '../../../resources/field-types.ts';
import { hidden, json, recordFields, text, uuid } from '../../../resources/fields.ts';
import { bodyKey } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { DUPLICATE_INDEX } from './errors.ts';
import { IndexName, MetadataDefinition } from './schema.ts';

const platform = { writes: 'platform' } as const;

const fields = {
  name: text(IndexName, { writes: 'once' }),
  id: hidden(uuid(Type.String(), platform)),
  contentsDescription: text(
    Type.String({ maxLength: 10_000, description: 'Description for users and models.' }),
    {
      column: 'contents_description',
    },
  ),
  metadataDefinition: json(MetadataDefinition, { column: 'metadata_definition', declared: true }),
  model: hidden(text(Type.String(), platform)),
  ...recordFields,
};

interface ItemTable {
  tenant_id: string;
  index_id: string;
  id: string;
  input: string;
  metadata: object;
  model: string;
  embedding: number[];
  embedding_error: string | null;
  terms: string | null;
  word_count: number | null;
  updated_at: string;
}

declare module '../../../db/tables.ts' {
  interface Tables {
    ai_indexes: TableOf<typeof fields>;
    ai_index_items: ItemTable;
  }
}

/** Vector indexes, owned by business units. Names are unique in the tenant. */
export const indexes = defineResource({
  title: 'VectorIndex',
  entityType: 'ai_vector_index',
  table: 'ai_indexes',
  key: bodyKey('name', (name) => /^[a-z0-9-]{1,100}$/.test(name)),
  notFound: NOT_FOUND,
  fields,
  sorts: ['name', 'updated_at'],
  duplicates: { ai_indexes_pkey: DUPLICATE_INDEX },
});
