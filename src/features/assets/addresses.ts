/** Addresses of assets: storage keys and public URLs. */
import type { Platform } from '../../platform.ts';

/** Path of public asset URLs below PUBLIC_URL. */
export const PUBLIC_PATH = '/assets';

/** Returns the storage folder with all files of an asset. */
export function folderOfAsset(tenantId: string, assetId: string): string {
  return `${tenantId}/${assetId}`;
}

/** Returns the storage key of the uploaded file. */
export function originalOf(tenantId: string, assetId: string): string {
  return `${folderOfAsset(tenantId, assetId)}/original`;
}

/** Returns the public URL of an asset (docs/specification/assets.md#public-address). */
export function urlOf(
  platform: Pick<Platform, 'publicUrl'>,
  { id, name }: { id: string; name: string },
): string {
  return `${platform.publicUrl()}${PUBLIC_PATH}/${id}/${encodeURIComponent(fileNameOf(name))}`;
}

/**
 * Returns a name that is safe as the last path segment: without slashes, which proxies may decode, and not only dots.
 */
export function fileNameOf(name: string): string {
  const flat = name.replaceAll(/[/\\]/g, '-');
  return /^\.*$/.test(flat) ? 'file' : flat;
}

/** A parsed public address. */
export interface PublicAddress {
  readonly id: string;
  readonly query: Readonly<Record<string, string>>;
}

/** Parses an address below PUBLIC_URL; null if it is not the public address of an asset. */
export function parsePublicAddress(
  platform: Pick<Platform, 'publicUrl'>,
  address: string,
): PublicAddress | null {
  const url = URL.parse(address);
  const base = new URL(`${platform.publicUrl()}${PUBLIC_PATH}/`);
  if (url?.origin !== base.origin || !url.pathname.startsWith(base.pathname)) return null;
  const [id = '', file = '', ...more] = url.pathname.slice(base.pathname.length).split('/');
  if (file === '' || more.length > 0) return null;
  return { id, query: Object.fromEntries(url.searchParams) };
}
