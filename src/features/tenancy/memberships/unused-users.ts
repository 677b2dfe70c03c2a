/** Deletion of users without any membership, who are unreachable. */
import { sql } from 'kysely';
import Type from 'typebox';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import { defineJob } from '../../../jobs/jobs.ts';

/** Deletes a user who lost a membership, if it was the last one. */
export const deleteUnusedUser = defineJob({
  name: 'memberships.delete-lone-person',
  payload: Type.Object({ user_id: Type.String() }),
  timeoutSeconds: 120,
  run: async (platform, { user_id }) => {
    await platform.database.everyTenant('unused-users').transaction((tx) => deleteUnusedUsers(tx, [user_id]));
  },
});

/** Deletes the users of `userIds` without any membership. */
export async function deleteUnusedUsers(tx: EveryTenantDb, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return;
  // Lock the users first, so that the next statement sees memberships added concurrently by other tenants.
  await tx.raw(sql`select from users where user_id = any(${userIds}) order by user_id for update`);
  const members = await tx.query
    .selectFrom('memberships')
    .select('user_id')
    .distinct()
    .where('user_id', '=', sql<string>`any(${userIds})`)
    .execute();
  const withMembership = new Set(members.map((row) => row.user_id));
  const unused = userIds.filter((userId) => !withMembership.has(userId));
  await tx.raw(sql`delete from users where user_id = any(${unused})`);
}
