/**
 * People. They are not part of any tenant: one person may have memberships in several, found by e-mail address in
 * any letter case.
 */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import type { EveryTenantDb } from '../../db/every-tenant.ts';
import { hashPassword } from '../../secrets/passwords.ts';
import type { UserRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { MembershipCreate } from './schema.ts';

/** A person ready to be found or made inside a transaction. */
export type PreparedUser = Pick<UserRow, 'email' | 'name' | 'password_hash'>;

/**
 * Hashes the password of a new user; a user without one cannot sign in. Call it before the transaction opens: hashing is slow
 * on purpose.
 */
export async function prepareUser({
  email,
  name,
  password,
}: Pick<MembershipCreate, 'email' | 'name' | 'password'>): Promise<PreparedUser> {
  return { email, name, password_hash: password === undefined ? null : await hashPassword(password) };
}

/**
 * The id of the user with this address, made when there is none. An existing user keeps its name and password, so
 * that no tenant can take over another's account (docs/specification/tenants.md#memberships-and-grants).
 */
export async function ensureUser(tx: ScopedDb, now: Date, user: PreparedUser): Promise<string> {
  const { user_id } = await tx.query
    .insertInto('users')
    .values({ ...user, user_id: uuidv7(), created_at: now.toISOString() })
    // Locks the user there is, so that a tenant's reset cannot delete it before the membership refers to it.
    .onConflict((conflict) =>
      conflict.expression(sql`lower(email)`).doUpdateSet({ email: sql.ref('users.email') }),
    )
    .returning('user_id')
    .executeTakeFirstOrThrow();
  return user_id;
}

/** Somebody who may have memberships. */
export type Person = Omit<UserRow, 'created_at'>;

/** The person with this address. */
export async function findPerson(all: EveryTenantDb, email: string): Promise<Person | undefined> {
  return all.query
    .selectFrom('users')
    .select(['user_id', 'email', 'name', 'password_hash'])
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
}

/** The person with this id. */
export async function findPersonById(all: EveryTenantDb, userId: string): Promise<Person | undefined> {
  return all.query
    .selectFrom('users')
    .select(['user_id', 'email', 'name', 'password_hash'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** An active membership; in a suspended tenant nobody signs in by it. */
interface ActiveMembership {
  readonly tenant_id: string;
  readonly membership_id: string;
  readonly isSuspended: boolean;
}

/**
 * The active memberships of a person in all tenants, or in the one with this code.
 * @throws what the database says while it cannot be told whether these are all.
 */
export async function listActiveMemberships(all: EveryTenantDb, userId: string, tenantCode?: string) {
  const isOfTenant = tenantCode === undefined ? sql`true` : sql`t.code = ${tenantCode}`;
  const { rows, failure } = await all.gather(
    (isAskedFor) => sql<ActiveMembership>`
      select m.tenant_id, m.membership_id, t.status = 'suspended' as "isSuspended"
      from memberships m join tenants t on t.tenant_id = m.tenant_id
      where m.user_id = ${userId} and m.status = 'active' and t.status <> 'deleting' and ${isOfTenant} and ${isAskedFor('m.tenant_id')}`,
  );
  if (failure !== undefined && (rows.length === 0 || tenantCode === undefined)) throw failure;
  return rows;
}

/** All memberships of a person, active or not. @throws what the database says while it cannot be told whether these are all. */
export async function listAllMemberships(all: EveryTenantDb, userId: string) {
  const { rows, failure } = await all.gather(
    (isAskedFor) => sql<{ tenant_id: string; membership_id: string }>`
      select m.tenant_id, m.membership_id from memberships m
      where m.user_id = ${userId} and ${isAskedFor('m.tenant_id')}`,
  );
  if (failure !== undefined) throw failure;
  return rows;
}

/** Whether somebody has this address. */
export async function hasPerson(db: ScopedDb, email: string): Promise<boolean> {
  const found = await db.query
    .selectFrom('users')
    .select('user_id')
    .where(sql`lower(email)`, '=', sql`lower(${email})`)
    .executeTakeFirst();
  return found !== undefined;
}

/** The hash of a person's password; null when they have none. */
export async function getPasswordHash(db: ScopedDb, userId: string): Promise<string | null> {
  const { password_hash } = await db.query
    .selectFrom('users')
    .select('password_hash')
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return password_hash;
}

/**
 * Returns whether this is still the hash of a person's password, and keeps it from being replaced until the end of the
 * transaction.
 */
export async function holdsPasswordHash(
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
 * Replaces the hash of a person's password; any tenant of theirs will do. With `expected`, only while that is the present hash
 * (null: the person has no password). Returns true if it was replaced.
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

/** Sets the name of a person. */
export async function setPersonName(db: ScopedDb, userId: string, name: string): Promise<void> {
  await db.query.updateTable('users').set({ name }).where('user_id', '=', userId).execute();
}
