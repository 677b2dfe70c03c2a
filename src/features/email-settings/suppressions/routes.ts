import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND } from '../../../errors/platform-errors.ts';
import { check } from '../../../http/body-checks.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { isAddress, normalizeAddress } from '../../../mail/address.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { orderParameters } from '../../../resources/order-options.ts';
import { Limit, nextSchema, Page, Search } from '../../../resources/paging.ts';
import { deleteOptions, readOptions, writeOptions } from '../area.ts';
import { SUPPRESSION_NOT_FOUND } from '../errors.ts';
import { getImport, IMPORT_UPLOAD, readImport, SuppressionImport, storeImport } from './import.ts';
import { MAX_DESCRIPTION, type SuppressionCreate, SuppressionType, suppressions } from './resource.ts';
import { createSuppression, listSuppressions, readSuppression, removeSuppression } from './service.ts';

const params = Type.Object({
  recipient: Type.String({ description: 'Email address, in any letter case.' }),
});
const RecipientReply = Type.Object({ recipient: Type.String() }, { title: 'RecipientReply' });
const ListMetadata = Type.Object(
  {
    total: Type.Optional(
      Type.Integer({ description: 'Matching suppressions on all pages. Absent with `count: false`.' }),
    ),
    page: Type.Integer(),
    pageSize: Type.Integer(),
    next: Type.Optional(nextSchema),
  },
  { title: 'SuppressionListMetadata' },
);

/** Routes for suppressed recipients. */
export const suppressionRoutes: readonly Route[] = [
  defineRoute({
    ...readOptions,
    id: 'suppressions.list',
    method: 'GET',
    path: '/api/email_settings/suppressions/list',
    summary: 'Lists suppressed recipients, newest first',
    description: 'Default: page 1, 20 items. `search` looks in recipient and description.',
    query: Type.Object({
      page: Type.Optional(Page),
      pageSize: Type.Optional(Limit),
      type: Type.Optional(SuppressionType),
      search: Type.Optional(Search),
      description: Type.Optional(
        Type.String({ maxLength: MAX_DESCRIPTION, description: 'Text that the description contains.' }),
      ),
      ...orderParameters,
    }),
    ...listFacts(suppressions),
    reply: Type.Object(
      { results: Type.Array(suppressions.reply), metadata: ListMetadata },
      { title: 'SuppressionList' },
    ),
    handler: (ctx, { query }) => listSuppressions(ctx, query),
  }),
  defineRoute({
    ...readOptions,
    id: 'suppressions.get',
    method: 'GET',
    path: '/api/email_settings/suppressions/list/{recipient}',
    summary: 'Reads the suppression of an address',
    errors: [SUPPRESSION_NOT_FOUND],
    params,
    reply: suppressions.reply,
    handler: (ctx, { params }) => readSuppression(ctx, params.recipient),
  }),
  defineRoute({
    ...writeOptions,
    id: 'suppressions.create',
    method: 'POST',
    path: '/api/email_settings/suppressions',
    summary: 'Suppresses a recipient',
    description: 'Existing suppressions stay unchanged. Requires the admin role on Default.',
    errors: [FORBIDDEN],
    body: suppressions.createBody,
    checks: [
      check(['recipient'], ({ recipient }: SuppressionCreate) =>
        isAddress(normalizeAddress(recipient))
          ? []
          : [{ field: 'recipient', message: 'must be a valid email address' }],
      ),
    ],
    reply: RecipientReply,
    oneStatement: true,
    write: (ctx, { body }) => createSuppression(ctx, body),
  }),
  defineRoute({
    ...writeOptions,
    id: 'suppressions.import',
    method: 'POST',
    path: '/api/email_settings/suppressions/import',
    summary: 'Suppresses the recipients of a CSV file',
    description:
      'UTF-8 CSV with a header row: `recipient`, optional `type` (default `unsubscribe`) and `description`; other columns are ignored. At most 4 GiB. Rows are applied as they arrive; an invalid row fails alone. The response follows the last row. An interrupted file can be sent again. Requires the admin role on Default.',
    errors: [FORBIDDEN],
    upload: IMPORT_UPLOAD,
    reply: Type.Object({ import_id: Type.String() }, { title: 'ImportReply' }),
    prepare: (ctx, { body }) => readImport(ctx, body),
    write: (ctx, _input, tally) => storeImport(ctx, tally),
  }),
  defineRoute({
    ...readOptions,
    id: 'suppressions.get_import',
    method: 'GET',
    path: '/api/email_settings/suppressions/import/{id}',
    summary: 'Reads the result of an import; kept for 30 days',
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: SuppressionImport,
    handler: (ctx, { params }) => getImport(ctx, params.id),
  }),
  defineRoute({
    ...deleteOptions,
    id: 'suppressions.delete',
    method: 'DELETE',
    path: '/api/email_settings/suppressions/{recipient}',
    summary: 'Removes the suppression of a recipient',
    description: 'Requires the admin role on Default.',
    errors: [FORBIDDEN, SUPPRESSION_NOT_FOUND],
    params,
    reply: RecipientReply,
    write: (ctx, { params }) => removeSuppression(ctx, params.recipient),
  }),
];
