/**
 * Numbers of events per hour, written with the events: figures of a day and its previous days cost a few rows, however
 * many events there were (docs/specification/overview.md#today).
 */
import { type RawBuilder, sql } from 'kysely';
import type { EveryTenantDb } from '../db/every-tenant.ts';
import { defineRetention } from '../jobs/retention.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';

const HOUR_MS = 60 * 60 * 1000;
/** Rows over which the counts of an hour are spread where many writers count for the same subject. */
const SLOTS = 8;
/** Days before today whose figures are returned. */
const PREVIOUS_DAYS = 7;

/** Names of counts. Subjects of `webhook_…` are webhooks, those of `failed_runs` automations; of others the tenant. */
export type HourlyCountName =
  | 'webhook_succeeded'
  | 'webhook_failed'
  | 'deliveries'
  | 'failed_deliveries'
  | 'sent_mails'
  | 'failed_runs';

declare module '../db/tables.ts' {
  interface Tables {
    hourly_counts: {
      tenant_id: string;
      name: HourlyCountName;
      subject_id: string;
      hour: Time;
      slot: number;
      count: number;
    };
  }
}

/** Counts that no figure shows any more. */
export const hourlyCountRetention = defineRetention({
  description: 'counts of events per hour',
  keptHours: 15 * 24,
  table: 'hourly_counts',
  key: ['name', 'subject_id', 'hour', 'slot'],
  isOld: (before) => sql`r.hour < ${before}`,
  byTenant: true,
});

/** An event to count. */
export interface CountedEvent {
  readonly tenantId: string;
  readonly name: HourlyCountName;
  readonly subjectId: string;
  readonly at: Date;
  /** How many events; default: 1. */
  readonly count?: number;
}

/** Builds the SQL call that counts events of any tenants. */
export function countHoursCall(
  { tenantId }: EveryTenantDb,
  events: readonly CountedEvent[],
): RawBuilder<unknown> {
  const randomly = randomSlot();
  const rows = new Map<string, { count: number; readonly [column: string]: unknown }>();
  for (const { tenantId: tenant_id, name, subjectId: subject_id, at, count = 1 } of events) {
    const hour = hourOf(at);
    // Writers of one webhook wait for each other anyway, because they change its row.
    const slot = name.startsWith('webhook_') ? 0 : randomly;
    const key = `${tenant_id} ${name} ${subject_id} ${hour.getTime()}`;
    const row = rows.get(key) ?? { tenant_id, name, subject_id, hour, slot, count: 0 };
    row.count += count;
    rows.set(key, row);
  }
  return sql`tessera_count_hours(${tenantId}, ${JSON.stringify([...rows.values()])}::json)`;
}

/** Returns the counts of subjects since 24 hours before `now`, to the hour, by name and subject. */
export async function countLastDay(
  db: ScopedDb,
  names: readonly HourlyCountName[],
  subjectIds: readonly string[],
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  if (subjectIds.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('hourly_counts')
    .select(['name', 'subject_id', sql<number>`sum(count)::bigint`.as('total')])
    .where('name', 'in', names)
    .where('subject_id', '=', sql<string>`any(${subjectIds}::uuid[])`)
    .where('hour', '>', new Date(now.getTime() - 24 * HOUR_MS).toISOString())
    .groupBy(['name', 'subject_id'])
    .execute();
  return new Map(rows.map(({ name, subject_id, total }) => [`${name} ${subject_id}`, total]));
}

/** Most subjects that are listed by their counts. */
const MAX_SUBJECTS = 1000;

/** Lists subjects with events since a time: the hour of the first one, and their number. Most recent hours first. */
export function listCounted(
  db: ScopedDb,
  name: HourlyCountName,
  after: Date,
): Promise<{ subject_id: string; since: string; total: number }[]> {
  return db.query
    .selectFrom('hourly_counts')
    .select(['subject_id', sql<string>`min(hour)`.as('since'), sql<number>`sum(count)::int`.as('total')])
    .where('name', '=', name)
    .where('hour', '>', after.toISOString())
    .groupBy('subject_id')
    .orderBy('since', 'desc')
    .limit(MAX_SUBJECTS)
    .execute();
}

/** A number of today, and those of the previous days until the same time. */
export interface DayFigure {
  readonly value: number;
  /** Newest first. Days before the tenant's first count are left out. */
  readonly usual: number[];
}

/** Counts to add up for figures of a day. */
export interface CountedSubjects {
  readonly names: readonly HourlyCountName[];
  readonly subjectIds: readonly string[];
}

/** Returns the figures of today in the tenant's time zone, by name. */
export async function readDayFigures(
  db: ScopedDb,
  { names, subjectIds }: CountedSubjects,
  timeZone: string,
  now: Date,
): Promise<ReadonlyMap<HourlyCountName, DayFigure>> {
  // Bounds the range of the index, which the times of the days do not.
  const from = new Date(now.getTime() - (PREVIOUS_DAYS + 2) * 24 * HOUR_MS);
  // An hour that the comparison ends in counts in proportion.
  const { rows } = await db.raw(
    (tenantId) => sql<{ name: HourlyCountName | null; day: number; total: number }>`
      with days as (
        select day, (date_trunc('day', local) - day * interval '1 day') at time zone ${timeZone}::text as since,
          (local - day * interval '1 day') at time zone ${timeZone}::text as until
        from (select ${now}::timestamptz at time zone ${timeZone}::text as local) moment,
          generate_series(0, ${PREVIOUS_DAYS}::int) as day
      )
      select c.name, d.day, round(sum(c.count * case when d.day = 0 then 1 else
        least(1, extract(epoch from d.until - c.hour) / 3600) end))::bigint as total
      from days d join hourly_counts c on c.tenant_id = ${tenantId}::uuid
        and c.name = any(${names}::text[]) and c.subject_id = any(${subjectIds}::uuid[])
        and c.hour >= ${from}::timestamptz and c.hour >= date_trunc('hour', d.since) and c.hour < d.until
      group by c.name, d.day
      union all
      select null, d.day, 0 from days d cross join (
        select f.hour from hourly_counts f where f.tenant_id = ${tenantId}::uuid order by f.hour limit 1) first
      where d.day > 0 and d.until > first.hour`,
  );
  const known = rows.filter(({ name }) => name === null).map(({ day }) => day);
  const totalOf = (name: HourlyCountName, day: number) =>
    rows.find((row) => row.name === name && row.day === day)?.total ?? 0;
  return new Map(
    names.map((name) => {
      const usual = known.toSorted((a, b) => a - b).map((day) => totalOf(name, day));
      return [name, { value: totalOf(name, 0), usual }];
    }),
  );
}

function hourOf(at: Date): Date {
  return new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS);
}

function randomSlot(): number {
  return Math.floor(Math.random() * SLOTS);
}
