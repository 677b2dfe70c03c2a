import type { Feature } from '../feature.ts';
import { reference } from './reference.ts';
import { removeFiles, removeLeftDrafts, sweepFiles } from './removal.ts';
import { routes } from './routes.ts';

export { findAssetFile, findPublicFile, isPublicAddress, readFile } from './attached.ts';
export { type AssetInfo, listAssets, removeFilesOfTenant } from './queries.ts';
export { removeFiles } from './removal.ts';
export type { FileRequest } from './stored-files.ts';

/** Files and pictures that websites, mails and forms show. */
export const assets: Feature = {
  name: 'assets',
  reference,
  routes,
  jobs: [removeFiles, sweepFiles],
  start: removeLeftDrafts,
};
