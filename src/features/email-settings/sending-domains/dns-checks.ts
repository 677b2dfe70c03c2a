/**
 * DNS records of a sending domain: the records to publish, and the checks of the published records
 * (docs/specification/email-settings.md#sending-domains).
 */
import { getDomain } from 'tldts';
import type { QueryDns } from './dns-lookups.ts';
import type { SendingDomain } from './resource.ts';
import type { CheckStatus, DnsRecord, DomainStatus } from './schema.ts';

/** Results of the DNS checks; a check without an answer is missing. */
export type Findings = Partial<
  Pick<DomainStatus, 'dkim_status' | 'spf_status' | 'cname_status' | 'mx_status' | 'dmarc_status'>
>;

/** Values that the DNS checks found in the place of each record; a check without an answer is missing. */
export type FoundValues = Partial<Record<keyof Findings, string[]>>;

/** Results of the DNS checks, and the values that they found. */
export interface CheckedRecords {
  readonly findings: Findings;
  readonly found: FoundValues;
}

/** Most values that are returned for a record, and most characters of each. */
const MAX_FOUND = 10;
const MAX_FOUND_CHARACTERS = 2_000;

/** The properties of a domain that determine its records. */
export type DomainInfo = Pick<SendingDomain, 'domain' | 'dkim_selector' | 'dkim_public_key'>;

/** A record to publish, and the check that looks for it. */
interface DnsCheck extends DnsRecord {
  readonly status: keyof Findings;
  /** Checks the records found, of which there is at least one. */
  readonly evaluate: (found: readonly string[]) => CheckStatus;
  /** True for values that take the place of this record, among others of the same name. Default: all do. */
  readonly concerns?: (value: string) => boolean;
  /** Name to query if `name` has no such record. */
  readonly fallbackName?: string | undefined;
}

/** Returns the bounce domain of a domain: a subdomain, because the domain itself has other records. */
export function bounceName(domain: string): string {
  return `bounces.${domain}`;
}

/** Returns the records to publish for a domain; `host` is the host name of this installation. */
export function dnsRecords(domain: DomainInfo, host: string, found: FoundValues = {}): DnsRecord[] {
  return checksOf(domain, host).map(({ type, name, value, purpose, status }) => {
    const values = found[status];
    return { type, name, value, purpose, ...(values === undefined ? {} : { found: values }) };
  });
}

/** Runs all checks of a domain concurrently; `host` is the host name of this installation. Never rejects. */
export async function checkDomain(
  queryDns: QueryDns,
  domain: DomainInfo,
  host: string,
): Promise<CheckedRecords> {
  const findings: Findings = {};
  const found: FoundValues = {};
  const checks = checksOf(domain, host).map(async (check) => {
    const result = await runCheck(queryDns, check);
    if (result === null) return;
    findings[check.status] = result.status;
    found[check.status] = result.values
      .filter(check.concerns ?? (() => true))
      .slice(0, MAX_FOUND)
      .map((value) => value.slice(0, MAX_FOUND_CHARACTERS));
  });
  await Promise.all(checks);
  return { findings, found };
}

/**
 * Returns the status after the checks. A check without an answer keeps its status, so that a resolver failure revokes
 * no domain. Only DKIM proves ownership: its record contains this tenant's key, while anyone can publish the other
 * records.
 */
export function toStatus(previous: DomainStatus, findings: Findings, isVouched: boolean): DomainStatus {
  const status = { ...previous, ...findings };
  const { dkim_status, spf_status, dmarc_status } = status;
  return {
    ...status,
    compliance_status: combineStatus([dkim_status, spf_status, dmarc_status]),
    ownership_verified: isVouched || dkim_status === 'valid',
  };
}

/** Returns the status of an unchecked domain: all checks pending, or all valid if an operator vouches for it. */
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

