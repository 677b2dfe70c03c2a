import type { DnsRecord } from './schema.ts';

/** What the records of a domain are made of. */
export interface DomainFacts {
  readonly domain: string;
  readonly selector: string;
  /** DER in base64. */
  readonly publicKey: string;
  /** The name of this installation: what PUBLIC_URL has as its host. */
  readonly host: string;
}

/** Where a domain's DKIM key is published (RFC 6376 section 3.6.2.1). */
export function dkimName({ domain, selector }: Pick<DomainFacts, 'domain' | 'selector'>): string {
  return `${selector}._domainkey.${domain}`;
}

/** Where bounces of mail from a domain go to: a name of its own, because the domain itself has other records. */
export function bounceName(domain: string): string {
  return `bounces.${domain}`;
}

/** Where a domain's policy is published (RFC 7489 section 6.1). */
export function dmarcName(domain: string): string {
  return `_dmarc.${domain}`;
}

/** The mechanism that lets this installation send (RFC 7208 section 5.3). */
export function spfMechanism(host: string): string {
  return `a:${host}`;
}

/** The records that the checks of the domain look for. */
export function dnsRecords(facts: DomainFacts): DnsRecord[] {
  const { domain, host, publicKey } = facts;
  return [
    {
      type: 'TXT',
      name: dkimName(facts),
      value: `v=DKIM1; k=rsa; p=${publicKey}`,
      purpose: 'DKIM: shows that the domain is yours and lets receivers check the signature of your mail.',
    },
    {
      type: 'TXT',
      name: domain,
      value: `v=spf1 ${spfMechanism(host)} ~all`,
      purpose:
        'SPF: lets this installation send. A domain has one such record: add the mechanism to yours, and those of your relay.',
    },
    {
      type: 'CNAME',
      name: bounceName(domain),
      value: host,
      purpose: 'Bounce: mail that cannot be delivered comes back to this installation.',
    },
    {
      type: 'MX',
      name: domain,
      value: `10 ${host}`,
      purpose: 'MX: a mail server that takes replies. Any will do: keep yours if the domain has one.',
    },
    {
      type: 'TXT',
      name: dmarcName(domain),
      value: 'v=DMARC1; p=none',
      purpose: 'DMARC: tells receivers what to do with mail that claims to be yours. Any policy will do.',
    },
  ];
}
