/**
 * People. They are not part of any tenant: one person may have memberships in several, found by e-mail address in
 * any letter case.
 */
import { sql } from 'kysely';
import { v7 as uuidv7 } from 'uuid';
import { generatePassword, hashPassword } from '../../secrets/passwords.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';

/** Who shall have a membership. */
export interface Person {
  readonly email: string;
  readonly name: string;
  /** Only for someone who is new; without one nobody can log in as that user. */
  readonly password?: string;
}

/** A person ready to be found or made inside a transaction. */
export interface PreparedUser {
  readonly email: string;
  readonly name: string;
  readonly passwordHash: string;
}

/** Hashes the password. Call it before the transaction opens: hashing takes long on purpose. */
export async function prepareUser(person: Person): Promise<PreparedUser> {
  const passwordHash = await hashPassword(person.password ?? generatePassword());
  return { email: person.email, name: person.name, passwordHash };
}

/**
 * The id of the user with this address, made when there is none. An existing user keeps its name and password, so
 * that no tenant can take over another's account (decisions section 3).
 */
export async function ensureUser(tx: ScopedDb, now: Date, user: PreparedUser): Promise<string> {
  for (;;) {
    const made = await tx.query
      .insertInto('users')
      .values({
        user_id: uuidv7(),
        email: user.email,
        name: user.name,
        password_hash: user.passwordHash,
        created_at: now.toISOString(),
      })
      .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
      .returning('user_id')
      .executeTakeFirst();
    if (made) return made.user_id;
    // Locked, so that a tenant's reset cannot delete the user before the membership refers to it.
    const existing = await tx.query
      .selectFrom('users')
      .select('user_id')
      .where(sql`lower(email)`, '=', sql`lower(${user.email})`)
      .forKeyShare()
      .executeTakeFirst();
    if (existing) return existing.user_id;
  }
}
