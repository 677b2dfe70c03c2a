/**
 * Address rules of outbound calls (docs/specification/webhooks.md#outbound-addresses), applied when a connection is
 * made: to every address that a host name resolves to, and to IP literals, which need no lookup. Checking only the URL
 * would not be safe, as a name may resolve differently a moment later.
 */
import { lookup as resolve } from 'node:dns';
import { isIP, type LookupFunction, Socket } from 'node:net';
import { buildConnector } from 'undici';
import { addressKind } from './addresses.ts';
import { skipContinue } from './interim-answers.ts';

/** Time limit for resolving a host name in `check`, in ms. */
const RESOLVE_TIMEOUT_MS = 1000;

/** Error: the target is not allowed. The message may be shown to the caller, because it reveals no addresses. */
export class BlockedTargetError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'BlockedTargetError';
  }
}

/** The rules for one value of `OUTBOUND_ALLOW_PRIVATE`. */
export interface TargetPolicy {
  /** Opens sockets for undici, none to a forbidden address. */
  connect: buildConnector.connector;
  /** Aborts pending connection attempts. */
  abandon(): void;
  /** Returns the fault of a URL as a target, or null, to report it when the URL is saved. Never rejects. */
  check(url: string): Promise<string | null>;
}

/** Creates the rules. `connectTimeoutMs` is the time limit of a connection attempt. */
export function createTargetPolicy(options: {
  allowPrivate: boolean;
  connectTimeoutMs: number;
}): TargetPolicy {
  const refuse = (addresses: readonly string[]) => refusalOf(addresses, options.allowPrivate);
  const guardedLookup: LookupFunction = (hostname, lookupOptions, callback) => {
    resolve(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) return callback(error, '', 0);
      const refusal = refuse(addresses.map(({ address }) => address));
      const [first] = addresses;
      if (refusal || first === undefined) return callback(refusal ?? new Error('no address'), '', 0);
      if (lookupOptions.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
  const connectAnywhere = buildConnector({ lookup: guardedLookup, timeout: options.connectTimeoutMs });
  const unfinished = new Set<Socket>();
  return {
    connect(target, callback) {
      const host = withoutBrackets(target.hostname);
      const refusal = isIP(host) === 0 ? null : refuse([host]);
      if (refusal) return callback(refusal, null);
      // undici's connector returns its socket, though its declared type does not say so.
      const socket: unknown = connectAnywhere(target, (...outcome) => {
        if (socket instanceof Socket) unfinished.delete(socket);
        const [, connected] = outcome;
        if (connected) skipContinue(connected);
        callback(...outcome);
      });
      if (socket instanceof Socket) unfinished.add(socket);
    },
    abandon() {
      for (const socket of unfinished) socket.destroy(new Error('abandoned'));
    },
    async check(url) {
      const parsed = parseTarget(url);
      if (typeof parsed === 'string') return parsed;
      const host = withoutBrackets(parsed.hostname);
      const addresses = isIP(host) === 0 ? await resolveWithin(host, RESOLVE_TIMEOUT_MS) : [host];
      return refuse(addresses)?.message ?? null;
    },
  };
}

/**
 * Parses the URL of a target, or returns its fault. The WHATWG parser converts every notation of an IPv4 address
 * (decimal, hexadecimal, octal, full-width) to the dotted one, so none evades the rules.
 */
export function parseTarget(text: string): URL | string {
  const url = URL.parse(text);
  if (url === null) return 'is not a valid URL';
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return 'must start with http:// or https://';
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  return url;
}

/**
 * Returns the fault of an address that browsers are redirected to, or null: it may be private, but never cloud
 * metadata.
 */
export function browserTargetFault(text: string): string | null {
  const target = parseTarget(text);
  if (typeof target === 'string') return target;
  const host = withoutBrackets(target.hostname);
  return isIP(host) === 0 ? null : (refusalOf([host], true)?.message ?? null);
}

/**
 * Returns an error if a host with these addresses is not allowed, or null. One forbidden address is enough, because the
 * platform cannot choose which address is connected.
 */
export function refusalOf(addresses: readonly string[], allowPrivate: boolean): BlockedTargetError | null {
  const kinds = addresses.map(addressKind);
  if (kinds.includes('metadata')) {
    return new BlockedTargetError('is blocked by policy: cloud metadata addresses are never reachable');
  }
  if (allowPrivate || !kinds.includes('special')) return null;
  return new BlockedTargetError(
    'is blocked by policy: its address is loopback, private or otherwise special (an operator can allow these with OUTBOUND_ALLOW_PRIVATE=true)',
  );
}

/** Returns the addresses of a name; none if it has none (it may exist later) or resolving takes too long. */
async function resolveWithin(hostname: string, timeoutMs: number): Promise<string[]> {
  const { promise, resolve: settle } = Promise.withResolvers<string[]>();
  const timer = setTimeout(settle, timeoutMs, []);
  resolve(hostname, { all: true }, (error, addresses) =>
    settle(error ? [] : addresses.map(({ address }) => address)),
  );
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}

function withoutBrackets(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}
