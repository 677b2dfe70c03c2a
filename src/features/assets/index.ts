import { searchOf } from '../../resources/record-search.ts';
import type { Feature } from '../feature.ts';
import { assetBulk } from './bulk.ts';
import { examples } from './examples.ts';
import { removeAbandonedDrafts, removeFiles, sweepFiles } from './removal.ts';
import { assets as resource } from './resource.ts';
import { routes } from './routes.ts';

export { findAssetFile, findPublicFile, isPublicAddress, readFile } from './attached.ts';
export { type AssetInfo, listAssets, removeFilesOfTenant } from './queries.ts';
export { removeFiles } from './removal.ts';
export type { FileRequest } from './stored-files.ts';

/** Files and images that websites, mails and forms show. */
export const assets: Feature = {
  name: 'assets',
  examples,
  tags: { Assets: 'Files at public URLs; images in any size and format.' },
  routes,
  bulks: [assetBulk],
  searches: [searchOf(resource, { kind: 'asset' })],
  jobs: [removeFiles, sweepFiles],
  start: removeAbandonedDrafts,
};
