/**
 * People. They are not part of any tenant: one person may have memberships in several, found by e-mail address in
 * any letter case.
 */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { generatePassword, hashPassword } from '../../secrets/passwords.ts';
import type { UserRow } from '../../tenancy/identity-tables.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type { MembershipCreate } from './schema.ts';

/** A person ready to be found or made inside a transaction. */
export type PreparedUser = Pick<UserRow, 'email' | 'name' | 'password_hash'>;

/**
 * Hashes the password of someone who is new; without one nobody can log in as that user. Call it before the
 * transaction opens: hashing takes long on purpose.
 */
export async function prepareUser({
  email,
  name,
  password = generatePassword(),
}: Pick<MembershipCreate, 'email' | 'name' | 'password'>): Promise<PreparedUser> {
  return { email, name, password_hash: await hashPassword(password) };
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
