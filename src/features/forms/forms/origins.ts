/** The origins that may embed a form: `*`, or `https://host[:port]` as RFC 6454 writes it. */

/** What a `frame-ancestors` directive can name: none of these characters ends a directive or a header. */
const PLAIN_ORIGIN = /^https?:\/\/[a-z0-9._-]+(?::\d+)?$/;

/** The origin that an entry of `allowed_origins` names, `*`, or null when it names none that a browser can be told. */
export function parseAllowedOrigin(entry: string): string | null {
  if (entry === '*') return entry;
  if (!URL.canParse(entry)) return null;
  const url = new URL(entry);
  const isOnlyOrigin = url.pathname === '/' && url.search === '' && url.hash === '' && url.username === '';
  return isOnlyOrigin && PLAIN_ORIGIN.test(url.origin) ? url.origin : null;
}

/** The origins that entries of `allowed_origins` name, each once; an entry that names none adds none. */
export function originsOf(entries: readonly string[]): string[] {
  return [...new Set(entries.map(parseAllowedOrigin).filter((origin) => origin !== null))];
}
