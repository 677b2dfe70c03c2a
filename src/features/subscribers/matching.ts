/** Which people of a tenant meet filters: for audiences, whose members these are. */
import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely';
import {
  type FilterCondition,
  type FilterField,
  MAX_AUDIENCE_CONDITIONS,
  readFilters,
} from '../../resources/filters.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { audiencesOf, inNamedAudiences } from '../subscriber-groups/index.ts';
import { type Definitions, filterFieldsOf } from './additional-fields.ts';
import { subscribers } from './resource.ts';

/** The table whose rows conditions are about. */
export const PEOPLE = 'subscribers';

/**
 * The conditions of filters as the list of subscribers takes them. For a computed audience `audiences` are those that people
 * name, so that none depends on another.
 * @throws AppError INVALID_REQUEST naming each unknown field, operation or unusable value.
 */
export function readPeopleFilters(
  filters: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  { isOfAudience, place }: { readonly isOfAudience: boolean; readonly place: string },
): FilterCondition[] {
  const { operations, fields } = subscribers.filters;
  const named: Readonly<Record<string, FilterField>> = {
    audiences: { type: 'id', sql: inNamedAudiences(PEOPLE) },
  };
  const own = isOfAudience ? named : {};
  return readFilters(
    { operations, fields: { ...fields, ...own, ...filterFieldsOf(filters, definitions) } },
    filters,
    { place, max: MAX_AUDIENCE_CONDITIONS },
  );
}

/** Somebody who is held until the transaction ends. */
export interface HeldPerson {
  readonly id: string;
  readonly active: boolean;
  /** Nothing of it was changed since it was created. */
  readonly unchanged: boolean;
}

/** Holds these people, of whom some may be gone. */
export async function holdPeople(tx: ScopedDb, ids: readonly string[]): Promise<HeldPerson[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<HeldPerson>`
    select id, active, version = 1 as unchanged from subscribers
    where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for no key update`,
  );
  return rows;
}

/** Holds the next people by their ids. */
export async function holdNextPeople(tx: ScopedDb, after: string, limit: number): Promise<HeldPerson[]> {
  const { rows } = await tx.raw(
    (tenantId) => sql<HeldPerson>`
    select id, active, version = 1 as unchanged from subscribers
    where tenant_id = ${tenantId}::uuid and id > ${after}::uuid order by id limit ${limit} for no key update`,
  );
  return rows;
}

/** Somebody who is not erased until the transaction ends. */
export interface KeptPerson {
  readonly id: string;
  readonly owner_bu_id: string;
  readonly active: boolean;
  readonly email: string;
  readonly address_key: string;
  readonly name: string | null;
}

/** Keeps these people from being erased until the transaction ends; of those who are gone nothing is told. */
export function keepPeople(tx: ScopedDb, ids: readonly string[]): Promise<ReadonlyMap<string, KeptPerson>> {
  return keep(tx, ids, sql`key share`);
}

/** The same, and has whoever holds them to change them, or to tell what they did (`holdPeople`), wait until then, and waits for those. */
export function keepPeopleAsTheyAre(
  tx: ScopedDb,
  ids: readonly string[],
): Promise<ReadonlyMap<string, KeptPerson>> {
  return keep(tx, ids, sql`share`);
}

async function keep(
  tx: ScopedDb,
  ids: readonly string[],
  how: RawBuilder<unknown>,
): Promise<ReadonlyMap<string, KeptPerson>> {
  const { rows } = await tx.raw(
    (tenantId) => sql<KeptPerson>`
    select id, owner_bu_id, active, email, address_key, nullif(trim(concat_ws(' ', first_name, last_name)), '') as name
    from subscribers where tenant_id = ${tenantId}::uuid and id = any(${ids}::uuid[]) order by id for ${how}`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

/** The person of a unit with an address (normal form), active or not; null: nobody. */
export async function findPersonAt(
  db: ScopedDb,
  ownerBuId: string,
  addressKey: string,
): Promise<string | null> {
  const found = await db.query
    .selectFrom(PEOPLE)
    .select('id')
    .where('address_key', '=', addressKey)
    .where('owner_bu_id', '=', ownerBuId)
    .executeTakeFirst();
  return found?.id ?? null;
}

/** The ids of people with these addresses (normal forms), in whichever unit. */
export async function findPeopleAt(db: ScopedDb, addresses: readonly string[]): Promise<string[]> {
  const found = await db.query
    .selectFrom(PEOPLE)
    .select('id')
    .where('address_key', '=', sql<string>`any(${addresses}::text[])`)
    .execute();
  return found.map(({ id }) => id);
}

/** An audience and its conditions. */
export interface AskedAudience {
  readonly id: string;
  /** All of them must hold; null: nobody meets them. */
  readonly conditions: readonly Expression<SqlBool>[] | null;
}

/** How somebody stands to audiences: a text of `0` and `1` each, in their order. */
export interface Standing {
  readonly id: string;
  /** Whether it meets the conditions. */
  readonly met: string;
  /** Whether it is in. */
  readonly held: string;
  /** Whether it is in because it names the audience. */
  readonly named: string;
}

/** How each of these people stands to these audiences. */
export async function matchPeople(
  db: ScopedDb,
  ids: readonly string[],
  audiences: readonly AskedAudience[],
): Promise<Standing[]> {
  const bits = (isSet: (audience: AskedAudience) => Expression<unknown>) =>
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
    .selectFrom(PEOPLE)
    .innerJoinLateral(audiencesOf(PEOPLE).as('of'), (join) => join.onTrue())
    .select([
      'id',
      met.as('met'),
      bits(({ id }) => sql`${id}::uuid = any(${sql.ref('of.groups')})`).as('held'),
      bits(({ id }) => sql`${id}::uuid = any(${sql.ref('of.named')})`).as('named'),
    ])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}
