/** Origins that may embed a form: `*`, or `https://host[:port]` as in RFC 6454. */

/** An origin for a `frame-ancestors` directive: no character may end a directive or a header. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/** Parses an entry of `allowed_origins` to an origin or `*`; null if it is not valid. */
export function parseAllowedOrigin(entry: string): string | null {
  if (entry === '*') return entry;
  if (!URL.canParse(entry)) return null;
  const url = new URL(entry);
  const isOnlyOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return isOnlyOrigin && PLAIN_ORIGIN.test(url.origin) ? url.origin : null;
}

/** Returns the distinct valid origins of `allowed_origins`. */
export function originsOf(entries: readonly string[]): string[] {
  return [...new Set(entries.map(parseAllowedOrigin).filter((origin) => origin !== null))];
}
