import Type from 'typebox';
import { FORBIDDEN, NOT_FOUND, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { TestReply } from '../../../outbound/webhook-test.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { answerPageOrAll } from '../../../resources/list-queries.ts';
import { orderedPage, type PageReply } from '../../../resources/paging.ts';
import { routeProperties } from '../../../resources/route-parts.ts';
import { createRoute, deleteRoute, replaceRoute } from '../../../resources/routes.ts';
import { withMore } from '../../../resources/view.ts';
import { DeliveryList, deliveryLog } from './delivery-log.ts';
import { webhookResource as webhooks } from './resource.ts';
import { DeliveryParams, DeliveryQuery, Figures, GetQuery, WebhookParams, WebhookQuery } from './schema.ts';
import {
  extensionOf,
  getWebhook,
  listWebhookDeliveries,
  prepareCreate,
  prepareReplace,
  redeliver,
  removeLog,
  replaceColumns,
  testWebhook,
  WEBHOOK_CHECKS,
} from './service.ts';

const tag = 'Webhooks';
/** Unknown members inside `target` are refused. */
const definitions = ['target'];
const family = { path: '/api/webhooks', id: 'webhooks', tag, noun: 'webhook' };

/** A webhook in responses. */
const Webhook = withMore(webhooks.reply, Figures, 'Webhook');

/** Routes of webhooks for form submissions, of their delivery log and redelivery. */
export const routes: readonly Route[] = [
  {
    ...createRoute(webhooks, family, {
      summary: "Creates a webhook for a form's submissions",
      description: "Belongs to the form's business unit.",
      errors: [VALIDATION_ERROR],
      checks: WEBHOOK_CHECKS,
      prepare: prepareCreate,
      columns: (_ctx, { prepared: { headers, signing_secret } }) => ({ headers, signing_secret }),
      options: ({ prepared }) => ({ key: prepared.id, ownerId: prepared.form.owner_bu_id }),
    }),
    definitions,
  },
  defineRoute({
    id: 'webhooks.list',
    method: 'GET',
    path: '/api/webhooks',
    summary: 'Lists all webhooks, newest first',
    tag,
    access: 'member',
    query: WebhookQuery,
    ...listFacts(webhooks),
    reply: Type.Unsafe<PageReply<object>>(orderedPage(Webhook)),
    handler: async ({ db, now }, { query }) => {
      const { form_code } = query;
      const filters = form_code === undefined ? {} : { form_code: { operation: 'eq', value: form_code } };
      return answerPageOrAll(db, webhooks, query, { filters }, extensionOf(db, now));
    },
  }),
  defineRoute({
    ...routeProperties('get', webhooks, family, {}),
    params: WebhookParams,
    query: GetQuery,
    reply: Webhook,
    handler: (ctx, { params, query }) => getWebhook(ctx, params.id, query),
  }),
  {
    ...replaceRoute(webhooks, family, {
      description: 'Deactivating drops pending deliveries. Pending retries use the new target.',
      checks: WEBHOOK_CHECKS,
      prepare: prepareReplace,
      columns: (ctx, { body }, stored) => replaceColumns(ctx, body, stored),
    }),
    definitions,
  },
  deleteRoute(webhooks, family, {
    summary: 'Deletes a webhook and its delivery log; its history stays readable',
    after: removeLog,
  }),
  defineRoute({
    id: 'webhooks.test',
    method: 'POST',
    path: '/api/webhooks/{id}/test',
    summary: 'Sends the test data to the target once',
    description: 'Not a delivery: no retries, and `last_attempt_*` stays unchanged.',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, FORBIDDEN],
    params: WebhookParams,
    reply: TestReply,
    handler: (ctx, { params }) => testWebhook(ctx, params.id),
  }),
  defineRoute({
    id: 'webhooks.list_deliveries',
    method: 'GET',
    path: '/api/webhooks/{id}/deliveries',
    summary: 'Lists the deliveries of a webhook, newest first',
    description: 'Finished deliveries are kept for 30 days. `limit` defaults to 20.',
    tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: WebhookParams,
    query: DeliveryQuery,
    ...listFacts(deliveryLog),
    reply: DeliveryList,
    handler: (ctx, { params, query }) => listWebhookDeliveries(ctx, params.id, query),
  }),
  defineRoute({
    id: 'webhooks.redeliver',
    method: 'POST',
    path: '/api/webhooks/{id}/deliveries/{delivery_id}/redeliver',
    summary: 'Repeats a delivery',
    description: 'A finished delivery gets up to 5 new attempts; a pending one is attempted now.',
    tag,
    access: 'editor',
    errors: [NOT_FOUND, VALIDATION_ERROR],
    params: DeliveryParams,
    reply: IdReply,
    write: (ctx, { params }) => redeliver(ctx, params.id, params.delivery_id),
  }),
];
