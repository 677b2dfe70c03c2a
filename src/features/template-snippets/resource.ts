import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { uuidKeys } from '../../resources/records.ts';
import { defineResource, type RecordRow } from '../../resources/resource.ts';
import type { Snippet } from './schema.ts';

/** A snippet as it is stored. */
export interface SnippetRow extends RecordRow {
  id: string;
  name: string;
  content: string;
  description: string | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    email_template_snippets: SnippetRow;
  }
}

/** Pieces of HTML that templates include, owned by business units. */
export const snippets = defineResource<SnippetRow, Snippet>({
  entityType: 'email_template_snippet',
  table: 'email_template_snippets',
  key: 'id',
  ...uuidKeys,
  notFound: NOT_FOUND,
  view: (row) => ({
    id: row.id,
    version: row.version,
    created_at: row.created_at,
    updated_at: row.updated_at,
    name: row.name,
    content: row.content,
    description: row.description,
    business_unit: row.owner_bu_id,
  }),
  filters: { fields: {}, operations: [] },
  search: ['name', 'description'],
});
