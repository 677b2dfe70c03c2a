/** Counting queries (docs/specification/subscribers.md#subscriber). */

import type { MemberContext } from '../../../http/context.ts';
import { requestDeadline, requireTime } from '../../../http/request-deadline.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { getSubscriberSettings } from '../../email-settings/api.ts';
import { listVisibleGroups } from '../subscriber-groups/index.ts';
import { invalidSubscriber } from './errors.ts';
import { countReachable } from './queries.ts';
import type { SearchBody, SearchReply } from './schema.ts';

/** Answers a query by its name. @throws AppError INVALID_SUBSCRIBER for an unknown or inactive subscription type. */
export async function runQuery(ctx: MemberContext, { payload }: SearchBody): Promise<SearchReply> {
  const { db, platform } = ctx;
  const deadline = requestDeadline(ctx);
  const { activeSubscriptionTypeId: typeId = null } = payload.vars;
  if (typeId !== null) await requireActiveType(db, typeId);
  const count = async (kind: 'lists' | 'audiences', ids: readonly string[]) => {
    const visible = await listVisibleGroups(db, kind, ids);
    requireTime(deadline);
    const counted = await countReachable(platform, db, visible, typeId);
    const found = new Map(counted.map(({ group_id, subscribers }) => [group_id, subscribers]));
    return Object.fromEntries(ids.map((id) => [id, found.get(id) ?? 0]));
  };
  return payload.queryName === 'getSubscribersCountByListIds'
    ? { subscribersCountByListId: await count('lists', payload.vars.listIds) }
    : { subscribersCountByAudienceId: await count('audiences', payload.vars.audienceIds) };
}

async function requireActiveType(db: ScopedDb, typeId: string): Promise<void> {
  const { subscription_types: types } = await getSubscriberSettings(db);
  if (types.some(({ id, active }) => id === typeId && active)) return;
  const message = 'must be the id of an active subscription type';
  throw invalidSubscriber([{ field: 'payload.vars.activeSubscriptionTypeId', message }]);
}
