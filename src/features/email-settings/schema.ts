import Type, { type Static } from 'typebox';
import { SendingDomainItem } from './sending-domains/schema.ts';

const MAX_ITEMS = 1000;
const MAX_EVENT_WEBHOOKS = 20;
/** Header fields are made of some of these texts. */
const PLAIN = '^[^\\u0000-\\u001f\\u007f]*$';

const line = (maxLength: number) => ({ maxLength, pattern: PLAIN });
const Address = Type.String({ minLength: 1, maxLength: 320 });

/** Whom mail may come from. */
export const SenderIdentity = Type.Object(
  {
    from_name: Type.String(line(200)),
    from_email_address: Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'The key, whatever its case.',
    }),
    reply_to: Type.String({ maxLength: 320, description: 'An address, or empty.' }),
    company_address: Type.Optional(Type.String({ maxLength: 500 })),
    city: Type.Optional(Type.String({ maxLength: 200 })),
    nickname: Type.String(line(200)),
  },
  { title: 'SenderIdentity' },
);

/** Whom mail may go to in sandbox mode. */
export const WhitelistRule = Type.Object(
  {
    email_address: Type.Optional(Address),
    domain_name: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    active: Type.Boolean(),
  },
  { description: 'One address or one domain; a domain does not stand for those below it.' },
);

/** What a recipient may subscribe to. */
export const SubscriptionType = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ maxLength: 2000 }),
    active: Type.Boolean(),
  },
  { title: 'SubscriptionType' },
);

const AdditionalField = Type.Object({
  label: Type.String({ maxLength: 200 }),
  type: Type.String({ minLength: 1, maxLength: 50, description: 'For example `text`.' }),
  order: Type.Number(),
  group: Type.Optional(Type.String({ maxLength: 200 })),
  field_width_percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
});

/** Fields that subscribers have beside the usual ones, by name. */
export const AdditionalFields = Type.Record(Type.String(), AdditionalField, { maxProperties: MAX_ITEMS });

/** What an event webhook can be told of. */
export const MailEvent = Type.Enum(['delivery', 'bounce', 'complaint', 'open', 'click', 'unsubscribe']);

const webhookFields = {
  name: Type.String({ minLength: 1, maxLength: 200, description: 'Unique among the event webhooks.' }),
  target: Type.String({
    minLength: 1,
    maxLength: 2048,
    description: 'Where events are posted: http or https.',
  }),
  events: Type.Array(MailEvent, { maxItems: 100 }),
  active: Type.Boolean({ description: 'An inactive webhook is told nothing.' }),
};

const EventWebhookInput = Type.Object({
  ...webhookFields,
  secret: Type.Optional(
    Type.Unsafe<string | null>({
      type: ['string', 'null'],
      minLength: 1,
      maxLength: 500,
      description:
        'Deliveries are signed with it as Standard Webhooks say. Stored encrypted and never read back; left out, the webhook of this name keeps its secret; null removes it.',
    }),
  ),
});

const nullableTime = (description: string) =>
  Type.Unsafe<string | null>({ type: ['string', 'null'], format: 'date-time', description });

/** An event webhook as it is read. */
export const EventWebhook = Type.Object(
  {
    ...webhookFields,
    last_successful: nullableTime('When a delivery last succeeded.'),
    last_failure: nullableTime('When an attempt last failed.'),
  },
  { title: 'EventWebhook' },
);

const collections = {
  sender_identities: Type.Array(SenderIdentity, { maxItems: MAX_ITEMS }),
  whitelist_recipient_rules: Type.Array(WhitelistRule, { maxItems: MAX_ITEMS }),
  subscription_types: Type.Array(SubscriptionType, { maxItems: MAX_ITEMS }),
  subscriber_additional_fields: AdditionalFields,
};
const SandboxMode = Type.Boolean({ description: 'While true, mail goes to whitelisted recipients only.' });

/** The body of a replace: the four collections, and what is kept when it is left out. */
export const SettingsReplace = Type.Object(
  {
    ...collections,
    sandbox_mode: Type.Optional(SandboxMode),
    event_webhooks: Type.Optional(Type.Array(EventWebhookInput, { maxItems: MAX_EVENT_WEBHOOKS })),
    version: Type.Optional(Type.Integer({ description: 'The version last read; a stale one is refused.' })),
  },
  { title: 'SettingsReplace' },
);

/** The settings of a tenant as they are read. */
export const Settings = Type.Object(
  {
    version: Type.Integer({ description: '0 until they are first written.' }),
    created_at: Type.String({ format: 'date-time' }),
    updated_at: Type.String({ format: 'date-time' }),
    ...collections,
    sandbox_mode: SandboxMode,
    sending_domains: Type.Array(SendingDomainItem),
    event_webhooks: Type.Array(EventWebhook),
  },
  { title: 'Settings' },
);

/** All subscription types. */
export const SubscriptionTypeList = Type.Object(
  { results: Type.Array(SubscriptionType) },
  { title: 'SubscriptionTypeList' },
);
/** Names a subscription type. */
export const SubscriptionTypeParams = Type.Object({ id: Type.String() });
/** All sender identities. */
export const SenderIdentityList = Type.Object(
  { results: Type.Array(SenderIdentity) },
  { title: 'SenderIdentityList' },
);
/** Names a sender identity. */
export const SenderIdentityParams = Type.Object({ from_email_address: Type.String() });
/** Acknowledges a removal. */
export const SenderIdentityReply = Type.Object(
  { from_email_address: Type.String() },
  { title: 'SenderIdentityReply' },
);

export type SenderIdentity = Static<typeof SenderIdentity>;
export type WhitelistRule = Static<typeof WhitelistRule>;
export type SubscriptionType = Static<typeof SubscriptionType>;
export type AdditionalFields = Static<typeof AdditionalFields>;
export type MailEvent = Static<typeof MailEvent>;
export type EventWebhookInput = Static<typeof EventWebhookInput>;
export type EventWebhookView = Static<typeof EventWebhook>;
export type SettingsReplace = Static<typeof SettingsReplace>;
export type SettingsView = Static<typeof Settings>;
