/** Targets of rules: a path of the same domain, or any web address. */
import { encodeUrl, toDomain, toPath } from './source.ts';

/** The parts of a target, encoded for output. */
export interface Target {
  /** Scheme and host; empty for the domain of the source. */
  readonly origin: string;
  readonly path: string;
  /** Without the question mark. */
  readonly query: string;
  /** With the hash sign. */
  readonly fragment: string;
}

const PARTS = /^(https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/i;
/** The same for a path that begins with a capture, which ends the host. */
const PARTS_WITH_CAPTURES = /^(https?:\/\/[^/?#$]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/i;
/** Browsers remove some of these from addresses and read a backslash as a slash. */
const FORBIDDEN_CHARS = /[\s\p{Cc}\\]/u;

/**
 * Parses a rule's target: a path that begins with one slash, or a web address; otherwise null. The host must not
 * contain a capture: visitors could then choose where the rule redirects to.
 */
export function readTarget(text: string, hasCaptures: boolean): Target | null {
  const parts = (hasCaptures ? PARTS_WITH_CAPTURES : PARTS).exec(text);
  if (parts === null || FORBIDDEN_CHARS.test(text)) return null;
  const [, address, path = '', query = '', fragment = ''] = parts;
  const origin = address === undefined ? '' : toOrigin(address);
  if (origin === null || !isPath(path, origin, hasCaptures)) return null;
  return { origin, path: encodeUrl(path), query: encodeUrl(query), fragment: encodeUrl(fragment) };
}

function isPath(path: string, origin: string, hasCaptures: boolean): boolean {
  if (hasCaptures && /^\$\d/.test(path)) return true;
  return origin === '' ? /^\/(?!\/)/.test(path) : path === '' || path.startsWith('/');
}

function toOrigin(address: string): string | null {
  // `https://shop-`, the part of `https://shop-$1.example.com` before the capture, is not a whole host.
  if (/[.-]$/.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return /^[!-~]*$/.test(address) ? address : url.origin;
}

/** Returns the address of a target for a request with a query. */
export function addressOf({ origin, path, query, fragment }: Target, requestQuery: string): string {
  const fullQuery = [query, requestQuery].filter((part) => part !== '').join('&');
  return `${origin}${path}${fullQuery === '' ? '' : `?${fullQuery}`}${fragment}`;
}

/**
 * Replaces the path of a target. Visitors influence the path, so it must stay on the target's host; two leading slashes
 * would name another host.
 */
export function withPath(target: Target, path: string): Target {
  if (target.origin === '') return { ...target, path: `/${path.replace(/^\/+/, '')}` };
  return { ...target, path: path === '' || path.startsWith('/') ? path : `/${path}` };
}

/** Appends to a target's path, with a slash in between. */
export function withRest(target: Target, rest: string): Target {
  return rest === '' ? target : withPath(target, `${target.path.replace(/\/$/, '')}${rest}`);
}

/** True if a target is on another domain than the source. */
export function isExternal({ origin }: Target, domain: string): boolean {
  if (origin === '') return false;
  const { host, hostname } = new URL(origin);
  const source = toDomain(domain);
  return (/:\d*$/.test(source) ? host : hostname) !== source;
}

/** True if a target is the requested address itself, which would redirect endlessly. */
export function isSelfRedirect(target: Target, domain: string, requestPath: string): boolean {
  return toPath(target.path) === requestPath && !isExternal(target, domain);
}
