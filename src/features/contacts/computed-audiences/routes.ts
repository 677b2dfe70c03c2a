import Type from 'typebox';
import {
  BUSINESS_UNIT_REQUIRED,
  FORBIDDEN,
  IN_USE,
  INVALID_REQUEST,
  NOT_FOUND,
} from '../../../errors/platform-errors.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { RENDERINGS_PER_MINUTE } from '../../../http/request-deadline.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { createRoute, deleteRoute, getRoute, replaceRoute } from '../../../resources/routes.ts';
import { usageRoute } from '../../../resources/usage.ts';
import { audiences, groupUsage } from '../subscriber-groups/index.ts';
import { Explanation, ExplanationBody, explainAudience } from './explanation.ts';
import { PreviewBody, PreviewReply, previewFilters } from './preview.ts';
import { checkFilters, computeNew, computeReplaced, dropMembers, prepareAudience } from './service.ts';

const family = {
  path: '/api/audiences',
  id: 'audiences',
  tag: 'Lists and audiences',
  noun: 'audience',
  maxBodyBytes: CONTENT_BODY_BYTES,
};

/** Audiences (docs/specification/subscribers.md#lists-and-audiences). */
export const routes: readonly Route[] = [
  createRoute(audiences, family, {
    description: 'With `filters`, its members are the subscribers of its unit that match all of them.',
    prepare: prepareAudience,
    options: ({ prepared }) => ({ key: prepared.id }),
    columns: (ctx, { body, prepared }) => computeNew(ctx, body, prepared.id),
  }),
  listRoute(audiences, family),
  getRoute(audiences, family),
  usageRoute(audiences, family, (platform) => groupUsage.of(platform)),
  replaceRoute(audiences, family, {
    description:
      'New `filters` recompute the members; without `filters`, only manually added subscribers remain.',
    prepare: checkFilters,
    columns: (ctx, { body }, current) => computeReplaced(ctx, body, current),
  }),
  deleteRoute(audiences, family, {
    summary: 'Deletes an audience and removes its members',
    errors: [IN_USE],
    after: dropMembers,
  }),
  defineRoute({
    id: 'audiences.preview',
    tag: family.tag,
    method: 'POST',
    path: '/api/audiences/preview',
    summary: 'Counts the subscribers that filters match',
    description: 'Nothing is stored. Counting stops after about a second.',
    access: 'editor',
    readsOnly: true,
    invalid: INVALID_REQUEST,
    errors: [FORBIDDEN, BUSINESS_UNIT_REQUIRED],
    rateLimit: { limit: RENDERINGS_PER_MINUTE, windowSeconds: 60, per: 'caller' },
    body: PreviewBody,
    maxBodyBytes: CONTENT_BODY_BYTES,
    reply: PreviewReply,
    handler: (ctx, { body }) => previewFilters(ctx, body),
  }),
  defineRoute({
    id: 'audiences.explain',
    tag: family.tag,
    method: 'POST',
    path: '/api/audiences/{id}/explain',
    summary: 'Explains why a subscriber is in an audience or not',
    access: 'viewer',
    readsOnly: true,
    invalid: INVALID_REQUEST,
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    body: ExplanationBody,
    reply: Explanation,
    handler: (ctx, { params, body }) => explainAudience(ctx, params.id, body),
  }),
];
