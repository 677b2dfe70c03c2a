import type { Time } from '../../../../db/tables.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';

interface InvitationRow {
  tenant_id: string;
  membership_id: string;
  digest: Buffer;
  sent_at: Time;
  expires_at: Time;
}

declare module '../../../../db/tables.ts' {
  interface Tables {
    invitations: InvitationRow;
  }
}

/** An invitation to be stored. */
export interface NewInvitation {
  readonly membershipId: string;
  readonly digest: Buffer;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** Writes or replaces the invitation of a membership; an earlier link becomes invalid. */
export async function putInvitation(
  tx: ScopedDb,
  { membershipId, digest, sentAt, expiresAt }: NewInvitation,
): Promise<void> {
  const columns = { digest, sent_at: sentAt.toISOString(), expires_at: expiresAt.toISOString() };
  await tx.query
    .insertInto('invitations')
    .values({ tenant_id: tx.tenantId, membership_id: membershipId, ...columns })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'membership_id']).doUpdateSet(columns))
    .execute();
}

/** Returns true if the invitation is not accepted; it may have expired. */
export async function isInvited(db: ScopedDb, membershipId: string): Promise<boolean> {
  const found = db.query
    .selectFrom('invitations')
    .select('membership_id')
    .where('membership_id', '=', membershipId);
  return (await found.executeTakeFirst()) !== undefined;
}

/** Finds the invitation of a membership, with the user's address. */
export function findInvitationOf(db: ScopedDb, membershipId: string) {
  return db.query
    .selectFrom('invitations as i')
    .innerJoin('memberships as m', 'm.membership_id', 'i.membership_id')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['i.digest', 'i.sent_at', 'i.expires_at', 'u.email'])
    .where('i.membership_id', '=', membershipId)
    .executeTakeFirst();
}

/** Finds the invitation with this digest, and the invited user. */
export function findInvitationBy(db: ScopedDb, digest: Buffer) {
  return db.query
    .selectFrom('invitations as i')
    .innerJoin('memberships as m', 'm.membership_id', 'i.membership_id')
    .innerJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['i.membership_id', 'i.expires_at', 'u.user_id', 'u.email', 'u.name', 'u.password_hash'])
    .where('i.digest', '=', digest)
    .executeTakeFirst();
}

/** Deletes the invitation with this digest; returns false if it was accepted, withdrawn or replaced meanwhile. */
export async function deleteInvitation(tx: ScopedDb, membershipId: string, digest: Buffer): Promise<boolean> {
  const deleted = tx.query
    .deleteFrom('invitations')
    .where('membership_id', '=', membershipId)
    .where('digest', '=', digest);
  return (await deleted.executeTakeFirst()).numDeletedRows > 0n;
}
