import type { Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import type { MemberContext, TenantContext } from '../../../http/context.ts';
import type { Platform } from '../../../platform.ts';
import { isUuid } from '../../../resources/keys.ts';
import { createRecord, lockRecord, type WriteContext } from '../../../resources/records.ts';
import { generateApiKey } from '../../../secrets/api-keys.ts';
import { findTenantByCode } from '../../../tenancy/find-tenant.ts';
import { wholeTenant } from '../../../tenancy/scope.ts';
import { findActiveMember, membershipResource } from '../memberships/index.ts';
import { revokeKey } from './queries.ts';
import { apiKeyResource } from './resource.ts';
import type { ApiKeyCreate, ApiKeyCreated, OperatorKeyCreate } from './schema.ts';

/** Creates a key for a membership of the writer's tenant. Only this result contains the key's text. */
export async function issueKey(
  writer: WriteContext,
  membershipId: string,
  name: string,
): Promise<Static<typeof ApiKeyCreated>> {
  const { apiKey, ...stored } = generateApiKey();
  const columns = { ...stored, membership_id: membershipId, name };
  const { id } = await createRecord(writer, apiKeyResource, columns);
  return { id, api_key: apiKey };
}

/**
 * Creates a key for a membership of the tenant, by default the caller's. @throws AppError NOT_FOUND for an unknown one.
 */
export async function createKey(
  ctx: MemberContext,
  { name, membership_id = ctx.caller.membershipId }: Static<typeof ApiKeyCreate>,
): Promise<Static<typeof ApiKeyCreated>> {
  await lockRecord(ctx, membershipResource, membership_id, 'admin');
  return issueKey(ctx, membership_id, name);
}

/** Returns the id of the tenant with this code. @throws AppError NOT_FOUND. */
export async function prepareOperatorKey(
  { database }: Platform,
  code: string,
): Promise<{ tenantId: string }> {
  const tenant = await findTenantByCode(database, code);
  if (!tenant) throw new AppError(NOT_FOUND, { message: `There is no tenant ${code}.` });
  return { tenantId: tenant.tenant_id };
}

/**
 * Creates a key for the member with this address, or for the tenant's oldest owner; `db` is a transaction of the
 * tenant.
 * @throws AppError NOT_FOUND if there is no such active member.
 */
export async function createOperatorKey(
  { db, now }: TenantContext & { readonly now: Date },
  { name = 'Key of the operator', email }: Static<typeof OperatorKeyCreate>,
): Promise<Static<typeof ApiKeyCreated>> {
  const membershipId = await findActiveMember(db, email);
  if (membershipId === null)
    throw new AppError(NOT_FOUND, {
      message: `The tenant has no active ${email === undefined ? 'owner' : `member ${email}`}.`,
    });
  return issueKey({ actor: { kind: 'operator' }, db, now }, membershipId, name);
}

/** Creates a key for the command line, like the operator's call. @throws AppError NOT_FOUND. */
export async function createKeyByOperator(
  platform: Platform,
  code: string,
  body: Static<typeof OperatorKeyCreate>,
): Promise<Static<typeof ApiKeyCreated>> {
  const { tenantId } = await prepareOperatorKey(platform, code);
  return platform
    .scoped(wholeTenant(tenantId))
    .transaction((db) => createOperatorKey({ db, now: platform.clock() }, body));
}

/** Revokes a key at once; a revoked one stays unchanged. @throws AppError NOT_FOUND. */
export async function revokeApiKey(ctx: MemberContext, id: string): Promise<{ id: string }> {
  if (!isUuid(id) || !(await revokeKey(ctx.db, id, ctx.now))) throw new AppError(NOT_FOUND);
  return { id };
}
