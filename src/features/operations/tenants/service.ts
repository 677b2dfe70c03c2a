import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { INVALID_REQUEST } from '../../../errors/platform-errors.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { compileBodyCheck } from '../../../http/validation.ts';
import type { Platform } from '../../../platform.ts';
import { type ListQuery, toPageReply } from '../../../resources/list-queries.ts';
import { listOrdered, listViews, readWhole } from '../../../resources/lists.ts';
import { createRecord } from '../../../resources/records.ts';
import type { Writer } from '../../../resources/statements.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { defaultSendingDomain, getEmailSettings } from '../../email-settings/api.ts';
import {
  addMember,
  createDefaultUnit,
  issueKey,
  type PreparedUser,
  prepareUser,
  userExists,
} from '../../tenancy/api.ts';
import { tenantResource } from './resource.ts';
import { brandFrom, type HealthCheck, TenantCreate, type TenantCreated } from './schema.ts';

const checkTenant = compileBodyCheck(TenantCreate, INVALID_REQUEST);

/** A tenant to be created, and its owner. */
export interface PreparedTenant {
  readonly tenantId: string;
  readonly owner: PreparedUser;
}

/** Allocates the id of a new tenant, and hashes its owner's password. */
export async function prepareTenant(body: TenantCreate): Promise<PreparedTenant> {
  return { tenantId: uuidv7(), owner: await prepareUser(body.owner) };
}

/**
 * Creates a tenant with its Default unit, an owner and the owner's first key; `db` is a transaction of that tenant. An
 * owner who is already a user keeps their password (docs/specification/tenants.md#memberships-and-grants).
 * @throws AppError DUPLICATE_TENANT_CODE.
 */
export async function createTenant(
  { db, now, platform }: Pick<RequestContext, 'now' | 'platform'> & TenantContext,
  { code, name, brand_settings }: TenantCreate,
  { tenantId, owner: user }: PreparedTenant,
): Promise<Static<typeof TenantCreated>> {
  const operator: Writer = { actor: { kind: 'operator' }, db, now };
  const columns = { code, name, brand_settings: brandFrom(brand_settings), status: 'active' };
  await createRecord(operator, tenantResource, columns, { key: tenantId });
  const defaultUnitId = await createDefaultUnit(operator);
  const { membership_id, user_id } = await addMember(operator, user, { is_tenant_admin: true });
  const { api_key } = await issueKey(operator, membership_id, 'First key');
  db.afterCommit(() => platform.observe({ event: 'tenant.created', tenantId, code }));
  return {
    tenant_id: tenantId,
    code,
    default_business_unit_id: defaultUnitId,
    owner: { user_id },
    api_key,
  };
}

/** A tenant created by the command line. */
export interface CreatedTenant {
  readonly apiKey: string;
  /** True if the owner is a new user, with the password of the request. */
  readonly isOwnerNew: boolean;
}

/**
 * Creates a tenant for the command line, like `POST /admin/tenants`.
 * @throws AppError INVALID_REQUEST, DUPLICATE_TENANT_CODE.
 */
export async function createTenantByOperator(
  platform: Platform,
  { code, name, owner }: TenantCreate,
): Promise<CreatedTenant> {
  const body = { code, name, owner };
  checkTenant(body, platform.clock());
  const prepared = await prepareTenant(body);
  return platform.scoped(wholeTenant(prepared.tenantId)).transaction(async (db) => {
    const isOwnerNew = !(await userExists(db, owner.email));
    const { api_key: apiKey } = await createTenant({ platform, now: platform.clock(), db }, body, prepared);
    return { apiKey, isOwnerNew };
  });
}

/** Filter that omits tenants that are being deleted. */
const LISTED = { status: { operation: 'in', value: ['active', 'suspended'] } };

/**
 * Lists one page of all tenants, newest first by default. @throws AppError INVALID_REQUEST for unknown sorts and
 * members.
 */
export async function listTenants({ database }: Platform, request: ListQuery) {
  const db = database.everyTenant('operator-tenants');
  const { rows, ...page } = await listOrdered(db, tenantResource, { ...request, filters: LISTED }, readWhole);
  const members = ['tenant_id', 'created_at', 'name', 'code', 'status'];
  return toPageReply({ results: rows.map(tenantResource.listView), ...page }, request, members);
}

/** True if there is a tenant that is not being deleted. */
export async function hasTenants({ database }: Platform): Promise<boolean> {
  const db = database.everyTenant('operator-tenants');
  const { results } = await listViews(db, tenantResource, { page: 1, limit: 1, filters: LISTED });
  return results.length > 0;
}

/** Returns the tenant and its environment. `sendingDomain` is empty until a sending domain is verified. */
export async function checkHealth(platform: Platform, db: ScopedDb): Promise<HealthCheck> {
  const { config } = platform;
  const { tenant_id, code, name, brand_settings } = await getTenant(db);
  const { sandbox_mode, sending_domains } = await getEmailSettings(db);
  const sendingDomain = defaultSendingDomain(sending_domains) ?? '';
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