function checksOf({ domain, dkim_selector, dkim_public_key }: DomainInfo, host: string): DnsCheck[] {
  const organization = getDomain(domain);
  return [
    {
      status: 'dkim_status',
      type: 'TXT',
      // RFC 6376 section 3.6.2.1.
      name: `${dkim_selector}._domainkey.${domain}`,
      value: `v=DKIM1; k=rsa; p=${dkim_public_key}`,
      purpose: "DKIM: proves that you own the domain and lets receivers verify your mail's signature.",
      evaluate: (found) => evaluateDkim(found, dkim_public_key),
    },
    {
      status: 'spf_status',
      type: 'TXT',
      name: domain,
      value: `v=spf1 a:${host} ~all`,
      purpose:
        'SPF: allows this installation to send. A domain has only one SPF record: add this mechanism to it, and those of your relay.',
      evaluate: (found) => evaluateSpf(found, host),
      concerns: isSpf,
    },
    {
      status: 'cname_status',
      type: 'CNAME',
      name: bounceName(domain),
      value: host,
      purpose: 'Bounce: returns undeliverable mail to this installation.',
      evaluate: (targets) => validIf(targets.every((name) => plainName(name) === plainName(host))),
    },
    {
      status: 'mx_status',
      type: 'MX',
      name: domain,
      value: `10 ${host}`,
      purpose: 'MX: a mail server that receives replies. Keep an existing one.',
      evaluate: (exchanges) => validIf(exchanges.some((name) => plainName(name) !== '')),
    },
    {
      status: 'dmarc_status',
      type: 'TXT',
      name: dmarcName(domain),
      value: 'v=DMARC1; p=none',
      purpose: 'DMARC: sets how receivers treat unauthenticated mail of your domain. Any policy is accepted.',
      evaluate: evaluateDmarc,
      concerns: isDmarc,
      // The policy of the organizational domain applies to its subdomains (RFC 7489 section 6.6.3).
      fallbackName: organization === null || organization === domain ? undefined : dmarcName(organization),
    },
  ];
}

/** Returns the name of a domain's DMARC record (RFC 7489 section 6.1). */
function dmarcName(domain: string): string {
  return `_dmarc.${domain}`;
}

/** The status of a check, and the values that it found. */
interface CheckResult {
  readonly status: CheckStatus;
  readonly values: readonly string[];
}

/** Runs a check: `pending` without such a record, null without an answer from the DNS. */
async function runCheck(
  queryDns: QueryDns,
  { type, name, evaluate, fallbackName }: Pick<DnsCheck, 'type' | 'name' | 'evaluate' | 'fallbackName'>,
): Promise<CheckResult | null> {
  const values = await queryDns(type, name);
  if (values === null) return null;
  const status = values.length === 0 ? 'pending' : evaluate(values);
  if (status !== 'pending' || fallbackName === undefined) return { status, values };
  return runCheck(queryDns, { type, name: fallbackName, evaluate });
}

/** Checks a record that must be unique: several are invalid (RFC 6376 section 3.6.2.2, RFC 7208 section 4.5). */
function evaluateSingle<T>(records: readonly T[], isGood: (record: T) => boolean): CheckStatus {
  const [only, ...more] = records;
  return only === undefined ? 'pending' : validIf(more.length === 0 && isGood(only));
}

function validIf(isValid: boolean): CheckStatus {
  return isValid ? 'valid' : 'invalid';
}

function evaluateDkim(records: readonly string[], publicKey: string): CheckStatus {
  const keys = records.map(readTags).filter((tags) => tags.has('p'));
  return evaluateSingle(
    keys,
    (key) =>
      (key.get('v') ?? 'DKIM1') === 'DKIM1' &&
      (key.get('k') ?? 'rsa') === 'rsa' &&
      listed(key.get('h'), 'sha256') &&
      listed(key.get('s'), 'email') &&
      key.get('p')?.replaceAll(/\s/g, '') === publicKey,
  );
}

/** True if a list of the key record allows `value`; a missing list and `*` allow everything. */
function listed(list: string | undefined, value: string): boolean {
  const values = (list ?? '*').split(':').map((entry) => entry.trim());
  return values.includes('*') || values.includes(value);
}

/** Checks for a mechanism that allows this installation to send (RFC 7208 section 5.3). */
function evaluateSpf(records: readonly string[], host: string): CheckStatus {
  const policies = records.filter(isSpf);
  return evaluateSingle(policies, (policy) => {
    const terms = policy.toLowerCase().split(' ');
    return terms.includes(`a:${host}`) || terms.includes(`+a:${host}`);
  });
}

function evaluateDmarc(records: readonly string[]): CheckStatus {
  const policies = records.filter(isDmarc).map(readTags);
  return evaluateSingle(policies, (policy) => /^(none|quarantine|reject)$/i.test(policy.get('p') ?? ''));
}

function isSpf(record: string): boolean {
  return /^v=spf1( |$)/i.test(record);
}

function isDmarc(record: string): boolean {
  return /^v=DMARC1\s*(;|$)/.test(record);
}

/** Parses a tag list, `a=b; c=d` (RFC 6376 section 3.2). */
function readTags(record: string): ReadonlyMap<string, string> {
  const pairs = record.split(';').map((tag): [string, string] => {
    const [name = '', ...value] = tag.split('=');
    return [name.trim(), value.join('=').trim()];
  });
  return new Map(pairs);
}

function combineStatus(checks: readonly CheckStatus[]): CheckStatus {
  if (checks.includes('invalid')) return 'invalid';
  return checks.includes('pending') ? 'pending' : 'valid';
}

function plainName(name: string): string {
  return name.replace(/\.$/, '').toLowerCase();
}
