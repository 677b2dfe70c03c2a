/** Subscribers for benchmarks, with their lists. */
import type pg from 'pg';
import type { SampleTenant } from './sample-tenant.ts';

/** Subscribers with the same city, and members of the small list. */
const SAME_CITY = 100;

/** Number of subscribers from which the search index is dropped and rebuilt. */
const LARGE = 200_000;
const SEARCH_INDEX = `create index subscribers_keys on subscribers
  using gin (tessera_subscriber_keys(tenant_id, first_name, last_name, email, additional_fields_data))`;

/** Group ids of a tenant, by number of members. */
export interface SampleGroups {
  readonly half: string;
  readonly hundred: string;
  readonly audienceOfHalf: string;
}

/**
 * Writes `count` subscribers of a tenant and updates the planner's statistics. Every second one is in a list and an
 * audience; a hundred are in another list.
 */
export async function seedSubscribers(
  client: pg.PoolClient,
  { tenantId, unitId }: SampleTenant,
  count: number,
): Promise<SampleGroups> {
  await client.query(
    `create temporary table seeded as
     select n, tessera_uuidv7(at) as id, at
     from (select n, now() - ($1::int - n) * interval '1 second' as at from generate_series(1, $1::int) n) numbered`,
    [count],
  );
  // Building the index afterwards takes a third of the time.
  const isLarge = count >= LARGE;
  if (isLarge) await client.query('drop index subscribers_keys');
  await client.query(
    `insert into subscribers (tenant_id, id, owner_bu_id, version, created_at, updated_at, first_name, last_name, email,
       address_key, active, additional_fields_data)
     select $1::uuid, id, $2::uuid, 1, at, at, 'First' || n % 1000, 'Last' || n, 'person' || n || '@example.com',
       'person' || n || '@example.com', n % 20 > 0,
       json_build_object('city', 'City' || n % ($3::int / ${SAME_CITY}), 'visits', n % 50) from seeded`,
    [tenantId, unitId, count],
  );
  if (isLarge) await client.query(SEARCH_INDEX);
  const ids = { tenantId, unitId };
  const groups = {
    half: await seedGroup(client, ids, 'lists', 2),
    hundred: await seedGroup(client, ids, 'lists', Math.floor(count / SAME_CITY)),
    audienceOfHalf: await seedGroup(client, ids, 'audiences', 2),
  };
  await client.query(
    `insert into subscriber_counts (tenant_id, owner_bu_id, slot, subscribers) values ($1, $2, 0, $3)`,
    [tenantId, unitId, count],
  );
  await client.query('drop table seeded');
  await client.query('vacuum analyze');
  return groups;
}

/** Creates a list or audience of every nth seeded subscriber. */
async function seedGroup(
  client: pg.PoolClient,
  { tenantId, unitId }: Pick<SampleTenant, 'tenantId' | 'unitId'>,
  kind: 'lists' | 'audiences',
  every: number,
): Promise<string> {
  const { rows } = await client.query(
    `insert into marketing_${kind} (tenant_id, id, owner_bu_id, version, created_at, updated_at, name)
     values ($1, tessera_uuidv7(now()), $2, 1, now(), now(), 'Every ' || $3::int) returning id`,
    [tenantId, unitId, every],
  );
  const id = String(rows[0]?.id);
  await client.query(
    `insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience)
     select $1::uuid, $2::uuid, id, $4::boolean from seeded where n % $3::int = 0`,
    [tenantId, id, every, kind === 'audiences'],
  );
  await client.query(
    `insert into subscriber_group_counts (tenant_id, group_id, slot, members, active)
     select tenant_id, group_id, 0, count(*), count(*) from subscriber_group_members
     where tenant_id = $1 and group_id = $2 group by tenant_id, group_id`,
    [tenantId, id],
  );
  return id;
}
