import Type from 'typebox';
import { DEFAULT_LIMIT, MAX_LIMIT, Search } from '../../../resources/paging.ts';

export const DocumentId = Type.String({ description: 'Chosen by the caller.' });
export const Uid = Type.String({
  pattern: '^[a-z0-9_-]+$',
  maxLength: 255,
  description: 'Lookup key for websites; unique within the model.',
});
export const DocumentName = Type.String({
  minLength: 1,
  maxLength: 500,
  description: 'Display name.',
});
export const ModelId = Type.String({ maxLength: 128, description: 'Document model of the project.' });
export const Status = Type.Enum(['draft', 'live', 'archived']);
export const Data = Type.String({
  description: 'JSON as a string, stored and returned verbatim.',
});
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

/** A document for a link field. */
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
