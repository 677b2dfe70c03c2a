import { createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench } from './harness/options.ts';
import { type SampleLists, seedSubscribers } from './harness/sample-people.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';

/** Page 1 of two million may take twice as long as page 1 of ten thousand. */
const AIM = 0.5;
const MANY = 2_000_000;
const FEW = 10_000;
const CONNECTIONS = 4;
const ROUND_SECONDS = 3;

/** A tenant and how many people it has. */
interface People extends SampleTenant {
  readonly count: number;
  readonly lists: SampleLists;
}

/** Page 1, with its total, of one tenant's 2,000,000 subscribers against another's 10,000, in one database. */
export const subscribers: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [large, small] = await createSampleTenants(database, [{ forms: 0 }, { forms: 0 }]);
  if (!large || !small) throw new Error('No tenants were made.');
  const [many, few] = await database.asOwner(async (client) => {
    const people = async (tenant: SampleTenant, count: number): Promise<People> => ({
      ...tenant,
      count,
      lists: await seedSubscribers(client, tenant, count),
    });
    return [await people(large, MANY), await people(small, FEW)] as const;
  });
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const comparing = (name: string, narrowingOf: (people: People) => object) =>
    compare({
      name: `subscribers, ${name} (${kind})`,
      against: 'the same page of 10,000',
      aim: aimOn(kind, AIM),
      limit: () => loadRound(tessera, listPage(few, narrowingOf(few)), load),
      tessera: () => loadRound(tessera, listPage(many, narrowingOf(many)), load),
    });
  const equals = (field: string, value: unknown) => ({ filters: { [field]: { operation: 'eq', value } } });
  const isReached = [
    await comparing('unfiltered', () => ({})),
    await comparing('by a list of half of them', ({ lists }) => equals('lists', lists.half)),
    await comparing('by a list of 100', ({ lists }) => equals('lists', lists.hundred)),
    await comparing('by an additional field', () => equals('additional_fields_data.city', 'City7')),
    await comparing('by address', () => equals('email', 'person77@example.com')),
    await comparing('by a name searched for', ({ count }) => ({ search: `last${count - 1}` })),
  ];
  return isReached.every(Boolean);
};

function listPage({ apiKey }: People, narrowing: object): LoadRequest {
  return {
    method: 'POST',
    path: '/api/subscribers/list',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ page: 1, limit: 20, filters: {}, ...narrowing }),
  };
}
