import type { Feature } from '../feature.ts';
import { routes } from './routes.ts';

export { issueKey } from './issue.ts';

/** API keys, managed by the tenant's owners. */
export const apiKeys: Feature = { name: 'api-keys', routes };
