import { AppError } from '../../../errors/app-error.ts';
import { ruleBroken } from '../../../errors/platform-errors.ts';
import type { MemberContext } from '../../../http/context.ts';
import { recordVersions } from '../../../resources/history.ts';
import { listAllRecords } from '../../../resources/lists.ts';
import {
  changeRecord,
  createRecord,
  deleteRecord,
  getRecord,
  replaceRecord,
  writerOf,
} from '../../../resources/records.ts';
import type { Writer } from '../../../resources/statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { lockTenant } from '../../../tenancy/tenant-row.ts';
import { keepSharedViews } from '../views/index.ts';
import { LAST_TENANT_ADMIN } from './errors.ts';
import { replaceGrants } from './grants.ts';
import { deleteInvitation, isInvited } from './invitations/queries.ts';
import { invite } from './invitations/service.ts';
import { getMembership } from './queries.ts';
import { membershipResource } from './resource.ts';
import type { Membership, MembershipCreate, MembershipCreated, MembershipUpdate } from './schema.ts';
import { deleteUnusedUser } from './unused-users.ts';
import { ensureUser, type PreparedUser } from './users.ts';

/**
 * Adds a user to the tenant of the writer: a new user, or the existing user with this address.
 * @throws AppError DUPLICATE_MEMBERSHIP, or VALIDATION_ERROR for a grant in an unknown unit.
 */
export async function addMember(
  writer: Writer,
  user: PreparedUser,
  {
    is_tenant_admin = false,
    grants = [],
    status = 'active',
  }: Pick<MembershipCreate, 'is_tenant_admin' | 'grants'> & Partial<Pick<Membership, 'status'>>,
  beforeRecorded: (membershipId: string) => Promise<unknown> = async () => {},
): Promise<MembershipCreated> {
  await lockTenant(writer.db);
  const user_id = await ensureUser(writer.db, writer.now, user);
  const columns = { user_id, is_tenant_admin, status };
  const { membership_id } = await createRecord(writer, membershipResource, columns);
  await replaceGrants(writer, membership_id, grants);
  await beforeRecorded(membership_id);
  await recordMembership(writer, membership_id);
  return { membership_id, user_id };
}

/**
 * Adds a user at an owner's request: at once, or by an invitation that the user accepts.
 * @throws AppError as `addMember`.
 */
export async function addOrInvite(
  ctx: MemberContext,
  user: PreparedUser,
  { invite: isInvitation = false, ...body }: MembershipCreate,
): Promise<MembershipCreated> {
  if (!isInvitation) return addMember(writerOf(ctx), user, body);
  return addMember(writerOf(ctx), user, { ...body, status: 'inactive' }, (membershipId) =>
    invite(ctx, membershipId),
  );
}

/**
 * Accepts an invitation: the membership becomes active. `tx` is a transaction of its tenant. Returns false without
 * changes if the invitation was accepted, withdrawn or sent again meanwhile.
 */
export async function acceptMembership(
  tx: ScopedDb,
  now: Date,
  { membershipId, digest }: { readonly membershipId: string; readonly digest: Buffer },
): Promise<boolean> {
  const writer: Writer = { actor: { kind: 'platform' }, db: tx, now };
  await lockTenant(tx);
  if (!(await deleteInvitation(tx, membershipId, digest))) return false;
  await replaceRecord(writer, membershipResource, membershipId, { status: 'active' });
  await recordMembership(writer, membershipId);
  return true;
}

/** Returns a membership, as the list shows it. @throws AppError NOT_FOUND. */
export async function readMembership(db: ScopedDb, membershipId: string): Promise<Membership> {
  await getRecord(db, membershipResource, membershipId);
  const { version: _version, ...membership } = await getMembership(db, membershipId);
  return membership;
}

/**
 * Changes status, ownership or the set of grants.
 * @throws AppError NOT_FOUND, VERSION_CONFLICT, LAST_TENANT_ADMIN or VALIDATION_ERROR.
 */
export async function changeMembership(
  ctx: MemberContext,
  membershipId: string,
  { grants, version, ...change }: MembershipUpdate,
): Promise<{ membership_id: string }> {
  const options = version === undefined ? {} : { version };
  await lockTenant(ctx.db);
  await changeRecord(ctx, membershipResource, membershipId, options, async (current, tx) => {
    const changed = { ...current, ...change };
    if (changed.status === 'active' && current.status !== 'active' && (await isInvited(tx, membershipId)))
      throw ruleBroken('status', 'cannot be active until the user accepts the invitation');
    if (isActiveOwner(current) && !isActiveOwner(changed)) await requireOtherOwner(tx, membershipId);
    return { status: changed.status, is_tenant_admin: changed.is_tenant_admin };
  });
  if (grants) await replaceGrants(writerOf(ctx), membershipId, grants);
  await recordMembership(writerOf(ctx), membershipId);
  return { membership_id: membershipId };
}

/**
 * Removes a user from the tenant, with grants, API keys, sessions and private views, or withdraws the invitation.
 * History keeps the user's actions. With the last membership the user is deleted too.
 * @throws AppError NOT_FOUND or LAST_TENANT_ADMIN.
 */
export async function removeMember(
  ctx: MemberContext,
  membershipId: string,
): Promise<{ membership_id: string }> {
  const writer = writerOf(ctx);
  await lockTenant(ctx.db);
  const current = await getRecord(ctx.db, membershipResource, membershipId);
  if (isActiveOwner(current)) await requireOtherOwner(ctx.db, membershipId);
  await recordMembership(writer, membershipId, true);
  await replaceGrants(writer, membershipId, []);
  await keepSharedViews(ctx.db, membershipId);
  await deleteRecord(ctx, membershipResource, membershipId);
  await ctx.platform.jobs.enqueue(ctx.db, deleteUnusedUser, { user_id: current.user_id });
  return { membership_id: membershipId };
}

function isActiveOwner(membership: { readonly is_tenant_admin: boolean; readonly status: string }): boolean {
  return membership.is_tenant_admin && membership.status === 'active';
}

/**
 * Requires another active owner. The caller has locked the tenant, so that two owners cannot leave concurrently.
 * @throws AppError LAST_TENANT_ADMIN.
 */
async function requireOtherOwner(tx: ScopedDb, membershipId: string): Promise<void> {
  const filters = {
    is_tenant_admin: { operation: 'eq', value: true },
    status: { operation: 'eq', value: 'active' },
  };
  const owners = await listAllRecords(tx, membershipResource, { filters });
  if (owners.every(({ membership_id }) => membership_id === membershipId))
    throw new AppError(LAST_TENANT_ADMIN);
}

/**
 * Records the current version of a membership in history, with user and grants. `isLast`: it is about to be deleted.
 */
async function recordMembership(writer: Writer, membershipId: string, isLast = false): Promise<void> {
  // Signing in does not change the membership.
  const { version, last_seen_at: _lastSeenAt, ...data } = await getMembership(writer.db, membershipId);
  const recorded = { version, data, recordedAt: writer.now, ownerBuId: null };
  const entry = { entityType: 'tenant_membership', sortKey: membershipId, ...recorded } as const;
  await recordVersions(writer, [entry], isLast);
}
