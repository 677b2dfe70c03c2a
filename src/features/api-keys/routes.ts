import Type from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { defineRoute, type Route } from '../../http/route.ts';
import { listKeys } from './queries.ts';
import { ApiKey, ApiKeyCreate, ApiKeyCreated } from './schema.ts';
import { createKey, endKey } from './service.ts';

const tag = 'API keys';
const path = '/api/client/v1/api-keys';

/** The owner's administration of keys (decisions section 3). */
export const routes: readonly Route[] = [
  defineRoute({
    id: 'api_keys.create',
    method: 'POST',
    path,
    summary: 'Creates a key for a membership; it is shown once',
    tag,
    access: 'owner',
    errors: [NOT_FOUND],
    body: ApiKeyCreate,
    reply: ApiKeyCreated,
    write: async (ctx, { body }) => {
      const { id, apiKey } = await createKey(ctx, body);
      return { id, api_key: apiKey };
    },
  }),
  defineRoute({
    id: 'api_keys.list',
    method: 'GET',
    path,
    summary: "Lists the tenant's keys, newest first, revoked ones included",
    tag,
    access: 'owner',
    reply: Type.Object({ results: Type.Array(ApiKey) }),
    handler: async (ctx) => ({ results: await listKeys(ctx.db) }),
  }),
  defineRoute({
    id: 'api_keys.revoke',
    method: 'DELETE',
    path: `${path}/{id}`,
    summary: 'Revokes a key: it is refused from now on',
    tag,
    access: 'owner',
    errors: [NOT_FOUND],
    params: Type.Object({ id: Type.String() }),
    reply: Type.Object({ id: Type.String() }),
    oneStatement: true,
    write: async (ctx, { params: { id } }) => {
      await endKey(ctx, id);
      return { id };
    },
  }),
];
