/** Parts of a file that a request asks for (RFC 9110, section 14). */
import type { ByteRange } from '../../storage/storage.ts';

/** What of a file of `size` bytes a `Range` asks for: all of it where there is none that is understood; null when it has nothing of that. */
export function rangeOf(header: string | undefined, size: number): ByteRange | 'all' | null {
  // Several ranges may be answered by the whole: nobody asks for them but to make work.
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header?.trim() ?? '') ?? [];
  if (first === '' && last === '') return 'all';
  if (first === '')
    return Number(last) === 0 || size === 0
      ? null
      : { start: Math.max(0, size - Number(last)), end: size - 1 };
  if (last !== '' && Number(last) < Number(first)) return 'all';
  if (Number(first) >= size) return null;
  return { start: Number(first), end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

/** Whether a `Range` counts: what it continues is the file of this ETag. By a date nothing is told apart. */
export function isSameFile(ifRange: string | string[] | undefined, etag: string): boolean {
  return ifRange === undefined || ifRange === etag;
}
