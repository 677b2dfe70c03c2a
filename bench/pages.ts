import { createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import type { Bench } from './harness/options.ts';
import { createSampleTenants, type SampleTenant, seedSubmissions } from './harness/sample-tenant.ts';

/** Page 1 of a million may take twice as long as page 1 of ten thousand. */
const AIM = 0.5;
const MANY = 1_000_000;
const FEW = 10_000;
const FORMS = 5;
const CONNECTIONS = 8;
const ROUND_SECONDS = 3;

/** Page 1 of one tenant's 1,000,000 submissions, against page 1 of another tenant's 10,000 in the same database. */
export const pages: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [many, few] = await createSampleTenants(database, [{ forms: FORMS }, { forms: FORMS }]);
  if (!many || !few) throw new Error('No tenants were created.');
  await database.asOwner(async (client) => {
    await seedSubmissions(client, few, FEW);
    await seedSubmissions(client, many, MANY);
  });
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const measure = (tenant: SampleTenant, filters: object) =>
    loadRound(tessera, listPage(tenant, filters), load);
  const comparing = (name: string, filtersOf: (tenant: SampleTenant) => object) =>
    compare({
      name: `pages, ${name} (${kind})`,
      against: 'the same page of 10,000',
      aim: AIM,
      limit: () => measure(few, filtersOf(few)),
      tessera: () => measure(many, filtersOf(many)),
    });
  const isReached = [
    await comparing('1,000,000 unfiltered', () => ({})),
    await comparing('1,000,000 by form_code', ({ formCodes }) => ({
      form_code: { operation: 'eq', value: formCodes[0] },
    })),
    await comparing('1,000,000 by email_address', () => ({
      email_address: { operation: 'eq', value: 'visitor7@example.com' },
    })),
  ];
  return isReached.every(Boolean);
};

function listPage({ apiKey }: SampleTenant, filters: object): LoadRequest {
  return {
    method: 'POST',
    path: '/api/form_submissions/list',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ page: 1, limit: 20, filters }),
  };
}
