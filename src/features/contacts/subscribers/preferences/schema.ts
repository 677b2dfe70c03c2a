import Type, { type Static } from 'typebox';
import { nullable } from '../../../../http/schemas.ts';
import { BrandSettingsChange } from '../../../../tenancy/brand-settings.ts';
import { SubscriptionTypes } from '../../../email-settings/api.ts';
import { SubscriptionUpdates } from '../schema.ts';

/** Choices of a recipient, by a link of a message (docs/specification/subscribers.md#preferences). */
export const Preferences = Type.Object(
  {
    tenant: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        brand_logo_url: Type.String({ description: 'Empty without a logo.' }),
        brand_primary_color: Type.String({ description: 'Empty without a brand.' }),
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
          { description: 'One per available type.' },
        ),
      },
      { title: 'PreferencesSubscriber' },
    ),
    available_subscription_types: Type.Array(
      Type.Object(
        { id: Type.String(), name: Type.String(), description: Type.String() },
        { title: 'AvailableSubscriptionType' },
      ),
      { description: 'Active types.' },
    ),
    referrer: Type.Object(
      { marketingEmailId: nullable(Type.String()), subscriptionTypeId: nullable(Type.String()) },
      { title: 'PreferencesReferrer', description: 'The email with the link.' },
    ),
  },
  { title: 'Preferences' },
);
/** A recipient's choices, as the preference page shows them. */
export type Preferences = Static<typeof Preferences>;

/** New choices of a recipient, by a link of a message. */
export const PreferencesUpdate = Type.Object(
  {
    subscription_updates: SubscriptionUpdates,
    replace_all: Type.Boolean({
      description:
        'true: unsubscribe from all types that are not in `subscription_updates`; false: leave them unchanged.',
    }),
    subscriber_updates: Type.Optional(
      Type.Object(
        {
          mark_inactive: Type.Optional(
            Type.Boolean({ description: 'true: stop all marketing mail; false: no effect.' }),
          ),
          inactive_reason: Type.Optional(Type.String({ maxLength: 500 })),
        },
        { title: 'PreferencesSubscriberUpdates' },
      ),
    ),
  },
  { title: 'PreferencesUpdate' },
);
/** A recipient's changed choices. */
export type PreferencesUpdate = Static<typeof PreferencesUpdate>;

/** The types and the brand that a preview shows instead of the saved ones. */
export const PreferencesPreview = Type.Object(
  {
    subscription_types: Type.Optional(SubscriptionTypes),
    brand_settings: Type.Optional(BrandSettingsChange),
  },
  { title: 'PreferencesPreview' },
);
/** The types and the brand of a preview. */
export type PreferencesPreview = Static<typeof PreferencesPreview>;
