/** Matching of subscribers with filters of audiences, and row locks on subscribers. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type FilterCondition,
  type FilterField,
  MAX_AUDIENCE_CONDITIONS,
  readFilters,
} from '../../../resources/filters.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { unitNamedIn } from '../../../tenancy/unit-names.ts';
import { audiencesOf, inNamedAudiences } from '../subscriber-groups/index.ts';
import { type Definitions, filterFieldsOf } from './additional-fields.ts';
import { subscribers } from './resource.ts';

/** The table that conditions of filters read. */
export const SUBSCRIBERS = 'subscribers';

/**
 * Reads filters like those of the list of subscribers. For a computed audience, `audiences` matches only audiences that are
 * not computed, so that no computed audience depends on another.
 * @throws AppError INVALID_REQUEST naming each unknown field, operation or unusable value.
 */
export function readSubscriberFilters(
  filters: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  { isOfAudience, place }: { readonly isOfAudience: boolean; readonly place: string },
): FilterCondition[] {
  const { operations, fields } = subscribers.filters;
  const named: Readonly<Record<string, FilterField>> = {
    audiences: { type: 'id', sql: inNamedAudiences(SUBSCRIBERS) },
  };
  const own: Readonly<Record<string, FilterField>> = {
    ...(isOfAudience ? named : {}),
    business_unit: { type: 'text', sql: unitNamedIn(`${SUBSCRIBERS}.owner_bu_id`) },
  };
  return readFilters(
    { operations, fields: { ...fields, ...own, ...filterFieldsOf(filters, definitions) } },
    filters,
    { place, max: MAX_AUDIENCE_CONDITIONS },
  );
}

/** A subscriber that is locked until the transaction ends. */
export interface LockedSubscriber {
  readonly id: string;
  readonly active: boolean;
  /** True if the subscriber was not changed since its creation. */
  readonly unchanged: boolean;
}

/** Locks the existing subscribers among these ids. */
export async function lockSubscribersById(tx: ScopedDb, ids: readonly string[]): Promise<LockedSubscriber[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<LockedSubscriber>`
    select id, active, version = 1 as unchanged from subscribers
    where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`,
  );
  return rows;
}

/** Locks the next subscribers in the order of ids. */
export async function lockNextSubscribers(
  tx: ScopedDb,
  after: string,
  limit: number,
): Promise<LockedSubscriber[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<LockedSubscriber>`
    select id, active, version = 1 as unchanged from subscribers
    where tenant_id = ${tenantId}::uuid and id > ${after}::uuid order by id limit ${limit} for no key update`,
  );
  return rows;
}

/** A subscriber that cannot be erased until the transaction ends. */
export interface ExistingSubscriber {
  readonly id: string;
  readonly owner_bu_id: string;
  readonly active: boolean;
  readonly email: string;
  readonly address_key: string;
  readonly name: string | null;
}

/** Locks subscribers against erasure until the transaction ends. Missing ones are left out. */
export function keyShareLockSubscribers(
  tx: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExistingSubscriber>> {
  return lockFor(tx, ids, sql`key share`);
}

/** Locks subscribers against any change until the transaction ends; conflicts with `lockSubscribersById`. */
export function shareLockSubscribers(
  tx: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ExistingSubscriber>> {
  return lockFor(tx, ids, sql`share`);
}

async function lockFor(
  tx: ScopedDb,
  ids: readonly string[],
  strength: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, ExistingSubscriber>> {
  const { rows } = await tx.raw(
    (tenantId) => sql<ExistingSubscriber>`
    select id, owner_bu_id, active, email, address_key, nullif(trim(concat_ws(' ', first_name, last_name)), '') as name
    from subscribers where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for ${strength}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** Finds the id of the subscriber with a normalized address in a unit, active or not; null for none. */
export async function findSubscriberAt(
  db: ScopedDb,
  ownerBuId: string,
  addressKey: string,
): Promise<string | null> {
  const found = await db.query
    .selectFrom(SUBSCRIBERS)
    .select('id')
    .where('address_key', '=', addressKey)
    .where('owner_bu_id', '=', ownerBuId)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** Finds the ids of subscribers with these normalized addresses in all units. */
export async function findSubscribersAt(db: ScopedDb, addresses: readonly string[]): Promise<string[]> {
  const found = await db.query
    .selectFrom(SUBSCRIBERS)
    .select('id')
    .where('address_key', '=', sql<string>`any(${addresses}::text[])`)
    .execute();
  return found.map(({ id }) => id);
}

/** An audience with its conditions. */
export interface AudienceConditions {
  readonly id: string;
  /** Conditions that must all be true; null if nobody can meet them. */
  readonly conditions: readonly Expression<SqlBool>[] | null;
}

/** Relation of a subscriber to audiences. Each text has a `0` or `1` for each audience, in their order. */
export interface AudienceMatch {
  readonly id: string;
  /** `1` if the subscriber meets the conditions. */
  readonly met: string;
  /** `1` if the subscriber is a member. */
  readonly current: string;
  /** `1` if the subscriber is a member that was added by hand. */
  readonly named: string;
}

/** Returns the relation of each subscriber to these audiences. */
export async function matchSubscribers(
  db: ScopedDb,
  ids: readonly string[],
  audiences: readonly AudienceConditions[],
): Promise<AudienceMatch[]> {
  const bits = (isSet: (audience: AudienceConditions) => Expression<unknown>) =>
    sql<string>`${sql.join(
      audiences.map((audience) => sql`case when ${isSet(audience)} then '1' else '0' end`),
      sql` || `,
    )}`;
  const met = bits(({ conditions }) =>
    conditions === null
      ? sql`false`
      : sql.join([sql`true`, ...conditions.map((condition) => sql`(${condition})`)], sql` and `),
  );
  return db.query
    .selectFrom(SUBSCRIBERS)
    .innerJoinLateral(audiencesOf(SUBSCRIBERS).as('of'), (join) => join.onTrue())
    .select([
      'id',
      met.as('met'),
      bits(({ id }) => sql`${id}::uuid = any(${sql.ref('of.groups')})`).as('current'),
      bits(({ id }) => sql`${id}::uuid = any(${sql.ref('of.named')})`).as('named'),
    ])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
