import { type Selectable, sql } from 'kysely';
import type { Time } from '../../db/tables.ts';
import type { JsonColumn } from '../../resources/field-types.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import type {
  AdditionalFields,
  MailEvent,
  SenderIdentity,
  SubscriptionType,
  WhitelistRule,
} from './schema.ts';

interface EmailSettingsTable {
  tenant_id: string;
  version: number;
  created_at: Time;
  updated_at: Time;
  sender_identities: JsonColumn<SenderIdentity[]>;
  whitelist_recipient_rules: JsonColumn<WhitelistRule[]>;
  subscription_types: JsonColumn<SubscriptionType[]>;
  subscriber_additional_fields: JsonColumn<AdditionalFields>;
  sandbox_mode: boolean;
}

interface EventWebhookTable {
  tenant_id: string;
  id: string;
  position: number;
  name: string;
  target: string;
  events: JsonColumn<MailEvent[]>;
  active: boolean;
  secret: string | null;
  last_successful: Time | null;
  last_failure: Time | null;
}

declare module '../../db/tables.ts' {
  interface Tables {
    email_settings: EmailSettingsTable;
    email_event_webhooks: EventWebhookTable;
  }
}

/** The settings as they are stored. */
export type EmailSettings = Omit<Selectable<EmailSettingsTable>, 'tenant_id'>;

/** An event webhook as it is stored; `secret` is sealed under its id. */
export type EventWebhook = Omit<Selectable<EventWebhookTable>, 'tenant_id' | 'position'>;

const COLUMNS = [
  'version',
  'created_at',
  'updated_at',
  'sender_identities',
  'whitelist_recipient_rules',
  'subscription_types',
  'subscriber_additional_fields',
  'sandbox_mode',
] as const;

const WEBHOOK_COLUMNS = [
  'id',
  'name',
  'target',
  'events',
  'active',
  'secret',
  'last_successful',
  'last_failure',
] as const;

/** The stored settings; undefined until they are first written. */
export function findSettings(db: ScopedDb): Promise<EmailSettings | undefined> {
  return db.query.selectFrom('email_settings').select(COLUMNS).executeTakeFirst();
}

/** The settings, kept from changing until the transaction ends; made, as version 0, when there are none. */
export async function lockSettings(tx: ScopedDb, now: Date): Promise<EmailSettings> {
  await tx.query
    .insertInto('email_settings')
    .values({
      tenant_id: tx.tenantId,
      version: 0,
      created_at: now,
      updated_at: now,
      sender_identities: '[]',
      whitelist_recipient_rules: '[]',
      subscription_types: '[]',
      subscriber_additional_fields: '{}',
      sandbox_mode: false,
    })
    .onConflict((conflict) => conflict.column('tenant_id').doNothing())
    .execute();
  return tx.query.selectFrom('email_settings').select(COLUMNS).forUpdate().executeTakeFirstOrThrow();
}

/** Writes the settings as a new version. */
export async function updateSettings(
  tx: ScopedDb,
  { sender_identities, whitelist_recipient_rules, subscription_types, ...settings }: EmailSettings,
): Promise<void> {
  await tx.query
    .updateTable('email_settings')
    .set({
      version: settings.version,
      updated_at: settings.updated_at,
      sender_identities: JSON.stringify(sender_identities),
      whitelist_recipient_rules: JSON.stringify(whitelist_recipient_rules),
      subscription_types: JSON.stringify(subscription_types),
      subscriber_additional_fields: JSON.stringify(settings.subscriber_additional_fields),
      sandbox_mode: settings.sandbox_mode,
    })
    .execute();
}

/** All event webhooks, in their order. */
export function listEventWebhooks(db: ScopedDb): Promise<EventWebhook[]> {
  return db.query.selectFrom('email_event_webhooks').select(WEBHOOK_COLUMNS).orderBy('position').execute();
}

/** The event webhooks that are told of events, in their order. */
export function listActiveEventWebhooks(db: ScopedDb): Promise<EventWebhook[]> {
  return db.query
    .selectFrom('email_event_webhooks')
    .select(WEBHOOK_COLUMNS)
    .where('active', '=', true)
    .orderBy('position')
    .execute();
}

/** Makes these all event webhooks there are. What deliveries have noted on one that stays is left alone. */
export async function replaceEventWebhooks(tx: ScopedDb, webhooks: readonly EventWebhook[]): Promise<void> {
  const ids = webhooks.map(({ id }) => id);
  await tx.query
    .deleteFrom('email_event_webhooks')
    .where('id', '<>', sql<string>`all(${ids}::uuid[])`)
    .execute();
  if (webhooks.length === 0) return;
  await tx.query
    .insertInto('email_event_webhooks')
    .values(
      webhooks.map((webhook, position) => ({
        ...webhook,
        tenant_id: tx.tenantId,
        position,
        events: JSON.stringify(webhook.events),
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'id']).doUpdateSet((eb) => ({
        position: eb.ref('excluded.position'),
        target: eb.ref('excluded.target'),
        events: sql<string>`excluded.events`,
        active: eb.ref('excluded.active'),
        secret: eb.ref('excluded.secret'),
      })),
    )
    .execute();
}
