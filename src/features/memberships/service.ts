import { AppError } from '../../errors/app-error.ts';
import { NOT_FOUND, VERSION_CONFLICT } from '../../errors/platform-errors.ts';
import type { MemberContext } from '../../http/context.ts';
import { isUuid } from '../../resources/keys.ts';
import { writerOf } from '../../resources/records.ts';
import type { Writer } from '../../resources/statements.ts';
import type { MembershipRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { DUPLICATE_MEMBERSHIP, LAST_TENANT_ADMIN } from './errors.ts';
import { replaceGrants } from './grants.ts';
import { recordMembership, toMembership } from './membership-views.ts';
import {
  type GrantFacts,
  hasOtherOwner,
  insertMembership,
  listGrants,
  listMembers,
  lockMembership,
  lockOwnership,
  updateMembership,
} from './queries.ts';
import type { Membership, MembershipCreate, MembershipCreated, MembershipUpdate } from './schema.ts';
import { ensureUser, type PreparedUser } from './users.ts';

/** A membership to be made. */
export interface NewMember {
  readonly user: PreparedUser;
  readonly isTenantAdmin: boolean;
  readonly grants: readonly GrantFacts[];
}

/** The ids of a new membership. */
export interface AddedMember {
  readonly membershipId: string;
  readonly userId: string;
}

/**
 * Adds a person to the tenant of `tx`, as a new user or as the one with that address.
 * @throws AppError DUPLICATE_MEMBERSHIP, or VALIDATION_ERROR for a grant in an unknown unit.
 */
export async function addMember(writer: Writer, member: NewMember): Promise<AddedMember> {
  const { db: tx, now } = writer;
  const userId = await ensureUser(tx, now, member.user);
  const membership = await insertMembership(tx, now, { userId, isTenantAdmin: member.isTenantAdmin });
  if (membership === null) throw new AppError(DUPLICATE_MEMBERSHIP);
  await replaceGrants(writer, membership.membership_id, member.grants);
  await recordMembership(writer, membership.membership_id);
  return { membershipId: membership.membership_id, userId };
}

/** Creates a membership from a request. @throws as {@link addMember}. */
export async function createMembership(
  ctx: MemberContext,
  { is_tenant_admin: isTenantAdmin = false, grants = [] }: MembershipCreate,
  user: PreparedUser,
): Promise<MembershipCreated> {
  const { membershipId, userId } = await addMember(writerOf(ctx), { user, isTenantAdmin, grants });
  return { membership_id: membershipId, user_id: userId };
}

/** All memberships of the tenant with their grants, newest first. */
export async function listMemberships(db: ScopedDb): Promise<Membership[]> {
  const members = await listMembers(db);
  const grants = Map.groupBy(await listGrants(db), (grant) => grant.membership_id);
  return members.map((member) => toMembership(member, grants.get(member.membership_id) ?? []));
}

/**
 * Changes status, ownership or the set of grants.
 * @throws AppError NOT_FOUND, VERSION_CONFLICT, LAST_TENANT_ADMIN or VALIDATION_ERROR.
 */
export async function changeMembership(
  ctx: MemberContext,
  membershipId: string,
  body: MembershipUpdate,
): Promise<void> {
  const { db, now } = ctx;
  if (!isUuid(membershipId)) throw new AppError(NOT_FOUND);
  await lockOwnership(db);
  const membership = await lockMembership(db, membershipId);
  if (!membership) throw new AppError(NOT_FOUND);
  if (body.version !== undefined && body.version !== membership.version) throw new AppError(VERSION_CONFLICT);
  await requireOwnerRemains(db, membership, body);
  const { status = membership.status, is_tenant_admin = membership.is_tenant_admin } = body;
  await updateMembership(db, now, membership, { status, is_tenant_admin });
  if (body.grants) await replaceGrants(writerOf(ctx), membershipId, body.grants);
  await recordMembership(writerOf(ctx), membershipId);
}

async function requireOwnerRemains(
  tx: ScopedDb,
  membership: MembershipRow,
  change: MembershipUpdate,
): Promise<void> {
  const isOwner = membership.is_tenant_admin && membership.status === 'active';
  const isLost = change.status === 'inactive' || change.is_tenant_admin === false;
  if (isOwner && isLost && !(await hasOtherOwner(tx, membership.membership_id)))
    throw new AppError(LAST_TENANT_ADMIN);
}
