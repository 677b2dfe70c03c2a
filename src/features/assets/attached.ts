/** Assets as mail sends them along (docs/specification/transmissions.md#content). */
import { buffer } from 'node:stream/consumers';
import { compileParameterCheck } from '../../http/validation.ts';
import type { Platform } from '../../platform.ts';
import { parsePublicAddress } from './addresses.ts';
import { VariantQuery } from './schema.ts';
import { type AskedFile, findAsset, openFile, readAsset, sizeOfFile } from './stored-files.ts';
import { askedPicture } from './variant.ts';

const checkQuery = compileParameterCheck(VariantQuery);

/** Whether a URL is the public address of an asset here, or would be of one that is gone. */
export function isPublicAddress(platform: Pick<Platform, 'publicUrl'>, url: string): boolean {
  return parsePublicAddress(platform, url) !== null;
}

/**
 * What stands at the public address of an asset of any tenant, in the size and format that it asks for; null: nothing.
 * @throws AppError INVALID_REQUEST for a size or format that there is not.
 */
export async function findPublicFile(platform: Platform, url: string): Promise<AskedFile | null> {
  const address = parsePublicAddress(platform, url);
  const asset = address && (await findAsset(platform, address.id));
  return asset && { asset, picture: askedPicture(asset, checkQuery(address.query)) };
}

/** The upload of a tenant's asset; null when it has none of this id. */
export async function findAssetFile(
  platform: Platform,
  tenantId: string,
  id: string,
): Promise<AskedFile | null> {
  const asset = await readAsset(platform, tenantId, id);
  return asset && { asset, picture: null };
}

/** All of a file; null when it has more bytes than that, which are not read then. @throws AppError as `openFile`. */
export async function readFile(
  platform: Platform,
  file: AskedFile,
  maxBytes: number,
): Promise<Buffer | null> {
  if ((await sizeOfFile(platform, file)) > maxBytes) return null;
  const { body } = await openFile(platform, file);
  return Buffer.isBuffer(body) ? body : buffer(body);
}
