import { type Expression, expressionBuilder, sql } from 'kysely';
import Type from 'typebox';
import { NOT_FOUND } from '../../errors/platform-errors.ts';
import type { ReplaceOf, RowOf, TableOf } from '../../resources/field-types.ts';
import { boolean, integer, json } from '../../resources/fields.ts';
import { onlyOne } from '../../resources/keys.ts';
import { requireDefaultAdmin } from '../../resources/ownership.ts';
import { defineResource, type Resource } from '../../resources/resource.ts';
import { readColumns } from '../../resources/view.ts';
import { dateTime } from './area.ts';
import { eventWebhooks } from './event-webhook-resource.ts';
import { AdditionalFields, MAX_ITEMS, SenderIdentity, SubscriptionTypes, WhitelistRule } from './schema.ts';
import { sendingDomains } from './sending-domains/resource.ts';

const MAX_EVENT_WEBHOOKS = 20;
const listed = { maxItems: MAX_ITEMS };

const fields = {
  version: integer(Type.Integer({ description: '0 before the first write.' }), {
    writes: 'platform',
    counts: true,
  }),
  created_at: dateTime,
  updated_at: dateTime,
  sender_identities: json(Type.Array(SenderIdentity, listed), { declared: true }),
  whitelist_recipient_rules: json(Type.Array(WhitelistRule, listed), { declared: true }),
  subscription_types: json(SubscriptionTypes, { declared: true }),
  subscriber_additional_fields: json(AdditionalFields, { declared: true }),
  sandbox_mode: boolean(Type.Boolean({ description: 'True: send only to whitelisted recipients.' }), {
    default: false,
    keeps: true,
  }),
  sending_domains: json(Type.Array(sendingDomains.reply), {
    declared: true,
    writes: 'platform',
    computed: () => allOf(sendingDomains, ['created_at', 'domain']),
  }),
  event_webhooks: json(Type.Array(eventWebhooks.reply), {
    declared: true,
    input: Type.Array(eventWebhooks.replaceBody, { maxItems: MAX_EVENT_WEBHOOKS }),
    default: [],
    computed: () => allOf(eventWebhooks, ['position']),
  }),
};

declare module '../../db/tables.ts' {
  interface Tables {
    email_settings: TableOf<typeof fields>;
  }
}

/** The stored settings, with sending domains and event webhooks from their own tables. */
export type EmailSettings = RowOf<typeof fields>;
/** A checked body of a replace. */
export type SettingsReplace = ReplaceOf<typeof fields>;

/**
 * The email settings, one record per tenant; `email_settings` in history
 * (docs/specification/history.md#entity-types).
 */
export const settings = defineResource({
  title: 'EmailSettings',
  entityType: 'email_settings',
  table: 'email_settings',
  key: onlyOne('email_settings'),
  notFound: NOT_FOUND,
  guard: requireDefaultAdmin,
  fields,
});

/** Returns an expression for the views of all records of a resource, sorted by `order`. */
function allOf(resource: Resource, order: readonly string[]): Expression<unknown> {
  const columns = order.map((column) => sql.ref(`each.${column}`));
  return expressionBuilder<Record<string, Record<string, unknown>>>()
    .selectFrom((eb) =>
      eb
        .selectFrom(resource.table)
        .select(readColumns(resource, resource.columns, resource.table))
        .as('each'),
    )
    .select(
      sql`coalesce(json_agg(${resource.sqlView('each')} order by ${sql.join(columns)}), '[]')`.as('all'),
    );
}
