/** Questions to the DNS, bounded in time, whose failures are answers: what is not there differs from not knowing. */
import { Resolver } from 'node:dns/promises';
import type { Config } from '../../../config.ts';
import type { DnsRecord } from './schema.ts';

const TIMEOUT_MS = 1500;
const TRIES = 2;
const DEADLINE_MS = 5000;

/**
 * What the DNS says of a name: its records, none, or null when it did not answer in time. The strings of a TXT record
 * are put together; of an MX record it is the host, whose empty name stands for nobody (RFC 7505). Never rejects.
 */
export type AskDns = (type: DnsRecord['type'], name: string) => Promise<string[] | null>;

/** Answers that say that there is nothing. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA']);

const ASK: Record<DnsRecord['type'], (resolver: Resolver, name: string) => Promise<string[]>> = {
  TXT: async (resolver, name) => (await resolver.resolveTxt(name)).map((strings) => strings.join('')),
  CNAME: (resolver, name) => resolver.resolveCname(name),
  MX: async (resolver, name) => (await resolver.resolveMx(name)).map(({ exchange }) => exchange),
};

/**
 * Runs `ask` with these servers to look things up at, or the system's. Questions that are still open after `deadlineMs` end
 * as unknown.
 */
export async function withDnsLookups<T>(
  servers: Config['dnsServers'],
  ask: (askDns: AskDns) => Promise<T>,
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
    return await ask((type, name) => ASK[type](resolver, name).catch(noRecords));
  } finally {
    clearTimeout(timer);
  }
}

function noRecords(error: unknown): [] | null {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return ABSENT.has(code) ? [] : null;
}
