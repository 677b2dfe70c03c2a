/** The actions `addToList` and `removeFromList` of automations (docs/specification/automations.md#action-types). */
import Type, { type Static } from 'typebox';
import { type ActionContext, defineActionType } from '../../../../flows/action-type.ts';
import { getRecord, replaceRecord } from '../../../../resources/records.ts';
import { findGroupIssues, joinGroups, replaceGroups } from '../../subscriber-groups/index.ts';
import { invalidSubscriber } from '../errors.ts';
import type { StoredSubscriber } from '../locked-subscribers.ts';
import { subscribers } from '../resource.ts';
import { lockReferencedSubscriber, subscriberParams, subscriberReferenceIssues } from './target.ts';

const Params = Type.Object({
  ...subscriberParams,
  list_id: Type.String({ description: 'The id of the list.' }),
});
type Params = Static<typeof Params>;

const shared = { params: Params, check: subscriberReferenceIssues };

/** Adds a subscriber to a list. If they are a member already, no version is written. */
export const addToList = defineActionType({
  ...shared,
  key: 'addToList',
  name: 'Add to a list',
  description:
    'Adds a subscriber to a list. Other list memberships do not change. Result: `{id}` of the subscriber.',
  write: async (ctx, params) => {
    const { id, active } = await lockTargets(ctx, params);
    const groups = { lists: [params.list_id], audiences: [] };
    const change = { subscriberId: id, groups, wasActive: active, isActive: active };
    if (await joinGroups(ctx.db, change, ctx.now)) await replaceRecord(ctx, subscribers, id, {});
    return { id };
  },
  preview: async (ctx, params) => ({ id: (await lockTargets(ctx, params)).id }),
});

/** Removes a subscriber from a list. If they are not a member, no version is written. */
export const removeFromList = defineActionType({
  ...shared,
  key: 'removeFromList',
  name: 'Remove from a list',
  description: 'Removes a subscriber from a list. Result: `{id}` of the subscriber.',
  write: async (ctx, params) => {
    const { id, active } = await lockTargets(ctx, params);
    const { lists } = await getRecord(ctx.db, subscribers, id);
    const remaining = lists.filter((listId) => listId !== params.list_id);
    if (remaining.length === lists.length) return { id };
    const groups = { lists: remaining, audiences: [] };
    const activity = { wasActive: active, isActive: active };
    await replaceGroups(ctx.db, { subscriberId: id, groups, replaces: ['lists'], ...activity }, ctx.now);
    await replaceRecord(ctx, subscribers, id, {});
    return { id };
  },
  preview: async (ctx, params) => ({ id: (await lockTargets(ctx, params)).id }),
});

/**
 * Locks the subscriber and the list until the transaction ends. @throws AppError NOT_FOUND, INVALID_SUBSCRIBER for the
 * list.
 */
async function lockTargets(
  { db }: ActionContext,
  { list_id: listId, ...target }: Params,
): Promise<StoredSubscriber> {
  const subscriber = await lockReferencedSubscriber(db, target);
  const groups = { lists: [listId], audiences: [] };
  const issues = await findGroupIssues(db, groups, { lists: [], audiences: [] });
  if (issues.length > 0)
    throw invalidSubscriber(issues.map(({ message }) => ({ field: 'list_id', message })));
  return subscriber;
}
