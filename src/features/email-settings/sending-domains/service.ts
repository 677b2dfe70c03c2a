import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext, OperatorContext, RequestContext, TenantContext } from '../../../http/context.ts';
import type { Platform } from '../../../platform.ts';
import { readsShared, requireDefaultAdmin } from '../../../resources/ownership.ts';
import { findTenantByCode } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { generateDkimKey } from './dkim-key.ts';
import { withDnsLookups } from './dns-lookups.ts';
import { type DomainFacts, dnsRecords } from './dns-records.ts';
import { checkDomain, type Findings, initialStatus, toStatus } from './domain-checks.ts';
import { normalizeDomain } from './domain-name.ts';
import {
  deleteDomainRow,
  findBouncingDomain,
  findDomain,
  insertDomain,
  listDomains,
  lockDomain,
  type NewDomain,
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

/** Makes a key for a new domain. @throws FORBIDDEN, INVALID_REQUEST, or VALIDATION_ERROR when the domain is there. */
export async function prepareDomain(ctx: MemberContext, name: string): Promise<NewDomain> {
  const { caller, db } = ctx;
  requireDefaultAdmin(caller);
  const domain = readDomain(name);
  // Asked first: a key is dear.
  if (await findDomain(db, domain)) throw ruleBroken('domain', 'is a sending domain already');
  return newDomain(ctx, db.tenantId, domain, false);
}

/** Adds a domain. @throws VALIDATION_ERROR when it is there. */
export async function createSendingDomain(
  { db, platform }: MemberContext,
  domain: NewDomain,
): Promise<SendingDomainView> {
  const created = await insertDomain(db, domain);
  if (!created) throw ruleBroken('domain', 'is a sending domain already');
  return toView(platform, created, undefined);
}

/** A domain and what the DNS says of it. */
export interface LookedUpDomain {
  readonly domain: SendingDomain;
  readonly findings: Findings;
}

/** Asks the DNS about a domain. @throws AppError FORBIDDEN or NOT_FOUND. */
export async function lookDomainUp(
  { caller, db, platform }: MemberContext,
  name: string,
): Promise<LookedUpDomain> {
  requireDefaultAdmin(caller);
  const domain = await getDomain(db, name);
  const facts = factsOf(platform, domain);
  const findings = await withDnsLookups(platform.config.dnsServers, (lookups) => checkDomain(lookups, facts));
  return { domain, findings };
}

/** Keeps what the DNS says. @throws AppError NOT_FOUND when the domain has gone meanwhile. */
export async function verifySendingDomain(
  { db, now, platform }: MemberContext,
  { domain: { domain, dkim_selector }, findings }: LookedUpDomain,
): Promise<SendingDomainView> {
  const current = await lockDomain(db, domain);
  // It may have come again with another key.
  if (current?.dkim_selector !== dkim_selector) throw new AppError(NOT_FOUND);
  const status = toStatus(current.status, findings, current.vouched);
  // The CNAME alone could be another tenant's.
  const bounces = status.ownership_verified && status.cname_status === 'valid';
  const bounces_since = bounces ? (current.bounces_since ?? now) : null;
  await updateDomain(db, domain, { status, bounces_since, vouched: current.vouched });
  return toView(platform, { ...current, status }, (await findBouncingDomain(db))?.domain);
}

/** Deletes a domain and its key. @throws AppError FORBIDDEN or NOT_FOUND. */
export async function deleteSendingDomain(ctx: MemberContext, name: string): Promise<{ domain: string }> {
  requireDefaultAdmin(ctx.caller);
  const domain = normalizeDomain(name);
  if (domain === null || !(await deleteDomainRow(ctx.db, domain))) throw new AppError(NOT_FOUND);
  return { domain };
}

/** The operator's word for a tenant's domain. */
export interface PreparedVouch {
  readonly tenantId: string;
  readonly domain: string;
  readonly verified: boolean;
  /** The domain to add; null when the tenant has it. */
  readonly added: NewDomain | null;
}

/** Makes a key when the tenant does not have the domain. @throws AppError NOT_FOUND for an unknown tenant, INVALID_REQUEST. */
export async function prepareVouch(
  ctx: OperatorContext,
  tenantCode: string,
  { domain: name, verified }: { readonly domain: string; readonly verified: boolean },
): Promise<PreparedVouch> {
  const tenant = await findTenantByCode(ctx.platform.database, tenantCode);
  if (!tenant) throw new AppError(NOT_FOUND);
  const tenantId = tenant.tenant_id;
  const domain = readDomain(name);
  const isKnown = (await findDomain(ctx.platform.scoped(wholeTenant(tenantId)), domain)) !== undefined;
  return {
    tenantId,
    domain,
    verified,
    added: isKnown ? null : await newDomain(ctx, tenantId, domain, verified),
  };
}

/** Vouches for a tenant's domain, or takes that back; the domain is added when it is not there. */
export async function vouchForDomain(
  { db, now }: OperatorContext & TenantContext,
  { domain, verified, added }: PreparedVouch,
): Promise<{ domain: string }> {
  if (added !== null && (await insertDomain(db, added))) return { domain };
  const current = await lockDomain(db, domain);
  const bounces_since = verified ? (current?.bounces_since ?? now) : null;
  await updateDomain(db, domain, { vouched: verified, status: initialStatus(verified), bounces_since });
  return { domain };
}

async function newDomain(
  { platform, now }: RequestContext,
  tenantId: string,
  domain: string,
  vouched: boolean,
): Promise<NewDomain> {
  const { selector, publicKey, privateKey } = await generateDkimKey();
  const sealedPrivateKey = platform.secrets.seal(privateKey, keyRecordId(tenantId, domain));
  const status = initialStatus(vouched);
  return { domain, now, vouched, status, selector, publicKey, sealedPrivateKey };
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
