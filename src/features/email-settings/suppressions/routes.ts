import { FORBIDDEN } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { deleting, reading } from '../area.ts';
import { SUPPRESSION_NOT_FOUND } from '../errors.ts';
import {
  RecipientReply,
  Suppression,
  SuppressionList,
  SuppressionParams,
  SuppressionQuery,
} from './schema.ts';
import { listAll, readSuppression, removeSuppression } from './service.ts';

/** The recipients that are not sent to. */
export const suppressionRoutes: readonly Route[] = [
  defineRoute({
    ...reading,
    id: 'suppressions.list',
    method: 'GET',
    path: '/api/email_settings/suppressions/list',
    summary: 'Lists suppressed recipients, newest first',
    description: 'Page 1 and 20 items per page when not said.',
    query: SuppressionQuery,
    reply: SuppressionList,
    handler: (ctx, { query }) => listAll(ctx, query),
  }),
  defineRoute({
    ...reading,
    id: 'suppressions.get',
    method: 'GET',
    path: '/api/email_settings/suppressions/list/{recipient}',
    summary: 'Tells whether an address is suppressed, and why',
    errors: [SUPPRESSION_NOT_FOUND],
    params: SuppressionParams,
    reply: Suppression,
    handler: (ctx, { params }) => readSuppression(ctx, params.recipient),
  }),
  defineRoute({
    ...deleting,
    id: 'suppressions.delete',
    method: 'DELETE',
    path: '/api/email_settings/suppressions/{recipient}',
    summary: 'Lets a suppressed recipient be sent to again',
    description: 'Needs the admin role on Default.',
    errors: [FORBIDDEN, SUPPRESSION_NOT_FOUND],
    params: SuppressionParams,
    reply: RecipientReply,
    oneStatement: true,
    write: (ctx, { params }) => removeSuppression(ctx, params.recipient),
  }),
];
