/** Reads assets for mail attachments (docs/specification/transmissions.md#content). */
import { buffer } from 'node:stream/consumers';
import { compileParameterCheck } from '../../http/validation.ts';
import type { Platform } from '../../platform.ts';
import { parsePublicAddress } from './addresses.ts';
import { VariantQuery } from './schema.ts';
import { type FileRequest, findAsset, openFile, readAsset, sizeOfFile } from './stored-files.ts';
import { readImageRequest } from './variant.ts';

const checkQuery = compileParameterCheck(VariantQuery);

/** True if a URL has the form of a public asset address of this installation. The asset need not exist. */
export function isPublicAddress(platform: Pick<Platform, 'publicUrl'>, url: string): boolean {
  return parsePublicAddress(platform, url) !== null;
}

/**
 * Finds the file at a public asset address, of any tenant, in the requested size and format; null if there is none.
 * @throws AppError INVALID_REQUEST for an unknown size or format.
 */
export async function findPublicFile(platform: Platform, url: string): Promise<FileRequest | null> {
  const address = parsePublicAddress(platform, url);
  const asset = address && (await findAsset(platform, address.id));
  return asset && { asset, image: readImageRequest(asset, checkQuery(address.query)) };
}

/** Finds the original file of a tenant's asset; null if the asset does not exist. */
export async function findAssetFile(
  platform: Platform,
  tenantId: string,
  id: string,
): Promise<FileRequest | null> {
  const asset = await readAsset(platform, tenantId, id);
  return asset && { asset, image: null };
}

/** Reads a whole file; null, without reading it, if it is larger than `maxBytes`. @throws AppError as `openFile`. */
export async function readFile(
  platform: Platform,
  file: FileRequest,
  maxBytes: number,
): Promise<Buffer | null> {
  if ((await sizeOfFile(platform, file)) > maxBytes) return null;
  const { body } = await openFile(platform, file);
  return Buffer.isBuffer(body) ? body : buffer(body);
}
