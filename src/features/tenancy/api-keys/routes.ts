import Type, { type Static } from 'typebox';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../../http/route.ts';
import { IdReply } from '../../../http/schemas.ts';
import { listFacts } from '../../../resources/list-order.ts';
import { answerPageOrAll, listParameters } from '../../../resources/list-queries.ts';
import { orderedPage, type PageReply } from '../../../resources/paging.ts';
import { apiKeyResource } from './resource.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated, OperatorKeyCreate } from './schema.ts';
import { createKey, createOperatorKey, prepareOperatorKey, revokeApiKey } from './service.ts';

const tag = 'API keys';
const path = '/api/client/v1/api-keys';

/** The owner's administration of keys (docs/specification/tenants.md#api-keys). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'api_keys.create',
    method: 'POST',
    path,
    summary: 'Creates an API key for a membership; shown only once',
    tag,
    access: 'owner',
    errors: [NOT_FOUND],
    needsConfirmation: true,
    body: ApiKeyCreate,
    reply: ApiKeyCreated,
    write: (ctx, { body }) => createKey(ctx, body),
  }),
  defineRoute({
    id: 'api_keys.list',
    method: 'GET',
    path,
    summary: "Lists the tenant's keys including revoked ones, newest first",
    tag,
    access: 'owner',
    query: Type.Object(listParameters),
    ...listFacts(apiKeyResource),
    reply: Type.Unsafe<PageReply<Static<typeof ApiKey>>>(orderedPage(ApiKey)),
    handler: (ctx, { query }) => answerPageOrAll(ctx.db, apiKeyResource, query, {}),
  }),
  defineRoute({
    id: 'api_keys.revoke',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Revokes an API key',
    tag,
    access: 'owner',
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: IdReply,
    oneStatement: true,
    write: (ctx, { params }) => revokeApiKey(ctx, params.id),
  }),
  defineRoute({
    id: 'api_keys.create_for_tenant',
    method: 'POST',
    path: '/admin/tenants/{code}/api-keys',
    summary: 'Creates an API key for a member who lost theirs; shown only once',
    tag: 'Operator',
    access: 'operator',
    errors: [NOT_FOUND],
    params: Type.Object({ code: Type.String() }),
    body: OperatorKeyCreate,
    reply: ApiKeyCreated,
    prepare: ({ platform }, { params }) => prepareOperatorKey(platform, params.code),
    write: (ctx, { body }) => createOperatorKey(ctx, body),
  }),
];
