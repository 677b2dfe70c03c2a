/** Normalizes domains and paths of rules and requests, so that `/caf%C3%A9/` matches a rule for `/café`. */
import { domainToASCII } from 'node:url';

/** A request in normal form. */
export interface NormalizedRequest {
  /** Begins with a slash. Ends with one only if it is `/`. */
  readonly path: string;
  /** True if the request had a trailing slash. */
  readonly hasSlash: boolean;
  /** Without the question mark; empty if there is none. */
  readonly query: string;
}

/** Web servers refuse longer request lines, so no visitor has a longer path. */
export const MAX_PATH_CHARS = 8192;

const PLAIN = /^[\w\-.~!$&'()*+,;=:@/]*$/;
const NOT_URL_CHARS = /[^\w\-.~!$&'()*+,;=:@/?%#[\]]+/g;
/**
 * Characters that mean the same in a path whether encoded or not. Servers and browsers differ in encoding punctuation.
 */
const SAME_WHEN_ENCODED = /[\w\-.~!$&'()*+,;=:@]/;

/** Parses a request into path and query; null if it is longer than any real request. */
export function normalizeRequest(source: string): NormalizedRequest | null {
  const [withoutFragment = ''] = source.split('#', 1);
  const end = withoutFragment.indexOf('?');
  const path = end < 0 ? withoutFragment : withoutFragment.slice(0, end);
  if (path.length > MAX_PATH_CHARS) return null;
  const hasSlash = path.length > 1 && path.endsWith('/');
  return { path: toPath(path), hasSlash, query: end < 0 ? '' : encodeUrl(withoutFragment.slice(end + 1)) };
}

/**
 * Normalizes a path: a leading slash, no trailing one, and percent-encoding by RFC 3986 (6.2.2). Characters that a URL
 * cannot contain are encoded, those that need no encoding are not, and hex digits are upper case.
 */
export function toPath(text: string): string {
  const absolute = text.startsWith('/') ? text : `/${text}`;
  const path = absolute.length > 1 && absolute.endsWith('/') ? absolute.slice(0, -1) : absolute;
  if (PLAIN.test(path)) return path;
  return encodeUrl(path)
    .replace(/[?#[\]]|%(?![\da-f]{2})/gi, encodeURIComponent)
    .replace(/%[\da-f]{2}/gi, (byte) => {
      const character = String.fromCharCode(Number.parseInt(byte.slice(1), 16));
      return SAME_WHEN_ENCODED.test(character) ? character : byte.toUpperCase();
    });
}

/** Returns a path as people write it in regular expressions: with letters of all scripts, and spaces. */
export function readablePath(path: string): string {
  return path.replace(/(?:%20|%[89A-F][\dA-F])+/g, (encoded) => {
    try {
      return decodeURIComponent(encoded);
    } catch {
      return encoded;
    }
  });
}

/** Percent-encodes what a URL cannot contain, so that the text fits in a header. */
export function encodeUrl(text: string): string {
  return text.replace(NOT_URL_CHARS, (part) => encodeURIComponent(part.toWellFormed()));
}

/** Normalizes a domain with an optional port: lower case and Punycode. */
export function toDomain(text: string): string {
  const [, host = '', port = ''] = /^(.*?)\.?(:\d*)?$/s.exec(text.toLowerCase()) ?? [];
  return `${domainToASCII(host) || host}${port}`;
}
