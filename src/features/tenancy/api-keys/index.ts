import type { Feature } from '../../feature.ts';
import { reference } from './reference.ts';
import { routes } from './routes.ts';

export { createKeyByOperator, issueKey } from './service.ts';

/** API keys, managed by the tenant's owners. */
export const apiKeys: Feature = { name: 'api-keys', reference, routes };
