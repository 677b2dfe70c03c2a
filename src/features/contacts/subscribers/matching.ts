/** Matching of subscribers with filters of audiences. */

import { type Expression, type SqlBool, sql } from 'kysely';
import { MAX, NIL } from 'uuid';
import type { FilterField } from '../../../resources/filter-field.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { MAX_AUDIENCE_CONDITIONS, readFilters } from '../../../resources/filters.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { unitNamedIn } from '../../../tenancy/unit-names.ts';
import { audiencesOf, inManualAudiences } from '../subscriber-groups/index.ts';
import { type Definitions, filterFieldsOf } from './additional-fields.ts';
import { type SubscriberRow, subscribers } from './resource.ts';

/** The table that conditions of filters read. */
export const SUBSCRIBERS = 'subscribers';

/**
 * Reads filters like those of the list of subscribers. For a computed audience, `audiences` matches only audiences that
 * are not computed, so that no computed audience depends on another.
 * @throws AppError INVALID_REQUEST naming each unknown field, operation or unusable value.
 */
export function readSubscriberFilters(
  filters: Readonly<Record<string, unknown>>,
  definitions: Definitions,
  { isForAudience, path }: { readonly isForAudience: boolean; readonly path: string },
): FilterCondition[] {
  const { operations, fields } = subscribers.filters;
  const manual: Readonly<Record<string, FilterField>> = {
    audiences: { type: 'id', sql: inManualAudiences(SUBSCRIBERS) },
  };
  const extra: Readonly<Record<string, FilterField>> = {
    ...(isForAudience ? manual : {}),
    business_unit: { type: 'text', sql: unitNamedIn(`${SUBSCRIBERS}.owner_bu_id`) },
  };
  return readFilters(
    { operations, fields: { ...fields, ...extra, ...filterFieldsOf(filters, definitions) } },
    filters,
    { path, max: MAX_AUDIENCE_CONDITIONS },
  );
}

const ADDITIONAL = 'additional_fields_data.';

/** Returns the value of a field that filters name; null if the subscriber has none, or the field is not theirs. */
export function subscriberValue(subscriber: SubscriberRow, field: string): unknown {
  const view: Readonly<Record<string, unknown>> = subscribers.view(subscriber);
  if (!field.startsWith(ADDITIONAL)) return view[field] ?? null;
  return subscriber.additional_fields_data?.[field.slice(ADDITIONAL.length)] ?? null;
}

/** An audience with its conditions. */
export interface AudienceConditions {
  readonly id: string;
  /** Conditions that must all be true; null if no subscriber can meet them. */
  readonly conditions: readonly Expression<SqlBool>[] | null;
}

/** Relation of a subscriber to audiences. Each text has a `0` or `1` for each audience, in their order. */
export interface AudienceMatch {
  readonly id: string;
  /** `1` if the subscriber meets the conditions. */
  readonly met: string;
  /** `1` if the subscriber is a member. */
  readonly current: string;
  /** `1` if the subscriber is a member that was added manually. */
  readonly manual: string;
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
      bits(({ id }) => sql`${id}::uuid = any(${sql.ref('of.manual')})`).as('manual'),
    ])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute();
}

/** Number of subscribers whose conditions one statement checks: so few that the deadline is checked often. */
const COUNTED_AT_ONCE = 20_000;

/** Subscribers that meet conditions. */
export interface Matches {
  readonly count: number;
  /** False if the deadline came first: there are at least `count`. */
  readonly isExact: boolean;
  /** Ids of the newest of them. */
  readonly newest: readonly string[];
}

/**
 * Counts the subscribers that meet conditions, from the newest to the oldest until the deadline, and names the `sample`
 * newest. Checks at least COUNTED_AT_ONCE subscribers.
 */
export async function countMatching(
  db: ScopedDb,
  conditions: readonly Expression<SqlBool>[],
  { deadline, sample }: { readonly deadline: () => boolean; readonly sample: number },
): Promise<Matches> {
  let count = 0;
  let before: string = MAX;
  const newest: string[] = [];
  do {
    const chunk = await countChunk(db, conditions, before, sample - newest.length);
    count += chunk.count;
    newest.push(...chunk.ids);
    if (chunk.oldest === null) return { count, isExact: true, newest };
    before = chunk.oldest;
  } while (!deadline());
  return { count, isExact: false, newest };
}

/** Counts matches among the COUNTED_AT_ONCE subscribers before an id; `oldest` is the last of them, null at the end. */
async function countChunk(
  db: ScopedDb,
  conditions: readonly Expression<SqlBool>[],
  before: string,
  sample: number,
) {
  const last = await db.query
    .selectFrom(SUBSCRIBERS)
    .select('id')
    .where('id', '<', before)
    .orderBy('id', 'desc')
    .offset(COUNTED_AT_ONCE - 1)
    .limit(1)
    .executeTakeFirst();
  const oldest = last?.id ?? null;
  let matching = db.query
    .selectFrom(SUBSCRIBERS)
    .select([
      sql<number>`count(*)::int`.as('count'),
      sql<string[]>`coalesce((array_agg(id order by id desc))[1:${sample}::int], '{}')`.as('ids'),
    ])
    .where('id', '<', before)
    .where('id', '>=', oldest ?? NIL);
  for (const condition of conditions) matching = matching.where(condition);
  return { ...(await matching.executeTakeFirstOrThrow()), oldest };
}
