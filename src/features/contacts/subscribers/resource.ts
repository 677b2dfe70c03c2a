import { expressionBuilder, sql } from 'kysely';
import Type from 'typebox';
import type { Tables } from '../../../db/tables.ts';
import { NOT_FOUND } from '../../../errors/platform-errors.ts';
import { ADDRESS_FORM } from '../../../mail/address.ts';
import type { CreateOf, ReplaceOf, RowOf, TableOf } from '../../../resources/field-types.ts';
import { boolean, hidden, id, json, owner, text, time, version } from '../../../resources/fields.ts';
import { pathKey, uuidKey, within } from '../../../resources/keys.ts';
import { defineResource } from '../../../resources/resource.ts';
import { groupIdsOf, inGroups, memberCounter } from '../subscriber-groups/index.ts';
import { DUPLICATE_EMAIL } from './errors.ts';
import { AdditionalData, GroupIds, SubscriptionUpdates } from './schema.ts';

const moment = time(Type.String({ format: 'date-time' }), { writes: 'platform' });
const written = time(Type.String(), { writes: 'platform', filter: true });

const preferenceFields = {
  subscriber_id: hidden(id),
  subscription_type_id: text(Type.String(), { writes: 'platform' }),
  subscribed: boolean(Type.Boolean(), { writes: 'platform' }),
  subscribed_date: moment,
  /** Null while subscribed. */
  unsubscribed_date: time(Type.String({ format: 'date-time' }), { writes: 'platform', nullable: true }),
};

/** Choices of subscription types. Without a choice, a subscriber is subscribed to a type. */
const preferences = defineResource({
  title: 'SubscriptionPreference',
  table: 'subscription_preferences',
  key: within(
    uuidKey('subscriber_id'),
    pathKey('subscription_type_id', () => true),
  ),
  notFound: NOT_FOUND,
  fields: preferenceFields,
});

const fields = {
  id,
  first_name: text(Type.String({ minLength: 1, maxLength: 200 }), { filter: true, search: true }),
  last_name: text(Type.String({ maxLength: 200 }), { nullable: true, filter: true, search: true }),
  email: text(Type.String({ description: 'Unique in the business unit.' }), {
    filter: true,
    search: true,
  }),
  active: boolean(Type.Boolean({ description: 'True if marketing mail may be sent.' }), {
    filter: true,
  }),
  inactive_reason: text(Type.String({ maxLength: 500, description: 'Required when `active` is false.' }), {
    nullable: true,
  }),
  audiences: json(GroupIds, {
    declared: true,
    input: GroupIds,
    computed: (table) => groupIdsOf('audiences', table),
  }),
  lists: json(GroupIds, {
    declared: true,
    input: GroupIds,
    computed: (table) => groupIdsOf('lists', table),
  }),
  additional_fields_data: json(AdditionalData, { nullable: true, whenNull: {} }),
  subscription_preferences: json(Type.Array(preferences.reply), {
    declared: true,
    writes: 'platform',
    computed: preferencesOf,
  }),
  /** Write-only: `subscription_preferences` shows the result. */
  subscription_updates: hidden(
    json(SubscriptionUpdates, {
      input: SubscriptionUpdates,
      default: [],
      listed: false,
      computed: () => sql`null::json`,
    }),
  ),
  address_key: hidden(text(Type.String(), { writes: 'platform', listed: false })),
  business_unit: owner,
  version,
  created_at: written,
  updated_at: written,
};

declare module '../../../db/tables.ts' {
  interface Tables {
    subscribers: TableOf<typeof fields>;
    subscription_preferences: TableOf<typeof preferenceFields>;
  }
}

/** A row of `subscribers`, with computed fields from other tables. */
export type SubscriberRow = RowOf<typeof fields>;
/** Validated body of a create. */
export type SubscriberCreate = CreateOf<typeof fields>;
/** Validated body of a replace. */
export type SubscriberReplace = ReplaceOf<typeof fields>;

/** Subscribers of marketing mail, owned by business units. */
export const subscribers = defineResource({
  title: 'Subscriber',
  entityType: 'marketing_subscriber',
  table: 'subscribers',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
  sorts: ['email'],
  duplicates: { subscribers_address: DUPLICATE_EMAIL },
  filters: {
    email: { type: 'text', normalization: { column: 'address_key', ...ADDRESS_FORM } },
    lists: { type: 'id', sql: inGroups('lists', 'subscribers'), counted: memberCounter('lists') },
    audiences: { type: 'id', sql: inGroups('audiences', 'subscribers'), counted: memberCounter('audiences') },
  },
  finder: 'tessera_find_subscribers',
  totals: { table: 'subscriber_counts', column: 'subscribers', by: ['business_unit'], slots: 8 },
});

/** Query of the choices of a subscriber in the form of the API. */
function preferencesOf(table: string) {
  const each = preferences.sqlView('chosen');
  return expressionBuilder<Tables, never>()
    .selectFrom('subscription_preferences as chosen')
    .select(
      sql<unknown>`coalesce(json_agg(${each} order by chosen.subscription_type_id), '[]')`.as('preferences'),
    )
    .where('chosen.subscriber_id', '=', sql<string>`${sql.ref(`${table}.id`)}`);
}
