/** Counting queries (docs/specification/subscribers.md#subscriber). */
import type { MemberContext } from '../../http/context.ts';
import { listVisibleGroups } from '../subscriber-groups/index.ts';
import { countReachable } from './queries.ts';
import type { SearchBody, SearchReply } from './schema.ts';

/** Answers a query by its name. */
export async function runQuery(
  { db, platform }: MemberContext,
  { payload }: SearchBody,
): Promise<SearchReply> {
  const { activeSubscriptionTypeId: typeId = null } = payload.vars;
  const count = async (kind: 'lists' | 'audiences', ids: readonly string[]) => {
    const visible = await listVisibleGroups(db, kind, ids);
    const counted = await countReachable(platform, db, visible, typeId);
    const found = new Map(counted.map(({ group_id, subscribers }) => [group_id, subscribers]));
    return Object.fromEntries(ids.map((id) => [id, found.get(id) ?? 0]));
  };
  return payload.queryName === 'getSubscribersCountByListIds'
    ? { subscribersCountByListId: await count('lists', payload.vars.listIds) }
    : { subscribersCountByAudienceId: await count('audiences', payload.vars.audienceIds) };
}
