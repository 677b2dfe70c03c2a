/**
 * What rules and requests are compared by: a domain and a path in one form, so that `/caf%C3%A9/` asks for what a rule
 * for `/café` means.
 */
import { domainToASCII } from 'node:url';

/** What a request asks for, in the form that rules are compared in. */
export interface Asked {
  /** Begins with a slash, and ends with one only when it is nothing else. */
  readonly path: string;
  /** True if it had a slash at its end. */
  readonly hasSlash: boolean;
  /** Without its question mark; empty: there is none. */
  readonly query: string;
}

/** Servers of websites refuse longer request lines, so no visitor has such a path. */
export const MAX_PATH_CHARS = 8192;

const PLAIN = /^[\w\-.~!$&'()*+,;=:@/]*$/;
const NOT_OF_URLS = /[^\w\-.~!$&'()*+,;=:@/?%#[\]]+/g;
/** What means the same in a path whether it is encoded or not: servers and browsers encode punctuation as they like. */
const SAME_WHEN_ENCODED = /[\w\-.~!$&'()*+,;=:@]/;

/** The path and the query that are asked for; null: longer than any that a visitor can ask for. */
export function readAsked(source: string): Asked | null {
  const [whole = ''] = source.split('#', 1);
  const end = whole.indexOf('?');
  const path = end < 0 ? whole : whole.slice(0, end);
  if (path.length > MAX_PATH_CHARS) return null;
  const hasSlash = path.length > 1 && path.endsWith('/');
  return { path: toPath(path), hasSlash, query: end < 0 ? '' : encodeUrl(whole.slice(end + 1)) };
}

/**
 * A path as rules are compared: with a slash at its beginning and none at its end, and by RFC 3986 (6.2.2): what a URL cannot
 * hold percent-encoded, what needs no encoding in a path plain, the digits of the rest in capitals.
 */
export function toPath(text: string): string {
  const begun = text.startsWith('/') ? text : `/${text}`;
  const path = begun.length > 1 && begun.endsWith('/') ? begun.slice(0, -1) : begun;
  if (PLAIN.test(path)) return path;
  return encodeUrl(path)
    .replace(/[?#[\]]|%(?![\da-f]{2})/gi, encodeURIComponent)
    .replace(/%[\da-f]{2}/gi, (octet) => {
      const character = String.fromCharCode(Number.parseInt(octet.slice(1), 16));
      return SAME_WHEN_ENCODED.test(character) ? character : octet.toUpperCase();
    });
}

/** A path as people write it in regular expressions: with letters of all scripts, and spaces. */
export function readablePath(path: string): string {
  return path.replace(/(?:%20|%[89A-F][\dA-F])+/g, (octets) => {
    try {
      return decodeURIComponent(octets);
    } catch {
      return octets;
    }
  });
}

/** Any text with what a URL cannot hold percent-encoded, so that it can stand in a header. */
export function encodeUrl(text: string): string {
  return text.replace(NOT_OF_URLS, (part) => encodeURIComponent(part.toWellFormed()));
}

/** A domain, with its port if it names one, as rules are compared: in small letters and as requests name it. */
export function toDomain(text: string): string {
  const [, host = '', port = ''] = /^(.*?)\.?(:\d*)?$/s.exec(text.toLowerCase()) ?? [];
  return `${domainToASCII(host) || host}${port}`;
}
