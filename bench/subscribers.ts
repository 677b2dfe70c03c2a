import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { type Child, startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind } from './harness/options.ts';
import { type SampleGroups, seedSubscribers } from './harness/sample-subscribers.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';

/** Page 1 of two million may take twice as long as page 1 of ten thousand. */
const LIST_AIM = 0.5;
const WRITE_AIM = 0.4;
const MANY = 2_000_000;
const FEW = 10_000;
const CONNECTIONS = 4;
const ROUND_SECONDS = 3;
/** Number of subscribers that are replaced in turn. */
const REPLACED = 5000;

/** A tenant with its number of subscribers. */
interface SubscriberTenant extends SampleTenant {
  readonly count: number;
  readonly groups: SampleGroups;
  /** Ids of some subscribers. */
  readonly ids: readonly string[];
}

/** The Tessera process, the tenants to compare, and the length of a round. */
interface Site {
  readonly kind: DatabaseKind;
  readonly tessera: Child;
  readonly many: SubscriberTenant;
  readonly few: SubscriberTenant;
  readonly seconds: number;
}

/**
 * Page 1 with its total of one tenant's 2,000,000 subscribers (or `--rows`), against another tenant's 10,000 in the
 * same database. On a server also creating and replacing subscribers among the 2,000,000, against one bare statement
 * each.
 */
export const subscribers: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [large, small] = await createSampleTenants(database, [{ forms: 0 }, { forms: 0 }]);
  if (!large || !small) throw new Error('No tenants were created.');
  const many = await seed(database, large, options.rows ?? MANY);
  const few = await seed(database, small, FEW);
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const site = { kind, tessera, many, few, seconds: options.seconds ?? ROUND_SECONDS };
  const listsReach = await compareLists(site);
  // Only one process can open the embedded database.
  if (kind === 'embedded') return listsReach;
  const bare = await startProgram('limits/subscribers-server.ts', database.env);
  onEnd(bare.stop);
  return (await compareWrites(site, bare)) && listsReach;
};

async function seed(database: BenchDatabase, tenant: SampleTenant, count: number): Promise<SubscriberTenant> {
  return database.asOwner(async (client) => {
    const groups = await seedSubscribers(client, tenant, count);
    const { rows } = await client.query<{ id: string }>(
      'select id from subscribers where tenant_id = $1 order by md5(id::text) limit $2',
      [tenant.tenantId, REPLACED],
    );
    return { ...tenant, count, groups, ids: rows.map(({ id }) => id) };
  });
}

/** Returns the filters and search text of a list request. */
type FiltersOf = (tenant: SubscriberTenant) => object;

async function compareLists({ kind, tessera, many, few, seconds }: Site): Promise<boolean> {
  const by = (field: string, operation: string, value: unknown) => ({
    filters: { [field]: { operation, value } },
  });
  const lists: Readonly<Record<string, FiltersOf>> = {
    unfiltered: () => ({}),
    'by a list of half of them': ({ groups }) => by('lists', 'eq', groups.half),
    'by a list of 100': ({ groups }) => by('lists', 'eq', groups.hundred),
    'by an audience of half of them': ({ groups }) => by('audiences', 'eq', groups.audienceOfHalf),
    'by an additional field': () => by('additional_fields_data.city', 'eq', 'City7'),
    'by address': () => by('email', 'eq', 'person77@example.com'),
    'search of a name': ({ count }) => ({ search: `last${count - 1}` }),
    'search of an address': ({ count }) => ({ search: `person${Math.floor(count * 0.7)}@` }),
    'search without a match': () => ({ search: 'nobody at all' }),
  };
  const reached: boolean[] = [];
  for (const [name, filtersOf] of Object.entries(lists))
    reached.push(
      await compare({
        name: `subscribers, ${name} (${kind})`,
        against: `the same page of ${few.count}`,
        aim: aimOn(kind, LIST_AIM),
        limit: () => loadRound(tessera, listPage(few, filtersOf), { connections: CONNECTIONS, seconds }),
        tessera: () => loadRound(tessera, listPage(many, filtersOf), { connections: CONNECTIONS, seconds }),
      }),
    );
  return reached.every(Boolean);
}

function listPage(tenant: SubscriberTenant, filtersOf: FiltersOf): LoadRequest {
  return request(tenant, 'POST', '/list', { page: 1, limit: 20, filters: {}, ...filtersOf(tenant) });
}

async function compareWrites({ kind, tessera, many, seconds }: Site, bare: Child): Promise<boolean> {
  let turn = 0;
  const next = () => {
    turn += 1;
    return turn;
  };
  const writes: Readonly<Record<string, () => LoadRequest>> = {
    create: () => request(many, 'POST', '', bodyOf(many, `new${next()}`)),
    replace: () => {
      const id = many.ids[next() % many.ids.length] ?? '';
      return request(many, 'PUT', `/${id}`, bodyOf(many, id));
    },
  };
  const reached: boolean[] = [];
  for (const [name, write] of Object.entries(writes))
    reached.push(
      await compare({
        name: `subscribers, ${name} (${kind})`,
        against: 'one bare statement that writes the same rows',
        aim: aimOn(kind, WRITE_AIM),
        limit: () => loadRound(bare, write, { connections: CONNECTIONS, seconds }),
        tessera: () => loadRound(tessera, write, { connections: CONNECTIONS, seconds }),
      }),
    );
  return reached.every(Boolean);
}

function bodyOf({ groups }: SubscriberTenant, name: string): object {
  return {
    first_name: 'Ada',
    last_name: `Love${name}`,
    email: `${name}@example.com`,
    active: true,
    lists: [groups.half],
    audiences: [],
    additional_fields_data: { city: 'London', visits: name.length },
  };
}

function request(
  { apiKey }: SubscriberTenant,
  method: 'POST' | 'PUT',
  path: string,
  body: object,
): LoadRequest {
  return {
    method,
    path: `/api/subscribers${path}`,
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  };
}
