import { NOT_FOUND, VALIDATION_ERROR } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { listRoute } from '../../../resources/list-routes.ts';
import { routeProperties } from '../../../resources/route-parts.ts';
import { deleteRoute, replaceRoute } from '../../../resources/routes.ts';
import { requireProject } from '../projects/index.ts';
import { DUPLICATE_REDIRECT } from './errors.ts';
import { redirects } from './resource.ts';
import { REDIRECT_CHECKS } from './rule-body.ts';
import { CheckBody, CheckReply, ProjectParams } from './schema.ts';
import {
  checkRedirect,
  countDeletion,
  createRedirect,
  getRedirect,
  getRedirectForUpdate,
  replacementColumns,
} from './service.ts';

const path = '/api/pages/{project_id}/redirects';
const family = { path, id: 'redirects', tag: 'Pages: redirects', noun: 'redirect' } as const;
const writeProperties = {
  errors: [NOT_FOUND, DUPLICATE_REDIRECT, VALIDATION_ERROR],
  checks: REDIRECT_CHECKS,
} as const;

/** Routes of redirects and their check (docs/specification/pages.md#redirects). */
export const routes: readonly Route[] = [
  defineRoute({
    ...routeProperties('create', redirects, family, { errors: writeProperties.errors }),
    params: ProjectParams,
    body: redirects.createBody,
    checks: REDIRECT_CHECKS,
    reply: IdReply,
    write: (ctx, { params, body }) => createRedirect(ctx, params.project_id, body),
  }),
  listRoute(redirects, family, {
    errors: [NOT_FOUND],
    requireParent: (ctx, [projectId = '']) => requireProject(ctx.db, projectId),
  }),
  defineRoute({
    id: 'redirects.check',
    readsOnly: true,
    method: 'POST',
    path: `${path}/check`,
    summary: 'Returns the redirect for a path',
    description:
      'Order: static rules, then patterns by priority, then by age. Fast enough for every page request.',
    tag: family.tag,
    access: 'member',
    errors: [NOT_FOUND],
    params: ProjectParams,
    body: CheckBody,
    reply: CheckReply,
    handler: (ctx, { params, body }) => checkRedirect(ctx, params.project_id, body),
  }),
  defineRoute({
    ...routeProperties('get', redirects, family, {}),
    reply: redirects.reply,
    handler: (ctx, { params: { project_id = '', id = '' } }) => getRedirect(ctx, project_id, id),
  }),
  {
    ...replaceRoute(redirects, family, {
      ...writeProperties,
      columns: (ctx, { body }, current) => replacementColumns(ctx, body, current),
    }),
    updates: { current: getRedirectForUpdate },
  },
  deleteRoute(redirects, family, { after: countDeletion }),
];
