import type { Feature } from '../../feature.ts';
import { routes } from './routes.ts';

/** Usage of models in other models, documents and settings. */
export const modelUsage: Feature = { name: 'model-usage', routes };
