/** Where a rule leads: a path of the same domain, or the web address of any. */
import { encodeUrl, toDomain, toPath } from './source.ts';

/** The parts of a target, in the form in which they leave. */
export interface Target {
  /** Scheme and host; empty: the domain of the source. */
  readonly origin: string;
  readonly path: string;
  /** Without its question mark. */
  readonly query: string;
  /** With its hash. */
  readonly fragment: string;
}

const PARTS = /^(https?:\/\/[^/?#]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/i;
/** The same where a capture may stand at the beginning of the path: it ends the host. */
const PARTS_WITH_CAPTURES = /^(https?:\/\/[^/?#$]*)?([^?#]*)(?:\?([^#]*))?(#.*)?$/i;
/** Browsers take some of these out of addresses, and read a backslash as a slash. */
const NEVER = /[\s\p{Cc}\\]/u;

/**
 * The target that a rule writes, or null: what is neither a path that begins with one slash nor a web address. In one with
 * captures no part of the host is a capture: else a visitor would choose where the rule leads.
 */
export function readTarget(text: string, hasCaptures: boolean): Target | null {
  const parts = (hasCaptures ? PARTS_WITH_CAPTURES : PARTS).exec(text);
  if (parts === null || NEVER.test(text)) return null;
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
  // Of `https://shop-$1.example.com` only this much is not a capture.
  if (/[.-]$/.test(address) || !URL.canParse(address)) return null;
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.hostname === '') return null;
  return /^[!-~]*$/.test(address) ? address : url.origin;
}

/** The address that a target is for somebody who asks with a query. */
export function addressOf({ origin, path, query, fragment }: Target, askedQuery: string): string {
  const both = [query, askedQuery].filter((part) => part !== '').join('&');
  return `${origin}${path}${both === '' ? '' : `?${both}`}${fragment}`;
}

/**
 * A target with another path, which a visitor has a hand in: whatever it is, it stays on the target's host. Two slashes at
 * its beginning would name another one.
 */
export function withPath(target: Target, path: string): Target {
  if (target.origin === '') return { ...target, path: `/${path.replace(/^\/+/, '')}` };
  return { ...target, path: path === '' || path.startsWith('/') ? path : `/${path}` };
}

/** A target's path with more behind it; both have a slash between them. */
export function withRest(target: Target, rest: string): Target {
  return rest === '' ? target : withPath(target, `${target.path.replace(/\/$/, '')}${rest}`);
}

/** Whether a target is on another domain than the source. */
export function isExternal({ origin }: Target, domain: string): boolean {
  if (origin === '') return false;
  const { host, hostname } = new URL(origin);
  const source = toDomain(domain);
  return (/:\d*$/.test(source) ? host : hostname) !== source;
}

/** Whether a target is where the visitor is already, however they got there: it would lead round and round. */
export function leadsBack(target: Target, domain: string, askedPath: string): boolean {
  return toPath(target.path) === askedPath && !isExternal(target, domain);
}
