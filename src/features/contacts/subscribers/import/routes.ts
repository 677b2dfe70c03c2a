import Type from 'typebox';
import { BUSINESS_UNIT_REQUIRED, FORBIDDEN, NOT_FOUND } from '../../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../../http/route.ts';
import { IMPORT_PREVIEW_UPLOAD, previewFile } from './preview.ts';
import { ImportPreview, ImportQuery, SubscriberImport } from './schema.ts';
import { getImport } from './service.ts';
import { IMPORT_UPLOAD, queueImport, stageUpload } from './upload.ts';

const tag = 'Subscribers';

/** Routes of imports (docs/specification/subscribers.md#import). */
export const importRoutes: readonly Route[] = [
  defineRoute({
    tag,
    id: 'subscribers.import',
    method: 'POST',
    path: '/api/subscribers/import',
    summary: 'Imports subscribers from CSV or JSON lines',
    description:
      'CSV: UTF-8, UTF-16, Windows-1252 or the declared charset. The header row has names of fields and of additional fields (prefix `additional_fields_data.` optional); `lists` and `audiences` are ids separated by `;`. JSON lines: one subscriber body per line. At most 4 GiB. Rows are applied after the response; an invalid row fails alone.',
    access: 'editor',
    errors: [FORBIDDEN, BUSINESS_UNIT_REQUIRED],
    query: ImportQuery,
    upload: IMPORT_UPLOAD,
    reply: Type.Object({ import_id: Type.String() }, { title: 'ImportReply' }),
    prepare: (ctx, { query, body }) => stageUpload(ctx, query, body),
    write: (ctx, { query }, staged) => queueImport(ctx, query, staged),
  }),
  defineRoute({
    tag,
    id: 'subscribers.preview_import',
    readsOnly: true,
    method: 'POST',
    path: '/api/subscribers/import/preview',
    summary: 'Previews an import without storing anything',
    description:
      'The body is the first 1 MiB of a CSV file. Detects its encoding and delimiter, and recognizes headers of Excel, Numbers, Google, Brevo, HubSpot, listmonk and Mailchimp in English, German, French and Spanish. `suggested_field` can be sent as `mapping` of the import.',
    access: 'editor',
    upload: IMPORT_PREVIEW_UPLOAD,
    reply: ImportPreview,
    handler: (_ctx, { body }) => previewFile(body),
  }),
  defineRoute({
    tag,
    id: 'subscribers.get_import',
    method: 'GET',
    path: '/api/subscribers/import/{id}',
    summary: 'Reads progress and result of an import; kept for 30 days',
    access: 'member',
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: SubscriberImport,
    handler: ({ db }, { params }) => getImport(db, params.id),
  }),
];
