import Type from 'typebox';
import { listPage, pageOptions } from '../../../resources/paging.ts';

const Use = Type.Object(
  {
    type: Type.Enum(['document_model', 'slice_model', 'site_settings', 'document']),
    project_id: Type.String(),
    id: Type.String(),
    name: Type.String({ description: 'Its name, or the label of a document model.' }),
    document_model_id: Type.Optional(Type.String({ description: 'Of a document.' })),
    uid: Type.Optional(Type.String({ description: 'Of a document.' })),
    status: Type.Optional(Type.String({ description: 'Of a document.' })),
  },
  { title: 'ModelUse' },
);

/** Query of both routes. */
export const UsageQuery = Type.Object(pageOptions);

/** Uses of a model: one page, and the total of each kind. */
export const Usage = Type.Object(
  {
    ...listPage(Use).properties,
    counts: Type.Object(
      {
        document_models: Type.Integer(),
        slice_models: Type.Integer(),
        site_settings: Type.Integer(),
        documents: Type.Integer({ description: 'Documents of the models that use it.' }),
      },
      { title: 'ModelUsageCounts' },
    ),
  },
  { title: 'ModelUsage' },
);
