/** Addresses of assets: storage keys and public URLs. */
import type { Platform } from '../../platform.ts';

/** The path of public addresses below PUBLIC_URL. */
export const PUBLIC_PATH = '/assets';

/** The folder in the storage that has all files of an asset. */
export function folderOfAsset(tenantId: string, assetId: string): string {
  return `${tenantId}/${assetId}`;
}

/** The name in the storage of the file that was uploaded. */
export function originalOf(tenantId: string, assetId: string): string {
  return `${folderOfAsset(tenantId, assetId)}/original`;
}

/** The public address of an asset (docs/specification/assets.md#public-address). */
export function urlOf(
  platform: Pick<Platform, 'publicUrl'>,
  { id, name }: { id: string; name: string },
): string {
  return `${platform.publicUrl()}${PUBLIC_PATH}/${id}/${encodeURIComponent(fileNameOf(name))}`;
}

/** A name as the last part of a path: neither a slash, which proxies take for a folder, nor dots alone. */
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
  const front = new URL(`${platform.publicUrl()}${PUBLIC_PATH}/`);
  if (url?.origin !== front.origin || !url.pathname.startsWith(front.pathname)) return null;
  const [id = '', file = '', ...more] = url.pathname.slice(front.pathname.length).split('/');
  if (file === '' || more.length > 0) return null;
  return { id, query: Object.fromEntries(url.searchParams) };
}
