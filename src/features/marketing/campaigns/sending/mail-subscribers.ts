import { sql } from 'kysely';
import type { Platform } from '../../../../platform.ts';
import type { ScopedDb } from '../../../../tenancy/scoped-db.ts';
import { isUnsubscribed } from '../../../contacts/api.ts';
import { isSuppressed } from '../../../email-settings/api.ts';

/** Data of a subscriber that a message is rendered with. */
export interface MailSubscriber {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly email: string;
  readonly active: boolean;
  readonly additional_fields_data: Readonly<Record<string, unknown>> | null;
  /** True if the subscriber has unsubscribed from the type. */
  readonly is_unsubscribed: boolean;
}

/** Finds subscribers by id. `is_unsubscribed` refers to the subscription type. */
export async function findMailSubscribers(
  db: ScopedDb,
  ids: readonly string[],
  subscriptionTypeId: string | null,
): Promise<ReadonlyMap<string, MailSubscriber>> {
  const { rows } = await db.raw(
    (tenantId) => sql<MailSubscriber>`
    select s.id, s.first_name, s.last_name, s.email, s.active, s.additional_fields_data,
      ${isUnsubscribed(tenantId, subscriptionTypeId)} as is_unsubscribed
    from subscribers s where s.tenant_id = ${tenantId}::uuid and s.id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Finds the oldest readable member of the groups that may get mail of the type. Null if there is none. */
export async function findFirstMailSubscriber(
  platform: Platform,
  db: ScopedDb,
  groups: readonly string[],
  subscriptionTypeId: string | null,
): Promise<MailSubscriber | null> {
  const units = db.scope.read === 'all' ? null : db.scope.read;
  const suppressed = await isSuppressed(platform, db, sql.ref('s.address_key'), subscriptionTypeId !== null);
  const { rows } = await db.raw(
    (tenantId) => sql<MailSubscriber>`
    select s.id, s.first_name, s.last_name, s.email, s.active, s.additional_fields_data, false as is_unsubscribed
    from subscriber_group_members m
    join subscribers s on s.tenant_id = ${tenantId}::uuid and s.id = m.subscriber_id
    where m.tenant_id = ${tenantId}::uuid and m.group_id = any(${groups}::uuid[]) and s.active
      and not ${isUnsubscribed(tenantId, subscriptionTypeId)}
      and (${units}::uuid[] is null or s.owner_bu_id = any(${units}::uuid[]))
      and not ${suppressed}
    order by s.created_at, s.id limit 1`,
  );
  return rows[0] ?? null;
}

/** A subscriber with an address, in relation to the groups and the type of an email. */
export interface AddressMatch {
  readonly active: boolean;
  /** True if the subscriber is in one of the groups. */
  readonly is_member: boolean;
  readonly is_unsubscribed: boolean;
}

/** Finds the subscribers in the scope with a normalized address, and their relation to the groups and the type. */
export async function findByAddress(
  db: ScopedDb,
  recipient: string,
  groups: readonly string[],
  subscriptionTypeId: string | null,
): Promise<readonly AddressMatch[]> {
  const units = db.scope.read === 'all' ? null : db.scope.read;
  const { rows } = await db.raw(
    (tenantId) => sql<AddressMatch>`
    select s.active, ${isUnsubscribed(tenantId, subscriptionTypeId)} as is_unsubscribed, exists (
      select from subscriber_group_members m
      where m.tenant_id = ${tenantId}::uuid and m.subscriber_id = s.id and m.group_id = any(${groups}::uuid[])) as is_member
    from subscribers s where s.tenant_id = ${tenantId}::uuid and s.address_key = ${recipient}
      and (${units}::uuid[] is null or s.owner_bu_id = any(${units}::uuid[]))`,
  );
  return rows;
}

/** Sample data for previews without a subscriber. */
export const SAMPLE_SUBSCRIBER: MailSubscriber = {
  id: '00000000-0000-7000-8000-000000000000',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  active: true,
  additional_fields_data: {},
  is_unsubscribed: false,
};

/** Template data of a subscriber. `subscriber.<name>` also finds additional fields; standard fields take precedence. */
export function subscriberTemplateData(subscriber: MailSubscriber) {
  const { id, first_name, last_name, email, active, additional_fields_data: additional } = subscriber;
  return {
    ...additional,
    id,
    first_name,
    last_name: last_name ?? '',
    email,
    active,
    additional_fields_data: additional ?? {},
  };
}
