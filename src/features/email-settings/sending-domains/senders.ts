/** What those who send mail need to know of sending domains. */
import { domainOf } from '../../../mail/address.ts';
import type { DkimKey } from '../../../mail/dkim.ts';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { bounceName } from './dns-records.ts';
import { normalizeDomain } from './domain-name.ts';
import { findBouncingDomain, findDomain, findSealedKey, listDomains, type SendingDomain } from './queries.ts';
import { keyRecordId } from './service.ts';

/** The verified sending domain of a sender's address, or null. A domain does not stand for those below it. */
export async function findVerifiedDomain(db: ScopedDb, address: string): Promise<SendingDomain | null> {
  const name = normalizeDomain(domainOf(address));
  const domain = name === null ? undefined : await findDomain(db, name);
  return domain?.status.ownership_verified === true ? domain : null;
}

/**
 * The verified sending domain whose bounce name leads here and that this envelope sender belongs to: an address at
 * the domain itself or at its bounce name (document 1, `return_path`). Null when there is none.
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

/** The names of all verified domains. */
export async function listVerifiedDomains(db: ScopedDb): Promise<ReadonlySet<string>> {
  const domains = await listDomains(db);
  return new Set(domains.filter(({ status }) => status.ownership_verified).map(({ domain }) => domain));
}

/**
 * The key that mail of this domain is signed with, or null when the tenant has no such domain.
 * @throws SecretBoxError when SECRET_KEY has changed since the key was made.
 */
export async function findDkimKey(platform: Platform, db: ScopedDb, domain: string): Promise<DkimKey | null> {
  const name = normalizeDomain(domain);
  const sealed = name === null ? undefined : await findSealedKey(db, name);
  if (name === null || !sealed) return null;
  const privateKey = platform.secrets.open(sealed.dkim_private_key, keyRecordId(db.tenantId, name));
  return { domain: name, selector: sealed.dkim_selector, privateKey };
}

/** Where bounces go to that name no domain of their own: `bounces.example.com`; null when no domain takes them. */
export async function defaultBounceDomain(db: ScopedDb): Promise<string | null> {
  const bouncing = await findBouncingDomain(db);
  return bouncing ? bounceName(bouncing.domain) : null;
}

/** The domain that the tenant usually sends from: the default bounce domain, else the first verified one. */
export async function findUsualDomain(db: ScopedDb): Promise<string | null> {
  const bouncing = await findBouncingDomain(db);
  if (bouncing) return bouncing.domain;
  const [first] = await listVerifiedDomains(db);
  return first ?? null;
}
