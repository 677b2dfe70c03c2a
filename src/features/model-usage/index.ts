import type { Feature } from '../feature.ts';
import { routes } from './routes.ts';

/** What a change of a model touches, over models, documents and settings. */
export const modelUsage: Feature = { name: 'model-usage', routes };
