import { sql } from 'kysely';
import { MAX_USAGE, mentions, type UsingRecord } from '../../../resources/usage.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Finds forms that add their senders to a list or an audience. */
export async function findFormsOfGroup(db: ScopedDb, groupId: string): Promise<readonly UsingRecord[]> {
  const rows = await db.query
    .selectFrom('forms')
    .select(['code', 'name'])
    .select(
      sql<boolean>`active and coalesce((subscriber_mapping::jsonb->>'enabled')::boolean, false)`.as(
        'is_active',
      ),
    )
    .where(mentions('subscriber_mapping', groupId))
    .orderBy('code')
    .limit(MAX_USAGE)
    .execute();
  return rows.map(({ code, name, is_active }) => ({
    entity_type: 'form',
    key: code,
    title: name,
    is_active,
  }));
}
