import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { RENDERINGS_PER_MINUTE } from '../../../http/request-deadline.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { ANY_FILTER_FIELD } from './additional-fields.ts';
import { byEmailRoute } from './by-email.ts';
import { runQuery } from './counts.ts';
import { eraseSubscriberData } from './erasure.ts';
import { DUPLICATE_EMAIL, INVALID_SUBSCRIBER } from './errors.ts';
import { importRoutes } from './import/routes.ts';
import { listMemberRoutes } from './list-members/routes.ts';
import { reachRoute } from './reach/routes.ts';
import { subscribers } from './resource.ts';
import { SearchBody, SearchReply } from './schema.ts';
import {
  additionalFilters,
  newSubscriberColumns,
  prepareSubscriber,
  replacedSubscriberColumns,
  SUBSCRIBER_CHECKS,
} from './service.ts';

const area = { tag: 'Subscribers', invalid: INVALID_SUBSCRIBER } as const;
const family = {
  ...area,
  path: '/api/subscribers',
  id: 'subscribers',
  noun: 'subscriber',
  maxBodyBytes: CONTENT_BODY_BYTES,
};
const rules = { checks: SUBSCRIBER_CHECKS, errors: [DUPLICATE_EMAIL] };

/** Subscribers, and queries about them (docs/specification/subscribers.md#subscriber). */
export const routes: readonly Route[] = [
  createRoute(subscribers, family, {
    ...rules,
    prepare: prepareSubscriber,
    options: ({ prepared }) => ({ key: prepared.id }),
    columns: (ctx, { body, prepared }) => newSubscriberColumns(ctx, body, prepared.id),
  }),
  listRoute(subscribers, family, {
    requiresFilters: true,
    fields: { shown: ANY_FILTER_FIELD, read: additionalFilters },
  }),
  getRoute(subscribers, family),
  replaceRoute(subscribers, family, {
    ...rules,
    columns: (ctx, { body }, current) => replacedSubscriberColumns(ctx, body, current),
  }),
  byEmailRoute,
  reachRoute,
  ...listMemberRoutes,
  deleteRoute(subscribers, family, {
    summary: 'Permanently erases a subscriber with history and mails of its unit',
    after: (ctx, row) => eraseSubscriberData(ctx, [row]),
  }),
  defineRoute({
    ...area,
    id: 'subscribers.search',
    readsOnly: true,
    method: 'POST',
    path: '/api/subscribers/search',
    summary: 'Counts reachable subscribers of lists or audiences',
    access: 'viewer',
    rateLimit: { limit: RENDERINGS_PER_MINUTE, windowSeconds: 60, per: 'caller' },
    body: SearchBody,
    reply: SearchReply,
    handler: (ctx, { body }) => runQuery(ctx, body),
  }),
  ...importRoutes,
];
