import { ExtensionPoint } from '../../../extension-point.ts';
import { type FindUsage, MAX_USAGE, mentions, type UsingRecord } from '../../../resources/usage.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';

/** Finders of all records that refer to a list or an audience, one for each kind. */
export const groupUsage = new ExtensionPoint<FindUsage>();

/** Finds audiences whose filters refer to a list or an audience. */
export async function findUsingAudiences(db: ScopedDb, groupId: string): Promise<readonly UsingRecord[]> {
  const rows = await db.query
    .selectFrom('marketing_audiences')
    .select(['id', 'name'])
    .where(mentions('filters', groupId))
    .orderBy('id')
    .limit(MAX_USAGE)
    .execute();
  return rows.map(({ id, name }) => ({
    entity_type: 'marketing_audience',
    key: id,
    title: name,
    is_active: true,
  }));
}
