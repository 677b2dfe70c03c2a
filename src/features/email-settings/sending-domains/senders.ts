/** Queries of sending domains for features that send mail. */

import { domainOf } from '../../../mail/address.ts';
import type { DkimKey } from '../../../mail/dkim.ts';
import { normalizeDomain } from '../../../mail/domain-name.ts';
import type { Platform } from '../../../platform.ts';
import { findRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { openDkimKey } from './dkim-key.ts';
import { bounceName } from './dns-checks.ts';
import { type SendingDomain, type SendingDomainItem, sendingDomains } from './resource.ts';

/** Returns the verified sending domain of a sender's address, or null. A domain does not cover its subdomains. */
export async function findVerifiedDomain(db: ScopedDb, address: string): Promise<SendingDomain | null> {
  const domain = await findRecord(db, sendingDomains, normalizeDomain(domainOf(address)) ?? '');
  return domain?.status.ownership_verified === true ? domain : null;
}

/**
 * Returns the verified sending domain of an envelope sender, which is an address at the domain or its bounce domain
 * (docs/specification/transmissions.md#transmission). Null without one, or if its bounce CNAME does not point here.
 */
export async function findBounceDomain(db: ScopedDb, address: string): Promise<SendingDomain | null> {
  const name = domainOf(address);
  const domain =
    (await findVerifiedDomain(db, address)) ??
    (name.startsWith(bounceName(''))
      ? await findVerifiedDomain(db, `@${name.slice(bounceName('').length)}`)
      : null);
  return domain?.status.cname_status === 'valid' ? domain : null;
}

/** Returns the names of the verified domains. */
export function verifiedDomainNames(domains: readonly SendingDomainItem[]): string[] {
  return domains.filter(({ status }) => status.ownership_verified).map(({ domain }) => domain);
}

/** True if mail may be sent from the address: it belongs to a verified sending domain of the settings. */
export function isVerifiedSender(
  { sending_domains: domains }: { readonly sending_domains: readonly SendingDomainItem[] },
  address: string,
): boolean {
  const name = normalizeDomain(domainOf(address));
  return name !== null && verifiedDomainNames(domains).includes(name);
}

/**
 * Returns the DKIM key of a domain, or null if the tenant has no such domain.
 * @throws SecretBoxError when SECRET_KEY has changed since the key was created.
 */
export async function findDkimKey(platform: Platform, db: ScopedDb, name: string): Promise<DkimKey | null> {
  const found = await findRecord(db, sendingDomains, normalizeDomain(name) ?? '');
  return found && openDkimKey(platform.secrets, found);
}

/** Returns the default bounce domain, `bounces.example.com`; null if no domain receives bounces. */
export function defaultBounceDomain(domains: readonly SendingDomainItem[]): string | null {
  const bouncing = domains.find((each) => each.is_default_bounce_domain);
  return bouncing ? bounceName(bouncing.domain) : null;
}

/** Returns the default domain of senders: the default bounce domain, else the first verified domain. */
export function defaultSendingDomain(domains: readonly SendingDomainItem[]): string | null {
  const bouncing = domains.find((each) => each.is_default_bounce_domain);
  return bouncing?.domain ?? verifiedDomainNames(domains)[0] ?? null;
}
