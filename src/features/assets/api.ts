/** Functions and types of assets for other areas. */
export {
  type AskedFile,
  type AssetFacts,
  findAssetFile,
  findPublicFile,
  isPublicAddress,
  listAssets,
  readFile,
  removeFiles,
  removeFilesOfTenant,
} from './index.ts';
