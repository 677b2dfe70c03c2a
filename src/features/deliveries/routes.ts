import { COUNT_CHANGED, FORBIDDEN, NOT_FOUND, VALIDATION_ERROR } from '../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../http/body-limit.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { LIST_CHECKS } from '../../resources/list-queries.ts';
import type { DeliverySource } from '../../work-queue/delivery-source.ts';
import { REQUEST_UNAVAILABLE } from './errors.ts';
import { DELIVERY_FILTERS } from './filters.ts';
import {
  DeliveryDetail,
  DeliveryList,
  DeliveryListQuery,
  DeliveryParams,
  Redelivery,
  RedeliveryReply,
} from './schema.ts';
import { listAllDeliveries, REDELIVERY_CHECKS, readDelivery, redeliverMany } from './service.ts';

const tag = 'Webhooks';
const filterNames = `Filters: ${Object.keys(DELIVERY_FILTERS.fields).join(', ')}.`;

/** Routes of the deliveries of all webhooks (docs/specification/webhooks.md#deliveries-of-all-webhooks). */
export const deliveryRoutes = (sources: readonly DeliverySource[]): readonly Route[] => [
  defineRoute({
    id: 'deliveries.list',
    method: 'POST',
    path: '/api/deliveries/list',
    summary: 'Lists the deliveries of all webhooks, newest first',
    description: `Of webhooks that the caller sees. ${filterNames}`,
    tag,
    access: 'member',
    readsOnly: true,
    filters: DELIVERY_FILTERS,
    sorts: ['created_at'],
    items: { key: 'id' },
    body: DeliveryListQuery,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: LIST_CHECKS,
    reply: DeliveryList,
    handler: (ctx, { body }) => listAllDeliveries(ctx, sources, body),
  }),
  defineRoute({
    id: 'deliveries.get',
    method: 'GET',
    path: '/api/deliveries/{id}',
    summary: 'Reads a delivery with its request and attempts',
    tag,
    access: 'member',
    errors: [NOT_FOUND, REQUEST_UNAVAILABLE],
    params: DeliveryParams,
    reply: DeliveryDetail,
    handler: (ctx, { params }) => readDelivery(ctx, sources, params.id),
  }),
  defineRoute({
    id: 'deliveries.redeliver',
    method: 'POST',
    path: '/api/deliveries/redeliver',
    summary: 'Repeats up to 100,000 deliveries',
    description: `Those that match, of active webhooks that the caller may change. Finished ones get up to 5 new attempts; pending ones are attempted now. ${filterNames}`,
    tag,
    access: 'editor',
    errors: [FORBIDDEN, VALIDATION_ERROR, COUNT_CHANGED],
    body: Redelivery,
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: REDELIVERY_CHECKS,
    reply: RedeliveryReply,
    write: (ctx, { body }) => redeliverMany(ctx, sources, body),
  }),
];
