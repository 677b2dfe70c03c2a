import { v7 as uuidv7 } from 'uuid';
import { AppError } from '../../errors/app-error.ts';
import type { RequestContext, TenantContext } from '../../http/context.ts';
import type { Platform } from '../../platform.ts';
import { type ListPage, type PageRequest, toListPage, totalOf } from '../../resources/paging.ts';
import type { Writer } from '../../resources/statements.ts';
import { getTenant } from '../../tenancy/find-tenant.ts';
import type { TenantRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { issueKey } from '../api-keys/index.ts';
import { createDefaultUnit } from '../business-units/index.ts';
import { findUsualDomain, getEmailSettings } from '../email-settings/index.ts';
import { addMember, type PreparedUser, prepareUser } from '../memberships/index.ts';
import { DUPLICATE_TENANT_CODE } from './errors.ts';
import { countTenants, insertTenant, listTenantRows } from './queries.ts';
import type { HealthCheck, TenantCreate } from './schema.ts';

/** A new tenant and the way in; `apiKey` is shown once. */
export interface CreatedTenant {
  readonly tenantId: string;
  readonly defaultUnitId: string;
  readonly ownerUserId: string;
  readonly apiKey: string;
}

/** A tenant to be made, and its owner. */
export interface PreparedTenant {
  readonly tenantId: string;
  readonly owner: PreparedUser;
}

/** Hashes the owner's password. */
export async function prepareTenant(body: TenantCreate): Promise<PreparedTenant> {
  return { tenantId: uuidv7(), owner: await prepareUser(body.owner) };
}

/**
 * Creates a tenant with its Default unit, an owner and the owner's first key; `db` is a transaction of that tenant. An
 * owner who is a user already joins with the password it has (decisions section 3).
 * @throws AppError DUPLICATE_TENANT_CODE.
 */
export async function createTenant(
  { db, now, platform }: Pick<RequestContext, 'now' | 'platform'> & TenantContext,
  { code, name, brand_settings }: TenantCreate,
  { tenantId, owner: user }: PreparedTenant,
): Promise<CreatedTenant> {
  const brandSettings = { logo_url: '', primary_color: '', ...brand_settings };
  const isNew = await insertTenant(db, now, { code, name, brandSettings });
  if (!isNew) throw new AppError(DUPLICATE_TENANT_CODE);
  const operator: Writer = { actor: { kind: 'operator' }, db, now };
  const defaultUnitId = await createDefaultUnit(operator);
  const owner = await addMember(operator, { user, isTenantAdmin: true, grants: [] });
  const { apiKey } = await issueKey(db, now, owner.membershipId, 'First key');
  db.afterCommit(() => platform.observe({ event: 'tenant.created', tenantId, code }));
  return { tenantId, defaultUnitId, ownerUserId: owner.userId, apiKey };
}

/** One page of all tenants, newest first. */
export async function listTenants(
  { database }: Platform,
  request: PageRequest,
): Promise<ListPage<Pick<TenantRow, 'tenant_id' | 'code' | 'name' | 'created_at'>>> {
  const all = database.everyTenant('operator-tenants');
  const rows = await listTenantRows(all, request);
  const total = await totalOf(request, rows.length, () => countTenants(all));
  return toListPage(rows, total, request);
}

/** The tenant and the set-up it runs in. `sendingDomain` is empty until a sending domain is verified. */
export async function checkHealth(platform: Platform, db: ScopedDb): Promise<HealthCheck> {
  const { config } = platform;
  const { tenant_id, code, name, brand_settings } = await getTenant(db);
  const { sandbox_mode } = await getEmailSettings(db);
  const sendingDomain = (await findUsualDomain(db)) ?? '';
  return {
    tenant: { tenant_id, code, name, sandbox_mode, brand_settings },
    environment: config.environment,
    config: {
      emailMarketing: {
        jobBatchSize: config.jobBatchSize,
        transmissionBatchSize: config.transmissionBatchSize,
      },
      emailProvider: { baseUrl: '', sendingDomain },
      formsService: { baseUrl: platform.publicUrl() },
    },
  };
}
