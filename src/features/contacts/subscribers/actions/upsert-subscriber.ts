/** The action `upsertSubscriber` of automations (docs/specification/automations.md#action-types). */
import Type, { type Static } from 'typebox';
import { type ActionContext, defineActionType } from '../../../../flows/action-type.ts';
import { nullable } from '../../../../http/schemas.ts';
import { buildSubscriberChange, type SubscriberChange, writeChanges } from '../changes.ts';
import { AdditionalChanges, GroupIds } from '../schema.ts';
import { lockByEmail } from './target.ts';

const groupIds = (description: string) => Type.Unsafe<string[]>({ ...GroupIds, description });

const Params = Type.Object({
  email: Type.String({
    description:
      'The email address. If several units have this address, the subscriber of the Default unit is updated, otherwise the oldest one. A new subscriber belongs to the Default unit.',
  }),
  first_name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'Default for a new subscriber: the part of the address before the `@`.',
    }),
  ),
  last_name: Type.Optional(nullable(Type.String({ maxLength: 200 }))),
  lists: Type.Optional(groupIds('Ids of lists.')),
  audiences: Type.Optional(groupIds('Ids of audiences without filters.')),
  additional_fields_data: Type.Optional(AdditionalChanges),
});
type Params = Static<typeof Params>;

/** Creates a subscriber, or changes only the specified fields of an existing one. */
export const upsertSubscriber = defineActionType({
  key: 'upsertSubscriber',
  name: 'Create or change a subscriber',
  description:
    'Creates an active subscriber, or updates the subscriber with this email address. An update changes only the given parameters: `lists` and `audiences` replace all memberships, `additional_fields_data` is merged, and an inactive subscriber stays inactive. Result: `{id}`.',
  params: Params,
  write: async (ctx, params) => {
    const change = await buildUpsert(ctx, params);
    await writeChanges(ctx, [change]);
    return { id: change.id };
  },
  preview: async (ctx, params) => {
    const { id, current } = await buildUpsert(ctx, params);
    return { id: current === null ? null : id };
  },
});

/** Builds and checks the change. @throws AppError INVALID_SUBSCRIBER. */
async function buildUpsert(ctx: ActionContext, fields: Params): Promise<SubscriberChange> {
  const { found, ownerId, addressKey } = await lockByEmail(ctx.db, fields.email);
  return buildSubscriberChange(ctx, { fields, ownerId, addressKey }, found);
}
