/**
 * What the DNS has to say about a sending domain: records to publish, and what those show that are found
 * (docs/specification/email-settings.md#sending-domains).
 */
import { getDomain } from 'tldts';
import type { AskDns } from './dns-lookups.ts';
import type { SendingDomain } from './resource.ts';
import type { CheckStatus, DnsRecord, DomainStatus } from './schema.ts';

/** What the checks show that the DNS can answer; what it did not tell is left out. */
export type Findings = Partial<
  Pick<DomainStatus, 'dkim_status' | 'spf_status' | 'cname_status' | 'mx_status' | 'dmarc_status'>
>;

/** What the records of a domain are made of. */
export type DomainFacts = Pick<SendingDomain, 'domain' | 'dkim_selector' | 'dkim_public_key'>;

/** A record to publish, and the check that looks for it. */
interface DnsCheck extends DnsRecord {
  readonly status: keyof Findings;
  /** What the records show that are found there: at least one. */
  readonly judge: (found: readonly string[]) => CheckStatus;
  /** Where to look when the name has no such record. */
  readonly elsewhere?: string | undefined;
}

/** Where bounces of mail from a domain go to: a name of its own, because the domain itself has other records. */
export function bounceName(domain: string): string {
  return `bounces.${domain}`;
}

/** The records that the checks of the domain look for; `host` is the name of this installation. */
export function dnsRecords(facts: DomainFacts, host: string): DnsRecord[] {
  return checksOf(facts, host).map(({ type, name, value, purpose }) => ({ type, name, value, purpose }));
}

/** Asks the DNS, all questions at once; `host` is the name of this installation. Never rejects. */
export async function checkDomain(askDns: AskDns, facts: DomainFacts, host: string): Promise<Findings> {
  const findings: Findings = {};
  const checks = checksOf(facts, host).map(async (check) => {
    const finding = await runCheck(askDns, check);
    if (finding !== null) findings[check.status] = finding;
  });
  await Promise.all(checks);
  return findings;
}

/**
 * The status after the checks. What the DNS did not tell stays as it was, so that a resolver that is down takes no
 * domain away. DKIM alone shows whose domain it is: its record holds a key of this tenant, the others could be
 * anybody's.
 */
export function toStatus(previous: DomainStatus, findings: Findings, isVouched: boolean): DomainStatus {
  const status = { ...previous, ...findings };
  const { dkim_status, spf_status, dmarc_status } = status;
  return {
    ...status,
    compliance_status: together([dkim_status, spf_status, dmarc_status]),
    ownership_verified: isVouched || dkim_status === 'valid',
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

function checksOf({ domain, dkim_selector, dkim_public_key }: DomainFacts, host: string): DnsCheck[] {
  const organization = getDomain(domain);
  return [
    {
      status: 'dkim_status',
      type: 'TXT',
      // RFC 6376 section 3.6.2.1.
      name: `${dkim_selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${dkim_public_key}`,
      purpose: 'DKIM: shows that the domain is yours and lets receivers check the signature of your mail.',
      judge: (found) => judgeDkim(found, dkim_public_key),
    },
    {
      status: 'spf_status',
      type: 'TXT',
      name: domain,
      value: `v=spf1 a:${host} ~all`,
      purpose:
        'SPF: lets this installation send. A domain has one such record: add the mechanism to yours, and those of your relay.',
      judge: (found) => judgeSpf(found, host),
    },
    {
      status: 'cname_status',
      type: 'CNAME',
      name: bounceName(domain),
      value: host,
      purpose: 'Bounce: mail that cannot be delivered comes back to this installation.',
      judge: (targets) => validIf(targets.every((name) => plainName(name) === plainName(host))),
    },
    {
      status: 'mx_status',
      type: 'MX',
      name: domain,
      value: `10 ${host}`,
      purpose: 'MX: a mail server that takes replies. Any will do: keep yours if the domain has one.',
      judge: (exchanges) => validIf(exchanges.some((name) => plainName(name) !== '')),
    },
    {
      status: 'dmarc_status',
      type: 'TXT',
      name: dmarcName(domain),
      value: 'v=DMARC1; p=none',
      purpose: 'DMARC: tells receivers what to do with mail that claims to be yours. Any policy will do.',
      judge: judgeDmarc,
      // The policy of the organizational domain holds for those below it (RFC 7489 section 6.6.3).
      elsewhere: organization === null || organization === domain ? undefined : dmarcName(organization),
    },
  ];
}

/** Where a domain's policy is published (RFC 7489 section 6.1). */
function dmarcName(domain: string): string {
  return `_dmarc.${domain}`;
}

/** What a check shows: `pending` when there is no such record, null when the DNS did not tell. */
async function runCheck(
  askDns: AskDns,
  { type, name, judge, elsewhere }: Pick<DnsCheck, 'type' | 'name' | 'judge' | 'elsewhere'>,
): Promise<CheckStatus | null> {
  const found = await askDns(type, name);
  if (found === null) return null;
  const status = found.length === 0 ? 'pending' : judge(found);
  if (status !== 'pending' || elsewhere === undefined) return status;
  return runCheck(askDns, { type, name: elsewhere, judge });
}

/** What is there once or not at all: several count for nothing (RFC 6376 section 3.6.2.2, RFC 7208 section 4.5). */
function judgeOnly<T>(records: readonly T[], isGood: (record: T) => boolean): CheckStatus {
  const [only, ...more] = records;
  return only === undefined ? 'pending' : validIf(more.length === 0 && isGood(only));
}

function validIf(isValid: boolean): CheckStatus {
  return isValid ? 'valid' : 'invalid';
}

function judgeDkim(records: readonly string[], publicKey: string): CheckStatus {
  const keys = records.map(readTags).filter((tags) => tags.has('p'));
  return judgeOnly(
    keys,
    (key) =>
      (key.get('v') ?? 'DKIM1') === 'DKIM1' &&
      (key.get('k') ?? 'rsa') === 'rsa' &&
      listed(key.get('h'), 'sha256') &&
      listed(key.get('s'), 'email') &&
      key.get('p')?.replaceAll(/\s/g, '') === publicKey,
  );
}

/** Whether a list of the key record allows `value`; an absent list and `*` allow everything. */
function listed(list: string | undefined, value: string): boolean {
  const values = (list ?? '*').split(':').map((entry) => entry.trim());
  return values.includes('*') || values.includes(value);
}

/** A mechanism lets this installation send (RFC 7208 section 5.3). */
function judgeSpf(records: readonly string[], host: string): CheckStatus {
  const policies = records.filter((record) => /^v=spf1( |$)/i.test(record));
  return judgeOnly(policies, (policy) => {
    const terms = policy.toLowerCase().split(' ');
    return terms.includes(`a:${host}`) || terms.includes(`+a:${host}`);
  });
}

function judgeDmarc(records: readonly string[]): CheckStatus {
  const policies = records.filter((record) => /^v=DMARC1\s*(;|$)/.test(record)).map(readTags);
  return judgeOnly(policies, (policy) => /^(none|quarantine|reject)$/i.test(policy.get('p') ?? ''));
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

function plainName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
