import type { Static } from 'typebox';
import { v7 as uuidv7 } from 'uuid';
import { INVALID_REQUEST } from '../../../errors/platform-errors.ts';
import type { RequestContext, TenantContext } from '../../../http/context.ts';
import { compileBodyCheck } from '../../../http/validation.ts';
import type { Platform } from '../../../platform.ts';
import { listViews } from '../../../resources/lists.ts';
import type { PageRequest } from '../../../resources/paging.ts';
import { createRecord } from '../../../resources/records.ts';
import type { Writer } from '../../../resources/statements.ts';
import { getTenant } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getEmailSettings, senders } from '../../mail/api.ts';
import {
  addMember,
  createDefaultUnit,
  hasPerson,
  issueKey,
  type PreparedUser,
  prepareUser,
} from '../../tenancy/api.ts';
import { tenantResource } from './resource.ts';
import { brandFrom, type HealthCheck, TenantCreate, type TenantCreated } from './schema.ts';

const checkTenant = compileBodyCheck(TenantCreate, INVALID_REQUEST);

/** A tenant to be created, and its owner. */
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
 * owner who is a user already joins with the password it has
 * (docs/specification/tenants.md#memberships-and-grants).
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
export interface TenantMade {
  readonly apiKey: string;
  /** True if the owner is a new user, who has the given password. */
  readonly isOwnerNew: boolean;
}

/** Creates a tenant for the command line, like the operator's call. @throws AppError INVALID_REQUEST, DUPLICATE_TENANT_CODE. */
export async function createTenantByOperator(
  platform: Platform,
  { code, name, owner }: TenantCreate,
): Promise<TenantMade> {
  const body = { code, name, owner };
  checkTenant(body, platform.clock());
  const prepared = await prepareTenant(body);
  return platform.scoped(wholeTenant(prepared.tenantId)).transaction(async (db) => {
    const isOwnerNew = !(await hasPerson(db, owner.email));
    const { api_key: apiKey } = await createTenant({ platform, now: platform.clock(), db }, body, prepared);
    return { apiKey, isOwnerNew };
  });
}

/** Lists one page of all tenants, newest first. */
export function listTenants({ database }: Platform, request: PageRequest) {
  const filters = { status: { operation: 'in', value: ['active', 'suspended'] } };
  return listViews(database.everyTenant('operator-tenants'), tenantResource, { ...request, filters });
}

/** Returns the tenant and its environment. `sendingDomain` is empty until a sending domain is verified. */
export async function checkHealth(platform: Platform, db: ScopedDb): Promise<HealthCheck> {
  const { config } = platform;
  const { tenant_id, code, name, brand_settings } = await getTenant(db);
  const { sandbox_mode, sending_domains } = await getEmailSettings(db);
  const sendingDomain = senders.defaultSendingDomain(sending_domains) ?? '';
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
