/** The functions, values and types that other areas use. */
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
