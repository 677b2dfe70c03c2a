/** Functions and types of assets for other areas. */
export {
  type AssetInfo,
  type FileRequest,
  findAssetFile,
  findPublicFile,
  isPublicAddress,
  listAssets,
  readFile,
  removeFiles,
  removeFilesOfTenant,
} from './index.ts';
