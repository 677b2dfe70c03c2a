/** The action `upsertSubscriber` of automations (docs/specification/automations.md#action-types). */
import Type, { type Static } from 'typebox';
import { type ActionContext, defineActionType } from '../../../../flows/action-type.ts';
import { nullable } from '../../../../http/schemas.ts';
import { readChange, type SubscriberChange, writeChanges } from '../changes.ts';
import { AdditionalChanges, GroupIds } from '../schema.ts';
import { lockAt } from './target.ts';

const Params = Type.Object({
  email: Type.String({
    description:
      'The address. Of several units that know it, the subscriber of the Default unit is changed, else the oldest; whoever is new belongs to the Default unit.',
  }),
  first_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Without it a new subscriber gets the local part of the address.',
    }),
  ),
  last_name: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  lists: Type.Optional(GroupIds),
  audiences: Type.Optional(GroupIds),
  additional_fields_data: Type.Optional(AdditionalChanges),
});
type Params = Static<typeof Params>;

/** Creates a subscriber, or changes only the given fields of an existing one. */
export const upsertSubscriber = defineActionType({
  key: 'upsertSubscriber',
  name: 'Create or change a subscriber',
  description:
    'Makes an active subscriber, or changes of the one with this address what is given. `lists` and `audiences`, where given, are all that the person is in afterwards; `additional_fields_data` is merged. Gives `{id}`.',
  params: Params,
  write: async (ctx, params) => {
    const change = await toUpsert(ctx, params);
    await writeChanges(ctx, [change]);
    return { id: change.id };
  },
  preview: async (ctx, params) => {
    const { id, current } = await toUpsert(ctx, params);
    return { id: current === null ? null : id };
  },
});

/** Builds and checks the change. @throws AppError INVALID_SUBSCRIBER. */
async function toUpsert(ctx: ActionContext, given: Params): Promise<SubscriberChange> {
  const { found, ...place } = await lockAt(ctx.db, given.email);
  return readChange(ctx, { given, ...place }, found);
}
