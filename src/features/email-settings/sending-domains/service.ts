import type { Moment } from '../../../db/tables.ts';
import { AppError } from '../../../errors/app-error.ts';
import { invalidRequest, NOT_FOUND, ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext, OperatorContext, TenantContext } from '../../../http/context.ts';
import { normalizeDomain } from '../../../mail/domain-name.ts';
import type { Platform } from '../../../platform.ts';
import { countRecords, listAllRecords } from '../../../resources/lists.ts';
import { readsShared, requireDefaultAdmin } from '../../../resources/ownership.ts';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  findRecord,
  getRecord,
  putRecord,
} from '../../../resources/records.ts';
import { findTenantByCode } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { MAX_ITEMS } from '../schema.ts';
import { createDkimKey, type StoredKey } from './dkim-key.ts';
import {
  type CheckedRecords,
  checkDomain,
  dnsRecords,
  type FoundValues,
  initialStatus,
  toStatus,
} from './dns-checks.ts';
import { withDnsLookups } from './dns-lookups.ts';
import { type SendingDomain, type SendingDomainView, sendingDomains } from './resource.ts';
import type { DomainStatus } from './schema.ts';

/** Lists all sending domains, oldest first. */
export async function listDomains(db: ScopedDb): Promise<SendingDomain[]> {
  return (await listAllRecords(db, sendingDomains, {})).reverse();
}

/** Lists all sending domains with their DNS records; empty for a caller without any unit. */
export async function listSendingDomains({
  db,
  caller,
  platform,
}: MemberContext): Promise<SendingDomainView[]> {
  const domains = readsShared(caller) ? await listDomains(db) : [];
  return domains.map((domain) => toView(platform, domain));
}

/**
 * Checks a new domain and creates its DKIM key.
 * @throws AppError FORBIDDEN, INVALID_REQUEST, or VALIDATION_ERROR when the domain exists or the limit is reached.
 */
export async function prepareDomain(
  { caller, db, platform }: MemberContext,
  name: string,
): Promise<StoredKey> {
  requireDefaultAdmin(caller);
  const domain = readDomain(name);
  // Checked first, because creating a key is expensive.
  if (await findRecord(db, sendingDomains, domain)) throw ruleBroken('domain', 'already exists');
  await requireDomainLimit(db);
  return createDkimKey(platform.secrets, db.tenantId, domain);
}

/** Creates a sending domain with its DKIM key. @throws AppError VALIDATION_ERROR when it exists. */
export async function createSendingDomain(ctx: MemberContext, dkim: StoredKey): Promise<SendingDomainView> {
  const columns = {
    ...dkim,
    vouched: false,
    status: initialStatus(false),
    bounces_since: null,
    unverified_since: null,
  };
  return toView(ctx.platform, await createRecord(ctx, sendingDomains, columns, { key: dkim.domain }));
}

/** A domain with the results of its DNS checks. */
export interface CheckedDomain extends CheckedRecords {
  readonly domain: SendingDomain;
}

/** Runs the DNS checks of a domain. @throws AppError FORBIDDEN or NOT_FOUND. */
export async function lookUpDomain(
  { caller, db, platform }: MemberContext,
  name: string,
): Promise<CheckedDomain> {
  requireDefaultAdmin(caller);
  const domain = await getRecord(db, sendingDomains, normalizeDomain(name) ?? '');
  const checked = await withDnsLookups(platform.config.dnsServers, (queryDns) =>
    checkDomain(queryDns, domain, hostOf(platform)),
  );
  return { domain, ...checked };
}

/** Stores the results of DNS checks. @throws AppError NOT_FOUND when the domain was deleted meanwhile. */
export async function verifySendingDomain(
  ctx: MemberContext,
  { domain: { domain, dkim_selector }, findings, found }: CheckedDomain,
): Promise<SendingDomainView> {
  await changeRecord(ctx, sendingDomains, domain, {}, (current) => {
    // The domain may have been created again with another key.
    if (current.dkim_selector !== dkim_selector) throw new AppError(NOT_FOUND);
    const status = toStatus(current.status, findings, current.vouched);
    // The CNAME alone may belong to another tenant.
    const bounces = status.ownership_verified && status.cname_status === 'valid';
    return {
      status,
      bounces_since: bounces ? (current.bounces_since ?? ctx.now) : null,
      unverified_since: unverifiedSince(current, status, ctx.now),
    };
  });
  // Read again: the change may affect which domain is the default bounce domain.
  return toView(ctx.platform, await getRecord(ctx.db, sendingDomains, domain), found);
}

