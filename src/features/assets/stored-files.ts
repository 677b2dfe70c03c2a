/** Stored files of assets: original files, and variants of images, which are created on first use. */
import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { isUuid } from '../../resources/keys.ts';
import { findRecord } from '../../resources/records.ts';
import type { ByteRange, OpenFile } from '../../storage/storage.ts';
import { closedTenants } from '../../tenancy/closed-tenants.ts';
import { CoalescedReads } from '../../tenancy/coalesced-reads.ts';
import { wholeTenant } from '../../tenancy/scope.ts';
import { originalOf } from './addresses.ts';
import { tenantsOfAssets } from './queries.ts';
import { assets } from './resource.ts';
import type { ImageRequest } from './variant.ts';
import { makeVariant, variantKeyOf } from './variants.ts';

/** The row of an asset. */
export type Asset = NonNullable<Awaited<ReturnType<typeof readAsset>>>;

/** A requested file: the original (`image` null), or a variant of the image. */
export interface FileRequest {
  readonly asset: Asset;
  readonly image: ImageRequest | null;
}

const assetReads = oncePerPlatform(() => new CoalescedReads<Asset | null>());

/** Reads an asset of any tenant, or null. Never cached, so that a deletion takes effect at once. */
export async function findAsset(platform: Platform, id: string): Promise<Asset | null> {
  if (!isUuid(id)) return null;
  const tenantId = await tenantsOfAssets(platform).find(id);
  if (tenantId === null || closedTenants(platform).has(tenantId)) return null;
  return assetReads(platform).find(id, () => readAsset(platform, tenantId, id));
}

/** Reads an asset of a tenant, or null. */
export function readAsset(platform: Platform, tenantId: string, id: string) {
  return findRecord(platform.scoped(wholeTenant(tenantId)), assets, id);
}

/** Returns the size of a file in bytes. @throws AppError as `openFile`. */
export async function sizeOfFile(platform: Platform, file: FileRequest): Promise<number> {
  if (file.image === null) return file.asset.size;
  const stored = await platform.storage.sizeOf(variantKeyOf(file.asset, file.image));
  if (stored !== null) return stored;
  const { size, body } = await openNewVariant(platform, file.asset, file.image);
  // An open file of a bucket occupies a connection.
  if (!Buffer.isBuffer(body)) body.destroy();
  return size;
}

/**
 * Opens a file, or a satisfiable range of it.
 * @throws AppError NOT_FOUND if the storage does not have it, such as after a restore without files; RATE_LIMITED as
 *   `makeVariant`.
 */
export async function openFile(
  platform: Platform,
  { asset, image }: FileRequest,
  range?: ByteRange,
): Promise<OpenFile> {
  const name = image === null ? originalOf(asset.tenant_id, asset.id) : variantKeyOf(asset, image);
  const found = await platform.storage.open(name, range);
  if (found !== null) return found;
  if (image !== null) return openNewVariant(platform, asset, image, range);
  platform.observe({
    event: 'background.failed',
    task: `read the file of asset ${asset.id}`,
    error: new Error('It is missing.'),
  });
  throw new AppError(NOT_FOUND);
}

async function openNewVariant(
  platform: Platform,
  asset: Asset,
  image: ImageRequest,
  range?: ByteRange,
): Promise<OpenFile> {
  const { bytes } = await makeVariant(platform, asset, image);
  if (bytes !== null) {
    const { start, end } = range ?? { start: 0, end: bytes.length - 1 };
    return { size: bytes.length, body: bytes.subarray(start, end + 1) };
  }
  const variant = await platform.storage.open(variantKeyOf(asset, image), range);
  if (variant === null) throw new AppError(NOT_FOUND);
  return variant;
}
