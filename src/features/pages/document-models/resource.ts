import Type from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { ReplaceOf, TableOf } from '../../../resources/field-types.ts';
import { boolean, hidden, json, moment, owner, text, version } from '../../../resources/fields.ts';
import { pathKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { isContentId, projectKey } from '../projects/index.ts';
import { ContentId, FieldMap, Label, ModelMetadata } from './schema.ts';

const fields = {
  id: text(ContentId, { writes: 'platform' }),
  label: text(Label, { search: true }),
  format: text(Type.Enum(['page', 'custom']), {}),
  repeatable: boolean(Type.Boolean({ description: 'True if the model may have several documents.' }), {}),
  status: boolean(Type.Boolean({ description: 'True if active.' }), {}),
  metadata: json(ModelMetadata, { default: { linkable: true }, declared: true }),
  json: json(FieldMap, { listed: false }),
  project_id: text(Type.String(), { writes: 'platform' }),
  version,
  created_at: moment,
  updated_at: moment,
  owner: hidden(owner),
};

/** A validated body without the id. */
export type DocumentModelReplace = ReplaceOf<typeof fields>;

declare module '../../../db/tables.ts' {
  interface Tables {
    /** `linkable` is generated from `metadata`. */
    document_models: TableOf<typeof fields> & { linkable: boolean };
  }
}

/** Document models: definitions of a project's documents. They belong to the unit of their project. */
export const documentModels = defineResource({
  title: 'DocumentModel',
  entityType: 'pages_document_model',
  table: 'document_models',
  key: within(projectKey, pathKey('id', isContentId)),
  notFound: NOT_FOUND,
  ownedByParent: true,
  fields,
  sorts: ['label', 'updated_at'],
});
