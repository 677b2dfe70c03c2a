/** DNS queries with a deadline, which distinguish missing records from missing answers. */
import { Resolver } from 'node:dns/promises';
import type { Config } from '../../../config.ts';
import type { DnsRecord } from './schema.ts';

const TIMEOUT_MS = 1500;
const TRIES = 2;
const DEADLINE_MS = 5000;

/**
 * Queries a name. Returns its records, an empty list, or null without an answer in time. The strings of a TXT record
 * are joined. An MX record yields its host; an empty host means that the domain accepts no mail (RFC 7505). Never
 * rejects.
 */
export type QueryDns = (type: DnsRecord['type'], name: string) => Promise<string[] | null>;

/** Error codes for a missing record. */
const NO_RECORD_CODES = new Set(['ENOTFOUND', 'ENODATA']);

const QUERIES: Record<DnsRecord['type'], (resolver: Resolver, name: string) => Promise<string[]>> = {
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((strings) => strings.join('')),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  MX: async (resolver, name) => (await resolver.resolveMx(name)).map(({ exchange }) => exchange),
};

/**
 * Runs `run` with a query function for these servers, or for the system's if null. Queries without an answer after
 * `deadlineMs` resolve to null.
 */
export async function withDnsLookups<T>(
  servers: Config['dnsServers'],
  run: (queryDns: QueryDns) => Promise<T>,
  deadlineMs: number = DEADLINE_MS,
): Promise<T> {
  // A new resolver per run: a resolver caches answers, and new records should be visible at once.
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: TRIES });
  if (servers !== null)
    resolver.setServers(
      servers.map(({ host, port }) => `${host.includes(':') ? `[${host}]` : host}:${port}`),
    );
  const timer = setTimeout(() => resolver.cancel(), deadlineMs);
  try {
    return await run((type, name) => QUERIES[type](resolver, name).catch(emptyIfMissing));
  } finally {
    clearTimeout(timer);
  }
}

function emptyIfMissing(error: unknown): [] | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return NO_RECORD_CODES.has(code) ? [] : null;
}
