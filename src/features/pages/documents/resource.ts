import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { ReplaceOf, TableOf } from '../../../resources/field-types.ts';
import { text, time, uuid, version } from '../../../resources/fields.ts';
import { pathKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { isContentId, projectKey } from '../projects/index.ts';
import { DUPLICATE_UID } from './errors.ts';
import { Author, Data, DocumentId, DocumentName, ModelId, Status, Uid } from './schema.ts';

const timestamp = time(Type.String(), { writes: 'platform', filter: true });

const fields = {
  id: text(DocumentId, { writes: 'platform' }),
  uid: text(Uid, { filter: true, search: true }),
  name: text(DocumentName, { filter: true, search: true }),
  document_model_id: text(ModelId, { filter: true }),
  status: text(Status, { filter: true }),
  data: text(Data, {}),
  created_by_id: uuid(Author, { writes: 'platform', nullable: true }),
  updated_by_id: uuid(Author, { writes: 'platform', nullable: true }),
  project_id: text(Type.String(), { writes: 'platform' }),
  version,
  created_at: timestamp,
  updated_at: timestamp,
  /** The unit of the project. */
  owner: uuid(Type.String(), { column: 'owner_bu_id', writes: 'platform', hidden: true }),
};

/** A validated body. */
export type DocumentReplace = ReplaceOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    documents: TableOf<typeof fields>;
  }
}

/** Documents of projects, searchable by name and uid. They belong to the unit of their project. */
export const documents = defineResource({
  title: 'Document',
  entityType: 'pages_document',
  table: 'documents',
  key: within(projectKey, pathKey('id', isContentId)),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
  sorts: ['name', 'updated_at'],
  duplicates: { documents_uid: DUPLICATE_UID },
  finder: 'tessera_find_documents',
});
