import type { Feature } from '../feature.ts';
import { documentModels } from './document-models/index.ts';
import { documents } from './documents/index.ts';
import { modelUsage } from './model-usage/index.ts';
import { previewSnapshots } from './preview-snapshots/index.ts';
import { redirects } from './redirects/index.ts';
import { siteSettings } from './site-settings/index.ts';
import { sliceModels } from './slice-models/index.ts';

export { projects } from './projects/index.ts';

/** Projects with models, documents, redirects and settings of websites. */
export const pagesFeatures: readonly Feature[] = [
  documentModels,
  sliceModels,
  documents,
  redirects,
  siteSettings,
  previewSnapshots,
  modelUsage,
];
