import { sql } from 'kysely';
import type { Platform } from '../../../platform.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { isSuppressed } from '../../email-settings/index.ts';
import { hasLeft } from './has-left.ts';

/** A person as the sender sees them when a message is made. */
export interface Person {
  readonly id: string;
  readonly first_name: string;
  readonly last_name: string | null;
  readonly email: string;
  readonly active: boolean;
  readonly additional_fields_data: Readonly<Record<string, unknown>> | null;
  /** Whether they have left the type. */
  readonly has_left: boolean;
}

/** These people; who is gone is missing. */
export async function findPeople(
  db: ScopedDb,
  ids: readonly string[],
  subscriptionTypeId: string | null,
): Promise<ReadonlyMap<string, Person>> {
  const { rows } = await db.raw(
    (tenantId) => sql<Person>`
    select s.id, s.first_name, s.last_name, s.email, s.active, s.additional_fields_data,
      ${hasLeft(tenantId, subscriptionTypeId)} as has_left
    from subscribers s where s.tenant_id = ${tenantId}::uuid and s.id = any(${ids}::uuid[])`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The oldest member of any of these groups whom mail of a type may reach and the scope reads; null when there is none. */
export async function findFirstPerson(
  platform: Platform,
  db: ScopedDb,
  groups: readonly string[],
  subscriptionTypeId: string | null,
): Promise<Person | null> {
  const units = db.scope.read === 'all' ? null : db.scope.read;
  const isKeptBack = await isSuppressed(platform, db, sql.ref('s.address_key'), subscriptionTypeId !== null);
  const { rows } = await db.raw(
    (tenantId) => sql<Person>`
    select s.id, s.first_name, s.last_name, s.email, s.active, s.additional_fields_data, false as has_left
    from subscriber_group_members m
    join subscribers s on s.tenant_id = ${tenantId}::uuid and s.id = m.subscriber_id
    where m.tenant_id = ${tenantId}::uuid and m.group_id = any(${groups}::uuid[]) and s.active
      and not ${hasLeft(tenantId, subscriptionTypeId)}
      and (${units}::uuid[] is null or s.owner_bu_id = any(${units}::uuid[]))
      and not ${isKeptBack}
    order by s.created_at, s.id limit 1`,
  );
  return rows[0] ?? null;
}

/** Somebody with an address, as an e-mail to some groups sees them. */
export interface Member {
  readonly active: boolean;
  readonly is_member: boolean;
  readonly has_left: boolean;
}

/** Whoever in the scope has an address (normal form), and how they stand to these groups and a type. */
export async function findMembers(
  db: ScopedDb,
  recipient: string,
  groups: readonly string[],
  subscriptionTypeId: string | null,
): Promise<readonly Member[]> {
  const units = db.scope.read === 'all' ? null : db.scope.read;
  const { rows } = await db.raw(
    (tenantId) => sql<Member>`
    select s.active, ${hasLeft(tenantId, subscriptionTypeId)} as has_left, exists (
      select from subscriber_group_members m
      where m.tenant_id = ${tenantId}::uuid and m.subscriber_id = s.id and m.group_id = any(${groups}::uuid[])) as is_member
    from subscribers s where s.tenant_id = ${tenantId}::uuid and s.address_key = ${recipient}
      and (${units}::uuid[] is null or s.owner_bu_id = any(${units}::uuid[]))`,
  );
  return rows;
}

/** Stands in for somebody where there is nobody yet. */
export const SAMPLE_PERSON: Person = {
  id: '00000000-0000-7000-8000-000000000000',
  first_name: 'Ada',
  last_name: 'Lovelace',
  email: 'ada@example.com',
  active: true,
  additional_fields_data: {},
  has_left: false,
};

/** What templates see of a person: `subscriber.<name>` finds additional fields too; the person's own fields win. */
export function personData(person: Person) {
  const { id, first_name, last_name, email, active, additional_fields_data: additional } = person;
  return {
    ...additional,
    ...{ id, first_name, last_name: last_name ?? '', email, active },
    additional_fields_data: additional ?? {},
  };
}