/** Deletes a domain and its key. @throws AppError FORBIDDEN or NOT_FOUND. */
export async function deleteSendingDomain(ctx: MemberContext, name: string): Promise<{ domain: string }> {
  const { domain } = await deleteRecord(ctx, sendingDomains, normalizeDomain(name) ?? '');
  return { domain };
}

/** An operator's request to vouch for a domain or to stop that, prepared before the transaction. */
export interface PreparedVouch {
  readonly tenantId: string;
  readonly domain: string;
  readonly verified: boolean;
  /** Key of a new domain; null if the tenant has the domain already. */
  readonly dkim: StoredKey | null;
}

/**
 * Finds the tenant, and creates a DKIM key if the domain is new.
 * @throws AppError NOT_FOUND for an unknown tenant, INVALID_REQUEST, or VALIDATION_ERROR.
 */
export async function prepareVouch(
  { platform }: OperatorContext,
  tenantCode: string,
  { domain: name, verified }: { readonly domain: string; readonly verified: boolean },
): Promise<PreparedVouch> {
  const tenant = await findTenantByCode(platform.database, tenantCode);
  if (!tenant) throw new AppError(NOT_FOUND);
  const tenantId = tenant.tenant_id;
  const domain = readDomain(name);
  const db = platform.scoped(wholeTenant(tenantId));
  const existing = await findRecord(db, sendingDomains, domain);
  if (existing === null) await requireDomainLimit(db);
  return {
    tenantId,
    domain,
    verified,
    dkim: existing ? null : await createDkimKey(platform.secrets, tenantId, domain),
  };
}

/** Marks a domain as verified by the operator, or removes that mark. Creates the domain if it does not exist. */
export async function vouchForDomain(
  { db, now }: OperatorContext & TenantContext,
  { domain, verified, dkim }: PreparedVouch,
): Promise<{ domain: string }> {
  const operator = { actor: { kind: 'operator' }, db, now } as const;
  const status = initialStatus(verified);
  const vouchColumns = (current: SendingDomain | null) => ({
    vouched: verified,
    status,
    bounces_since: verified ? (current?.bounces_since ?? now) : null,
    unverified_since: current === null ? null : unverifiedSince(current, status, now),
  });
  if (dkim !== null) await putRecord(operator, sendingDomains, domain, vouchColumns(null), { initial: dkim });
  else await changeRecord(operator, sendingDomains, domain, {}, vouchColumns);
  return { domain };
}

/** Returns since when a domain is verified no longer, after a change of its status. */
function unverifiedSince(current: SendingDomain, status: DomainStatus, now: Date): Moment | null {
  if (status.ownership_verified) return null;
  return current.status.ownership_verified ? now : current.unverified_since;
}

/** Limits the number of domains, because the settings list them all. @throws AppError VALIDATION_ERROR at the limit. */
async function requireDomainLimit(db: ScopedDb): Promise<void> {
  if ((await countRecords(db, sendingDomains, {})) >= MAX_ITEMS)
    throw ruleBroken('domain', `exceeds the limit of ${MAX_ITEMS} sending domains; delete one first`);
}

function readDomain(name: string): string {
  const domain = normalizeDomain(name);
  if (domain === null) throw invalidRequest([{ field: 'domain', message: 'must be a domain name' }]);
  return domain;
}

/** Returns the host name of this installation. */
function hostOf(platform: Platform): string {
  return new URL(platform.publicUrl()).hostname;
}

function toView(platform: Platform, row: SendingDomain, found?: FoundValues): SendingDomainView {
  return { ...sendingDomains.view(row), dns_records: dnsRecords(row, hostOf(platform), found) };
}
