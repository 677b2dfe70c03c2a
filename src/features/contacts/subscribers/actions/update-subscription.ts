/** The action `updateSubscription` of automations (docs/specification/automations.md#action-types). */
import Type, { type Static } from 'typebox';
import { type ActionContext, defineActionType } from '../../../../flows/action-type.ts';
import { readChange, type SubscriberChange, writeChanges } from '../changes.ts';
import { lockReferencedSubscriber, personParams, subscriberReferenceIssues } from './target.ts';

const Params = Type.Object({
  ...personParams,
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
    const change = await toChoice(ctx, params);
    await writeChanges(ctx, [change]);
    return { id: change.id };
  },
  preview: async (ctx, params) => ({ id: (await toChoice(ctx, params)).id }),
});

/** Builds and checks the change. @throws AppError NOT_FOUND, INVALID_SUBSCRIBER for an unknown type. */
async function toChoice(
  ctx: ActionContext,
  { subscription_type_id, subscribe, ...who }: Params,
): Promise<SubscriberChange> {
  const person = await lockReferencedSubscriber(ctx.db, who);
  const given = { subscription_updates: [{ subscription_type_id, subscribe }] };
  const place = { ownerId: person.owner_bu_id, addressKey: person.address_key };
  return readChange(ctx, { given, ...place }, person);
}
