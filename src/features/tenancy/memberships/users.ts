/**
 * Users. They do not belong to a tenant: one user may have memberships in several, and is found by email address in
 * any letter case.
 */
import { type Selectable, sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { hashPassword } from '../../../secrets/passwords.ts';
import type { UserRow } from '../../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { MembershipCreate } from './schema.ts';

/** A user to be found or created in a transaction. */
export type PreparedUser = Pick<UserRow, 'email' | 'name' | 'password_hash'>;

/**
 * Hashes the password of a new user; a user without one cannot sign in. Call it before the transaction opens, because
 * hashing is slow.
 */
export async function prepareUser({
  email,
  name,
  password,
}: Pick<MembershipCreate, 'email' | 'name' | 'password'>): Promise<PreparedUser> {
  return { email, name, password_hash: password === undefined ? null : await hashPassword(password) };
}

/**
 * Returns the id of the user with this address, and creates a missing one. An existing user keeps its name and
 * password, so that no tenant can take over another's account (docs/specification/tenants.md#memberships-and-grants).
 */
export async function ensureUser(tx: ScopedDb, now: Date, user: PreparedUser): Promise<string> {
  const { user_id } = await tx.query
    .insertInto('users')
    .values({ ...user, user_id: uuidv7(), created_at: now.toISOString() })
    // Lock an existing user, so that a reset of a tenant cannot delete it before the membership refers to it.
    .onConflict((conflict) =>
      conflict.expression(sql`lower(email)`).doUpdateSet({ email: sql.ref('users.email') }),
    )
    .returning('user_id')
    .executeTakeFirstOrThrow();
  return user_id;
}

/** A user with credentials. */
export type User = Pick<UserRow, 'user_id' | 'email' | 'name' | 'password_hash'>;

/** Finds the user with this address. */
export async function findUserByEmail(all: EveryTenantDb, email: string): Promise<User | undefined> {
  return all.query
    .selectFrom('users')
    .select(['user_id', 'email', 'name', 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
}

/** Finds the user with this id. */
export async function findUserById(all: EveryTenantDb, userId: string): Promise<User | undefined> {
  return all.query
    .selectFrom('users')
    .select(['user_id', 'email', 'name', 'password_hash'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** A user with the settings that apply in all of their tenants. */
export type Profile = Pick<
  Selectable<UserRow>,
  'user_id' | 'email' | 'name' | 'locale' | 'time_zone' | 'preferences'
>;

/** Returns the profile of a user. */
export function getProfile(db: ScopedDb, userId: string): Promise<Profile> {
  return db.query
    .selectFrom('users')
    .select(['user_id', 'email', 'name', 'locale', 'time_zone', 'preferences'])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
}

/** A change of a profile; absent members stay unchanged. */
export type ProfileChange = Partial<Pick<Profile, 'name' | 'locale' | 'time_zone' | 'preferences'>>;

/** Changes the profile of a user. */
export async function setProfile(
  db: ScopedDb,
  userId: string,
  { preferences, ...change }: ProfileChange,
): Promise<void> {
  const columns = {
    ...change,
    ...(preferences === undefined ? {} : { preferences: JSON.stringify(preferences) }),
  };
  if (Object.keys(columns).length === 0) return;
  await db.query.updateTable('users').set(columns).where('user_id', '=', userId).execute();
}

/** An active membership. Its user cannot sign in while the tenant is suspended. */
export interface ActiveMembership {
  readonly tenant_id: string;
  readonly membership_id: string;
  readonly isSuspended: boolean;
}

/**
 * Lists the active memberships of a user in all tenants, or in the one with this code.
 * @throws the database error if some tenants cannot be read.
 */
export async function listActiveMemberships(all: EveryTenantDb, userId: string, tenantCode?: string) {
  const isOfTenant = tenantCode === undefined ? sql`true` : sql`t.code = ${tenantCode}`;
  const { rows, failure } = await all.gather(
    (inTenants) => sql<ActiveMembership>`
      select m.tenant_id, m.membership_id, t.status = 'suspended' as "isSuspended"
      from memberships m join tenants t on t.tenant_id = m.tenant_id
      where m.user_id = ${userId} and m.status = 'active' and t.status <> 'deleting' and ${isOfTenant} and ${inTenants('m.tenant_id')}`,
  );
  if (failure !== undefined && (rows.length === 0 || tenantCode === undefined)) throw failure;
  return rows;
}

/** Lists all memberships of a user, active or not. @throws the database error if some tenants cannot be read. */
export async function listAllMemberships(all: EveryTenantDb, userId: string) {
  const { rows, failure } = await all.gather(
    (inTenants) => sql<{ tenant_id: string; membership_id: string }>`
      select m.tenant_id, m.membership_id from memberships m
      where m.user_id = ${userId} and ${inTenants('m.tenant_id')}`,
  );
  if (failure !== undefined) throw failure;
  return rows;
}

/** Returns true if a user has this address. */
export async function userExists(db: ScopedDb, email: string): Promise<boolean> {
  const found = await db.query
    .selectFrom('users')
    .select('user_id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
  return found !== undefined;
}

/** Returns the hash of a user's password; null: the user has none. */
export async function getPasswordHash(db: ScopedDb, userId: string): Promise<string | null> {
  const { password_hash } = await db.query
    .selectFrom('users')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return password_hash;
}

/**
 * Returns true if the user's password still has this hash. Then the user's row is share-locked until the end of the
 * transaction, so that the password cannot change.
 */
export async function hasPasswordHash(
  tx: ScopedDb,
  userId: string,
  passwordHash: string | null,
): Promise<boolean> {
  const found = await tx.query
    .selectFrom('users')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('password_hash', 'is not distinct from', passwordHash)
    .forShare()
    .executeTakeFirst();
  return found !== undefined;
}

/**
 * Replaces the hash of a user's password; `db` may be of any tenant of the user. With `expected` (null: no password),
 * only if this is the current hash. Returns true if the hash was replaced.
 */
export async function setPasswordHash(
  db: ScopedDb,
  userId: string,
  passwordHash: string,
  expected?: string | null,
): Promise<boolean> {
  const update = db.query
    .updateTable('users')
    .set({ password_hash: passwordHash })
    .where('user_id', '=', userId)
    .$if(expected !== undefined, (query) =>
      query.where('password_hash', 'is not distinct from', expected ?? null),
    );
  return (await update.executeTakeFirst()).numUpdatedRows > 0n;
}

/** Sets the name of a user. */
export async function setUserName(db: ScopedDb, userId: string, name: string): Promise<void> {
  await db.query.updateTable('users').set({ name }).where('user_id', '=', userId).execute();
}
