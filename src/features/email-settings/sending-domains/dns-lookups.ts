/** Questions to the DNS, bounded in time, whose failures are answers: what is not there differs from not knowing. */
import { Resolver } from 'node:dns/promises';
import type { Config } from '../../../config.ts';

const TIMEOUT_MS = 1500;
const TRIES = 2;
const DEADLINE_MS = 5000;

/** What the DNS says of a name: its records, that it has none, or nothing in time. */
export type Lookup<T> =
  | { readonly kind: 'found'; readonly records: T[] }
  | { readonly kind: 'absent' | 'unknown' };

/** The questions that the checks ask. None rejects. */
export interface DnsLookups {
  /** TXT records, the strings of each put together. */
  txt(name: string): Promise<Lookup<string>>;
  cname(name: string): Promise<Lookup<string>>;
  /** Hosts that take mail; the empty name stands for nobody (RFC 7505). */
  mx(name: string): Promise<Lookup<string>>;
}

/** Answers that say that there is nothing. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

/**
 * Runs `ask` with lookups at these servers, or the system's. Questions that are still open after `deadlineMs` end
 * as unknown.
 */
export async function withDnsLookups<T>(
  servers: Config['dnsServers'],
  ask: (lookups: DnsLookups) => Promise<T>,
  deadlineMs: number = DEADLINE_MS,
): Promise<T> {
  // One per run: a resolver remembers answers, and who has just published a record wants to see it.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== null)
    resolver.setServers(
      servers.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    );
  const timer = setTimeout(() => resolver.cancel(), deadlineMs);
  try {
    return await ask({
      txt: (name) => settle(resolver.resolveTxt(name), (strings) => strings.join('')),
      cname: (name) => settle(resolver.resolveCname(name), (target) => target),
      mx: (name) => settle(resolver.resolveMx(name), ({ exchange }) => exchange),
    });
  } finally {
    clearTimeout(timer);
  }
}

async function settle<R, T>(answer: Promise<R[]>, read: (record: R) => T): Promise<Lookup<T>> {
  try {
    const records = await answer;
    return records.length === 0 ? { kind: 'absent' } : { kind: 'found', records: records.map(read) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return { kind: ABSENT.has(code) ? 'absent' : 'unknown' };
  }
}
