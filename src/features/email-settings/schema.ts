import Type, { type Static } from 'typebox';

/** Maximum number of items in each collection of the settings. */
export const MAX_ITEMS = 1000;
/** Text without control characters, for use in header fields. */
const PLAIN = '^[^\\u0000-\\u001f\\u007f]*$';

const line = (maxLength: number) => ({ maxLength, pattern: PLAIN });
const Address = Type.String({ minLength: 1, maxLength: 320 });

/** A sender of mail. */
export const SenderIdentity = Type.Object(
  {
    from_name: Type.String(line(200)),
    from_email_address: Type.String({
      minLength: 1,
      maxLength: 320,
      description: 'Unique, in any letter case.',
    }),
    reply_to: Type.String({ maxLength: 320, description: 'Address, or empty.' }),
    company_address: Type.Optional(Type.String({ maxLength: 500 })),
    city: Type.Optional(Type.String({ maxLength: 200 })),
    nickname: Type.String(line(200)),
  },
  { title: 'SenderIdentity' },
);

/** An allowed recipient in sandbox mode. */
export const WhitelistRule = Type.Object(
  {
    email_address: Type.Optional(Address),
    domain_name: Type.Optional(Type.String({ minLength: 1, maxLength: 253 })),
    active: Type.Boolean(),
  },
  {
    title: 'WhitelistRule',
    description: 'Exactly one of address and domain; subdomains are not included.',
  },
);

/** A type of mail that a recipient can subscribe to. */
export const SubscriptionType = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 100 }),
    name: Type.String({ minLength: 1, maxLength: 200 }),
    description: Type.String({ maxLength: 2000 }),
    active: Type.Boolean(),
  },
  { title: 'SubscriptionType' },
);

/** The subscription types of a tenant, in the order of the preference page. */
export const SubscriptionTypes = Type.Array(SubscriptionType, { maxItems: MAX_ITEMS });

const AdditionalField = Type.Object(
  {
    label: Type.String({ maxLength: 200 }),
    type: Type.String({ minLength: 1, maxLength: 50, description: 'For example `text`.' }),
    order: Type.Number(),
    group: Type.Optional(Type.String({ maxLength: 200 })),
    field_width_percent: Type.Optional(Type.Number({ minimum: 0, maximum: 100 })),
  },
  { title: 'AdditionalField' },
);

/** Additional fields of subscribers, by name. */
export const AdditionalFields = Type.Record(Type.String(), AdditionalField, { maxProperties: MAX_ITEMS });

/** Events that an event webhook can receive. */
export const MailEvent = Type.Enum(['delivery', 'bounce', 'complaint', 'open', 'click', 'unsubscribe']);

/** A sender of mail. */
export type SenderIdentity = Static<typeof SenderIdentity>;
/** An address or domain that receives mail in sandbox mode. */
export type WhitelistRule = Static<typeof WhitelistRule>;
/** A type of mail that a recipient can subscribe to. */
export type SubscriptionType = Static<typeof SubscriptionType>;
/** Additional fields of subscribers, by name. */
export type AdditionalFields = Static<typeof AdditionalFields>;
/** An event of a message that an event webhook can receive. */
export type MailEvent = Static<typeof MailEvent>;
