import Type, { type Static } from 'typebox';
import { nullable } from '../../../../http/schemas.ts';
import { SubscriptionUpdates } from '../schema.ts';

/** Choices of a recipient, by a link of a message (docs/specification/subscribers.md#preferences). */
export const Preferences = Type.Object(
  {
    tenant: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        brand_logo_url: Type.String({ description: 'Empty without one.' }),
        brand_primary_color: Type.String({ description: 'Empty without one.' }),
      },
      { title: 'PreferencesTenant' },
    ),
    subscriber: Type.Object(
      {
        email: Type.String(),
        subscriptions: Type.Array(
          Type.Object(
            { subscription_type_id: Type.String(), subscribed: Type.Boolean() },
            { title: 'PreferencesSubscription' },
          ),
          { description: 'One for each type that is available.' },
        ),
      },
      { title: 'PreferencesSubscriber' },
    ),
    available_subscription_types: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), description: Type.String() },
        { title: 'AvailableSubscriptionType' },
      ),
      { description: 'The active ones.' },
    ),
    referrer: Type.Object(
      { marketingEmailId: nullable(Type.String()), subscriptionTypeId: nullable(Type.String()) },
      { title: 'PreferencesReferrer', description: 'The e-mail that the link came with.' },
    ),
  },
  { title: 'Preferences' },
);
export type Preferences = Static<typeof Preferences>;

/** New choices of a recipient, by a link of a message. */
export const PreferencesUpdate = Type.Object(
  {
    subscription_updates: SubscriptionUpdates,
    replace_all: Type.Boolean({
      description: 'true: unsubscribes from every type that is not named; false: leaves those as they are.',
    }),
    subscriber_updates: Type.Optional(
      Type.Object(
        {
          mark_inactive: Type.Optional(
            Type.Boolean({ description: 'true: no marketing mail at all any more; false changes nothing.' }),
          ),
          inactive_reason: Type.Optional(Type.String({ maxLength: 500 })),
        },
        { title: 'PreferencesSubscriberUpdates' },
      ),
    ),
  },
  { title: 'PreferencesUpdate' },
);
export type PreferencesUpdate = Static<typeof PreferencesUpdate>;
