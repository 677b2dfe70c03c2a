/** What those who send mail need to know of sending domains. */
import { domainOf } from '../../../mail/address.ts';
import type { DkimKey } from '../../../mail/dkim.ts';
import type { Platform } from '../../../platform.ts';
import { findRecord } from '../../../resources/records.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { openDkimKey } from './dkim-key.ts';
import { bounceName } from './dns-checks.ts';
import { normalizeDomain } from './domain-name.ts';
import { type SendingDomain, type SendingDomainItem, sendingDomains } from './resource.ts';

/** The verified sending domain of a sender's address, or null. A domain does not stand for those below it. */
export async function findVerifiedDomain(db: ScopedDb, address: string): Promise<SendingDomain | null> {
  const domain = await findRecord(db, sendingDomains, normalizeDomain(domainOf(address)) ?? '');
  return domain?.status.ownership_verified === true ? domain : null;
}

/**
 * The verified sending domain whose bounce name leads here and that this envelope sender belongs to: an address at
 * the domain itself or at its bounce name (docs/specification/transmissions.md#transmission). Null when there
 * is none.
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

/** The names of the verified ones among domains. */
export function verifiedNames(domains: readonly SendingDomainItem[]): string[] {
  return domains.filter(({ status }) => status.ownership_verified).map(({ domain }) => domain);
}

/** Whether an address is on a verified one of these domains. */
export function isOnVerified(domains: readonly SendingDomainItem[], address: string): boolean {
  const name = normalizeDomain(domainOf(address));
  return name !== null && verifiedNames(domains).includes(name);
}

/**
 * The key that mail of this domain is signed with, or null when the tenant has no such domain.
 * @throws SecretBoxError when SECRET_KEY has changed since the key was made.
 */
export async function findDkimKey(platform: Platform, db: ScopedDb, name: string): Promise<DkimKey | null> {
  const found = await findRecord(db, sendingDomains, normalizeDomain(name) ?? '');
  return found && openDkimKey(platform.secrets, found);
}

/** Where bounces go to that name no domain of their own: `bounces.example.com`; null when no domain takes them. */
export function defaultBounceDomain(domains: readonly SendingDomainItem[]): string | null {
  const bouncing = domains.find((each) => each.is_default_bounce_domain);
  return bouncing ? bounceName(bouncing.domain) : null;
}

/** The domain that the tenant usually sends from: the default bounce domain, else the first verified one. */
export function usualDomain(domains: readonly SendingDomainItem[]): string | null {
  const bouncing = domains.find((each) => each.is_default_bounce_domain);
  return bouncing?.domain ?? verifiedNames(domains)[0] ?? null;
}
