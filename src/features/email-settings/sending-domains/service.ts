import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import type { Platform } from '../../../platform.ts';
import { readsShared, requireDefaultAdmin } from '../../../resources/ownership.ts';
import { findTenantByCode } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { generateDkimKey } from './dkim-key.ts';
import { withDnsLookups } from './dns-lookups.ts';
import { type DomainFacts, dnsRecords } from './dns-records.ts';
import { checkDomain, initialStatus, toStatus } from './domain-checks.ts';
import { normalizeDomain } from './domain-name.ts';
import {
  deleteDomainRow,
  findBouncingDomain,
  findDomain,
  insertDomain,
  listDomains,
  lockDomain,
  type SendingDomain,
  updateDomain,
} from './queries.ts';
import type { SendingDomainItem, SendingDomainView } from './schema.ts';

/** The id under which a domain's private key is sealed. */
export function keyRecordId(tenantId: string, domain: string): string {
  return `${tenantId}/${domain}`;
}

/** All sending domains with their records; none for a caller without any unit. */
export async function listSendingDomains({
  db,
  caller,
  platform,
}: MemberContext): Promise<SendingDomainView[]> {
  if (!readsShared(caller)) return [];
  const bouncing = await findBouncingDomain(db);
  const domains = await listDomains(db);
  return domains.map((domain) => toView(platform, domain, bouncing?.domain));
}

/** The sending domains as the settings show them. */
export async function listDomainItems(db: ScopedDb): Promise<SendingDomainItem[]> {
  const bouncing = await findBouncingDomain(db);
  const domains = await listDomains(db);
  return domains.map((domain) => toItem(domain, bouncing?.domain));
}

/** Adds a domain with a key of its own. @throws FORBIDDEN, INVALID_REQUEST, or VALIDATION_ERROR when it is there. */
export async function createSendingDomain(ctx: MemberContext, name: string): Promise<SendingDomainView> {
  requireDefaultAdmin(ctx.caller);
  const domain = readDomain(name);
  // Asked first: a key is dear.
  const isKnown = (await findDomain(ctx.db, domain)) !== undefined;
  const created = isKnown ? undefined : await addDomain(ctx.platform, ctx.db, domain, ctx.now, false);
  if (!created) throw ruleBroken('domain', 'is a sending domain already');
  return toView(ctx.platform, created, undefined);
}

/**
 * Asks the DNS about the domain and keeps what it says.
 * @throws AppError FORBIDDEN or NOT_FOUND.
 */
export async function verifySendingDomain(ctx: MemberContext, name: string): Promise<SendingDomainView> {
  requireDefaultAdmin(ctx.caller);
  const { platform, db } = ctx;
  const domain = await getDomain(db, name);
  const facts = factsOf(platform, domain);
  const findings = await withDnsLookups(platform.config.dnsServers, (lookups) => checkDomain(lookups, facts));
  const verified = await db.transaction(async (tx) => {
    const current = await lockDomain(tx, domain.domain);
    // It may have gone meanwhile, or come again with another key.
    if (current?.dkim_selector !== domain.dkim_selector) throw new AppError(NOT_FOUND);
    const status = toStatus(current.status, findings, current.vouched);
    // The CNAME alone could be another tenant's.
    const bounces = status.ownership_verified && status.cname_status === 'valid';
    const bounces_since = bounces ? (current.bounces_since ?? ctx.now) : null;
    await updateDomain(tx, domain.domain, { status, bounces_since, vouched: current.vouched });
    return { ...current, status };
  });
  return toView(platform, verified, (await findBouncingDomain(db))?.domain);
}

/** Deletes a domain and its key. @throws AppError FORBIDDEN or NOT_FOUND. */
export async function deleteSendingDomain(ctx: MemberContext, name: string): Promise<{ domain: string }> {
  requireDefaultAdmin(ctx.caller);
  const domain = normalizeDomain(name);
  if (domain === null || !(await deleteDomainRow(ctx.db, domain))) throw new AppError(NOT_FOUND);
  return { domain };
}

/**
 * The operator vouches for a tenant's domain, or takes that back; the domain is added when it is not there.
 * @throws AppError NOT_FOUND for an unknown tenant, INVALID_REQUEST for what is no domain name.
 */
export async function vouchForDomain(
  platform: Platform,
  now: Date,
  tenantCode: string,
  { domain: name, verified }: { readonly domain: string; readonly verified: boolean },
): Promise<{ domain: string }> {
  const tenant = await findTenantByCode(platform.database.everyTenant, tenantCode);
  if (!tenant) throw new AppError(NOT_FOUND);
  const domain = readDomain(name);
  const db = platform.scoped(wholeTenant(tenant.tenant_id));
  const isKnown = (await findDomain(db, domain)) !== undefined;
  const created = isKnown ? undefined : await addDomain(platform, db, domain, now, verified);
  if (!created) {
    await db.transaction(async (tx) => {
      const current = await lockDomain(tx, domain);
      const bounces_since = verified ? (current?.bounces_since ?? now) : null;
      await updateDomain(tx, domain, { vouched: verified, status: initialStatus(verified), bounces_since });
    });
  }
  return { domain };
}

async function addDomain(
  platform: Platform,
  db: ScopedDb,
  domain: string,
  now: Date,
  vouched: boolean,
): Promise<SendingDomain | undefined> {
  const { selector, publicKey, privateKey } = await generateDkimKey();
  const sealedPrivateKey = platform.secrets.seal(privateKey, keyRecordId(db.tenantId, domain));
  const status = initialStatus(vouched);
  return insertDomain(db, { domain, now, vouched, status, selector, publicKey, sealedPrivateKey });
}

function readDomain(name: string): string {
  const domain = normalizeDomain(name);
  if (domain === null) throw invalidRequest([{ field: 'domain', message: 'must be a domain name' }]);
  return domain;
}

async function getDomain(db: ScopedDb, name: string): Promise<SendingDomain> {
  const domain = normalizeDomain(name);
  const found = domain === null ? undefined : await findDomain(db, domain);
  if (!found) throw new AppError(NOT_FOUND);
  return found;
}

function factsOf(platform: Platform, { domain, dkim_selector, dkim_public_key }: SendingDomain): DomainFacts {
  const host = new URL(platform.publicUrl()).hostname;
  return { domain, selector: dkim_selector, publicKey: dkim_public_key, host };
}

function toItem(row: SendingDomain, bouncing: string | undefined): SendingDomainItem {
  const { domain, created_at, status } = row;
  return { creation_time: created_at, domain, is_default_bounce_domain: domain === bouncing, status };
}

function toView(platform: Platform, row: SendingDomain, bouncing: string | undefined): SendingDomainView {
  return { ...toItem(row, bouncing), dns_records: dnsRecords(factsOf(platform, row)) };
}
