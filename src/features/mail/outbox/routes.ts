import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { defineRawRoute, defineRoute, type Route } from '../../../http/route.ts';
import { DEFAULT_LIMIT, pageOf } from '../../../resources/paging.ts';
import { OutboxList, OutboxMessage, OutboxParams, OutboxQuery } from './schema.ts';
import { listMessages, readMessage, readRawMessage } from './service.ts';

const tag = 'Operator';

/** The operator's view of captured mail. */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'outbox.list',
    method: 'GET',
    path: '/admin/outbox',
    summary: 'Lists captured messages of all tenants, newest first',
    description: `Messages are captured while no relay is configured. Default: page 1, ${DEFAULT_LIMIT} items.`,
    tag,
    access: 'operator',
    query: OutboxQuery,
    reply: OutboxList,
    handler: async (ctx, { query }) => listMessages(ctx.platform, query.to, pageOf(query)),
  }),
  defineRoute({
    id: 'outbox.get',
    method: 'GET',
    path: '/admin/outbox/{id}',
    summary: 'Reads a captured message, parsed',
    tag,
    access: 'operator',
    errors: [NOT_FOUND],
    params: OutboxParams,
    reply: OutboxMessage,
    handler: async (ctx, { params }) => readMessage(ctx.platform, params.id),
  }),
  defineRawRoute({
    id: 'outbox.raw',
    method: 'GET',
    path: '/admin/outbox/{id}/raw',
    summary: 'Reads the raw captured message',
    tag,
    access: 'operator',
    errors: [NOT_FOUND],
    params: OutboxParams,
    raw: { contentType: 'message/rfc822', description: 'The message.' },
    handler: async (ctx, { params }) => ({
      status: 200,
      headers: {
        'content-type': 'message/rfc822',
        'content-disposition': `attachment; filename="${params.id}.eml"`,
      },
      body: await readRawMessage(ctx.platform, params.id),
    }),
  }),
];
