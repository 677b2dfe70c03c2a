import { NOT_FOUND, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { defineBearerRoute } from '../../../http/bearer-route.ts';
import type { Route } from '../../../http/route.ts';
import { listWebhooks } from './queries.ts';
import { Deleted, WebhookBody, WebhookList, WebhookParams, WebhookReply } from './schema.ts';
import { createWebhook, prepareWebhook, removeWebhook, WEBHOOK_CHECKS } from './service.ts';

const common = { tag: 'Record webhooks', access: 'owner' } as const;

/** Routes of webhooks for changes of records (docs/specification/records.md#entity-change-webhooks). */
export const routes: readonly Route[] = [
  defineBearerRoute({
    ...common,
    id: 'entity_webhooks.create',
    method: 'POST',
    path: '/api/webhooks',
    summary: 'Creates a webhook for record changes',
    body: WebhookBody,
    checks: WEBHOOK_CHECKS,
    errors: [VALIDATION_ERROR],
    reply: WebhookReply,
    prepare: (ctx, { body }) => prepareWebhook(ctx, body),
    write: (ctx, { body }, urlFault) => createWebhook(ctx, body, urlFault),
  }),
  defineBearerRoute({
    ...common,
    id: 'entity_webhooks.list',
    method: 'GET',
    path: '/api/webhooks',
    summary: 'Lists webhooks without secrets',
    reply: WebhookList,
    handler: async ({ db }) => ({ data: await listWebhooks(db) }),
  }),
  defineBearerRoute({
    ...common,
    id: 'entity_webhooks.delete',
    method: 'DELETE',
    path: '/api/webhooks/{id}',
    summary: 'Deletes a webhook',
    params: WebhookParams,
    errors: [NOT_FOUND],
    reply: Deleted,
    write: (ctx, { params }) => removeWebhook(ctx, params.id),
  }),
];
