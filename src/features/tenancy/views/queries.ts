import { sql } from 'kysely';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Lists the member's own views of a screen and, if `withShared`, those that are shared, by name. */
export function listViews(db: ScopedDb, membershipId: string, screen: string, withShared: boolean) {
  return db.query
    .selectFrom('views as v')
    .leftJoin('memberships as m', 'm.membership_id', 'v.membership_id')
    .leftJoin('users as u', 'u.user_id', 'm.user_id')
    .select(['v.id', 'v.membership_id', 'v.screen', 'v.name', 'v.query', 'v.is_shared', 'v.version'])
    .select(['v.created_at', 'v.updated_at', 'u.name as author_name'])
    .where('v.screen', '=', screen)
    .where((eb) =>
      eb.or([
        ...(withShared ? [eb('v.is_shared', '=', true)] : []),
        eb('v.membership_id', '=', membershipId),
      ]),
    )
    .orderBy(sql`lower(v.name)`)
    .orderBy('v.id')
    .execute();
}

/** Returns the number of views that a member has saved for a screen, and of those that are shared there. */
export async function countViews(
  db: ScopedDb,
  membershipId: string,
  screen: string,
): Promise<{ own: number; shared: number }> {
  return db.query
    .selectFrom('views')
    .select([
      sql<number>`count(*) filter (where membership_id = ${membershipId}::uuid)::int`.as('own'),
      sql<number>`count(*) filter (where is_shared)::int`.as('shared'),
    ])
    .where('screen', '=', screen)
    .where((eb) => eb.or([eb('is_shared', '=', true), eb('membership_id', '=', membershipId)]))
    .executeTakeFirstOrThrow();
}

/** Keeps the shared views of a member who leaves: from now on they have no author. */
export async function keepSharedViews(db: ScopedDb, membershipId: string): Promise<void> {
  await db.query
    .updateTable('views')
    .set({ membership_id: null })
    .where('membership_id', '=', membershipId)
    .where('is_shared', '=', true)
    .execute();
}
