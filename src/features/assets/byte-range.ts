/** Range requests (RFC 9110, section 14). */
import type { ByteRange } from '../../storage/storage.ts';

/** Resolves a `Range` header for a file of `size` bytes: `all` if absent or unsupported, null if not satisfiable. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'all' | null {
  // Several ranges may be answered with the whole file; no real client needs them.
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'all';
  if (first === '')
    return Number(last) === 0 || size === 0
      ? null
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return 'all';
  if (Number(first) >= size) return null;
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** True if a `Range` applies: `If-Range` is absent or equals the ETag. Dates are not supported. */
export function isSameFile(ifRange: string | string[] | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}
