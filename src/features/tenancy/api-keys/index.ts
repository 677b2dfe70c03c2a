import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { hasKey } from './queries.ts';
import { routes } from './routes.ts';

export { createKeyByOperator, issueKey } from './service.ts';

/** API keys, managed by the tenant's owners. */
export const apiKeys: Feature = {
  name: 'api-keys',
  examples,
  tags: { 'API keys': 'Keys of members, managed by owners.' },
  routes,
  overview: { setup: [{ name: 'api_keys', isDone: ({ db }) => hasKey(db) }] },
};
