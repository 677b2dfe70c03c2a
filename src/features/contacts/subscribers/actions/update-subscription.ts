/** The action `updateSubscription` of automations (docs/specification/automations.md#action-types). */
import Type, { type Static } from 'typebox';
import { type ActionContext, defineActionType } from '../../../../flows/action-type.ts';
import { buildSubscriberChange, type SubscriberChange, writeChanges } from '../changes.ts';
import { lockReferencedSubscriber, subscriberParams, subscriberReferenceIssues } from './target.ts';

const Params = Type.Object({
  ...subscriberParams,
  subscription_type_id: Type.String({ description: 'The id of the subscription type.' }),
  subscribe: Type.Boolean({ description: 'true subscribes, false unsubscribes.' }),
});
type Params = Static<typeof Params>;

/** Subscribes a subscriber to a type, or unsubscribes them. */
export const updateSubscription = defineActionType({
  key: 'updateSubscription',
  name: 'Change a subscription',
  description:
    'Subscribes a subscriber to a subscription type, or unsubscribes them. Subscribing removes a suppression that was created by unsubscribing from this type. Result: `{id}` of the subscriber.',
  params: Params,
  check: subscriberReferenceIssues,
  write: async (ctx, params) => {
    const change = await buildChange(ctx, params);
    await writeChanges(ctx, [change]);
    return { id: change.id };
  },
  preview: async (ctx, params) => ({ id: (await buildChange(ctx, params)).id }),
});

/** Builds and checks the change. @throws AppError NOT_FOUND, INVALID_SUBSCRIBER for an unknown type. */
async function buildChange(
  ctx: ActionContext,
  { subscription_type_id, subscribe, ...reference }: Params,
): Promise<SubscriberChange> {
  const subscriber = await lockReferencedSubscriber(ctx.db, reference);
  const input = {
    fields: { subscription_updates: [{ subscription_type_id, subscribe }] },
    ownerId: subscriber.owner_bu_id,
    addressKey: subscriber.address_key,
  };
  return buildSubscriberChange(ctx, input, subscriber);
}
