import Type from 'typebox';
import { listPage, pageOptions } from '../../../resources/paging.ts';

const Use = Type.Object(
  {
    type: Type.Enum(['document_model', 'slice_model', 'site_settings', 'document']),
    project_id: Type.String(),
    id: Type.String(),
    name: Type.String({ description: 'Name, or label of a document model.' }),
    document_model_id: Type.Optional(Type.String({ description: 'For documents.' })),
    uid: Type.Optional(Type.String({ description: 'For documents.' })),
    status: Type.Optional(Type.String({ description: 'For documents.' })),
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
        documents: Type.Integer({ description: 'Documents of models that use it.' }),
      },
      { title: 'ModelUsageCounts' },
    ),
  },
  { title: 'ModelUsage' },
);
