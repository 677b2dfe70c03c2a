import Type from 'typebox';
import { DEFAULT_LIMIT, MAX_LIMIT, Search } from '../../../resources/paging.ts';

/** Id of a document. */
export const DocumentId = Type.String({ description: 'Chosen by the caller.' });
/** Uid of a document, by which websites find it. */
export const Uid = Type.String({
  pattern: '^[a-z0-9_-]+$',
  maxLength: 255,
  description: 'Lookup key for websites; unique within the model.',
});
/** Display name of a document. */
export const DocumentName = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Display name.',
});
/** Id of a document's model. */
export const ModelId = Type.String({ maxLength: 128, description: 'Document model of the project.' });
/** Status of a document. */
export const Status = Type.Enum(['draft', 'live', 'archived']);
/** Content of a document. */
export const Data = Type.String({
  description: 'JSON as a string, stored and returned verbatim.',
});
/** User who created or changed a document. */
export const Author = Type.String({ description: 'Null unless created by a user.' });

/** Path parameters of a project. */
export const ProjectParams = Type.Object({ project_id: Type.String() });
/** Path parameters of a document. */
export const DocumentParams = Type.Object({ project_id: Type.String(), id: Type.String() });

/** Criteria of a document query. */
export const DocumentQuery = Type.Object({
  id: Type.Optional(Type.String()),
  document_model_id: Type.Optional(Type.String()),
  uid: Type.Optional(Type.String()),
});

/** Maximum number of models in one search. */
const MAX_MODELS = 100;

/** Body of the search for link targets. */
export const SearchBody = Type.Object(
  {
    search: Search,
    document_model_ids: Type.Optional(
      Type.Array(Type.String(), {
        maxItems: MAX_MODELS,
        description: 'Only documents of these models. Default: all.',
      }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: MAX_LIMIT, description: `Default: ${DEFAULT_LIMIT}.` }),
    ),
  },
  { title: 'DocumentSearch' },
);

/** A search result: a document to which a field can link. */
export const FoundDocument = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    uid: Type.String(),
    document_model_id: Type.String(),
    status: Status,
  },
  { title: 'FoundDocument' },
);
