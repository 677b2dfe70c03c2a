/** What the DNS says about a sending domain (decisions section 6). */
import { getDomain } from 'tldts';
import type { DnsLookups, Lookup } from './dns-lookups.ts';
import { bounceName, type DomainFacts, dkimName, dmarcName, spfMechanism } from './dns-records.ts';
import type { CheckStatus, DomainStatus } from './schema.ts';

/** What one check shows: `pending` when there is no record, `unknown` when the DNS did not tell. */
export type Finding = CheckStatus | 'unknown';

/** The checks that the DNS can answer. */
export interface Findings {
  readonly dkim_status: Finding;
  readonly spf_status: Finding;
  readonly cname_status: Finding;
  readonly mx_status: Finding;
  readonly dmarc_status: Finding;
}

/** Asks the DNS, all questions at once. Never rejects. */
export async function checkDomain(lookups: DnsLookups, facts: DomainFacts): Promise<Findings> {
  const { domain, host, publicKey } = facts;
  const [dkim, spf, cname, mx, dmarc] = await Promise.all([
    lookups.txt(dkimName(facts)),
    lookups.txt(domain),
    lookups.cname(bounceName(domain)),
    lookups.mx(domain),
    findDmarc(lookups, domain),
  ]);
  return {
    dkim_status: judge(dkim, (records) => judgeDkim(records, publicKey)),
    spf_status: judge(spf, (records) => judgeSpf(records, host)),
    cname_status: judge(cname, (targets) =>
      targets.every((name) => isSameName(name, host)) ? 'valid' : 'invalid',
    ),
    mx_status: judge(mx, (exchanges) =>
      exchanges.some((name) => plainName(name) !== '') ? 'valid' : 'invalid',
    ),
    dmarc_status: dmarc,
  };
}

/**
 * The status after the checks. What the DNS did not tell stays as it was, so that a resolver that is down takes no
 * domain away. DKIM alone shows whose domain it is: its record holds a key of this tenant, the others could be
 * anybody's.
 */
export function toStatus(previous: DomainStatus, findings: Findings, isVouched: boolean): DomainStatus {
  const kept = (name: keyof Findings): CheckStatus => {
    const finding = findings[name];
    return finding === 'unknown' ? previous[name] : finding;
  };
  const [dkim, spf, dmarc] = [kept('dkim_status'), kept('spf_status'), kept('dmarc_status')];
  return {
    ...previous,
    dkim_status: dkim,
    spf_status: spf,
    dmarc_status: dmarc,
    cname_status: kept('cname_status'),
    mx_status: kept('mx_status'),
    compliance_status: together([dkim, spf, dmarc]),
    ownership_verified: isVouched || dkim === 'valid',
  };
}

/** The status of a domain before any check, or with all of them passed because an operator vouches for it. */
export function initialStatus(isVouched: boolean): DomainStatus {
  const status = isVouched ? 'valid' : 'pending';
  return {
    dkim_status: status,
    spf_status: status,
    cname_status: status,
    mx_status: status,
    dmarc_status: status,
    compliance_status: status,
    abuse_at_status: status,
    postmaster_at_status: status,
    verification_mailbox_status: status,
    ownership_verified: isVouched,
  };
}

function judge<T>(lookup: Lookup<T>, judgeRecords: (records: readonly T[]) => CheckStatus): Finding {
  if (lookup.kind === 'found') return judgeRecords(lookup.records);
  return lookup.kind === 'absent' ? 'pending' : 'unknown';
}

/** A name with several key records is undefined (RFC 6376 section 3.6.2.2). */
function judgeDkim(records: readonly string[], publicKey: string): CheckStatus {
  const keys = records.map(readTags).filter((tags) => tags.has('p'));
  const [key] = keys;
  if (key === undefined) return 'pending';
  const isUsable =
    keys.length === 1 &&
    (key.get('v') ?? 'DKIM1') === 'DKIM1' &&
    (key.get('k') ?? 'rsa') === 'rsa' &&
    listed(key.get('h'), 'sha256') &&
    listed(key.get('s'), 'email') &&
    key.get('p')?.replaceAll(/\s/g, '') === publicKey;
  return isUsable ? 'valid' : 'invalid';
}

/** Whether a list of the key record allows `value`; an absent list and `*` allow everything. */
function listed(list: string | undefined, value: string): boolean {
  const values = (list ?? '*').split(':').map((entry) => entry.trim());
  return values.includes('*') || values.includes(value);
}

/** A domain with several SPF records has none that counts (RFC 7208 section 4.5). */
function judgeSpf(records: readonly string[], host: string): CheckStatus {
  const policies = records.filter((record) => /^v=spf1( |$)/i.test(record));
  const [policy] = policies;
  if (policy === undefined) return 'pending';
  const terms = policy.toLowerCase().split(' ');
  const mechanism = spfMechanism(host);
  const isAllowed = terms.includes(mechanism) || terms.includes(`+${mechanism}`);
  return policies.length === 1 && isAllowed ? 'valid' : 'invalid';
}

/** The policy of the domain, or else of the organizational domain that it belongs to (RFC 7489 section 6.6.3). */
async function findDmarc(lookups: DnsLookups, domain: string): Promise<Finding> {
  const own = judge(await lookups.txt(dmarcName(domain)), judgeDmarc);
  const parent = getDomain(domain);
  if (own !== 'pending' || parent === null || parent === domain) return own;
  return judge(await lookups.txt(dmarcName(parent)), judgeDmarc);
}

function judgeDmarc(records: readonly string[]): CheckStatus {
  const policies = records.filter((record) => /^v=DMARC1\s*(;|$)/.test(record)).map(readTags);
  const [policy] = policies;
  if (policy === undefined) return 'pending';
  const isPolicy = /^(none|quarantine|reject)$/i.test(policy.get('p') ?? '');
  return policies.length === 1 && isPolicy ? 'valid' : 'invalid';
}

/** `a=b; c=d` (RFC 6376 section 3.2). */
function readTags(record: string): ReadonlyMap<string, string> {
  const pairs = record.split(';').map((tag): [string, string] => {
    const [name = '', ...value] = tag.split('=');
    return [name.trim(), value.join('=').trim()];
  });
  return new Map(pairs);
}

function together(checks: readonly CheckStatus[]): CheckStatus {
  if (checks.includes('invalid')) return 'invalid';
  return checks.includes('pending') ? 'pending' : 'valid';
}

function isSameName(a: string, b: string): boolean {
  return plainName(a) === plainName(b);
}

function plainName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
