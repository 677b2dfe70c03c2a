import type pg from 'pg';
import { createClient } from '../test/harness/client.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound, type Requests } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind, limitKind, type OnEnd } from './harness/options.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';

/** Minimum throughput relative to bare Fastify. */
const AIM = 0.6;
/** A search in the large project may take twice as long as in the small one. */
const SEARCH_AIM = 0.5;
const DOCUMENTS = 100_000;
const FEW = 1000;
const MODELS = 10;
const PICKED = 5000;
const MANY_PROJECT = 'many';
const FEW_PROJECT = 'few';
const CONNECTIONS = 32;
const SEARCH_CONNECTIONS = 8;
const ROUND_SECONDS = 2;

/**
 * Reads of one document, and of a page with its total, in a project of 100,000 documents, against bare Fastify with the
 * same SQL; and searches, against a project of 1,000 documents.
 */
export const documents: Bench = async (kind, options, onEnd) => {
  const count = options.rows ?? DOCUMENTS;
  const own = await prepare(kind, count, onEnd);
  // Only one process can open the embedded database, so the limit gets a second one. On a server both share one.
  const twin = kind === 'server' ? own : await prepare(limitKind(kind), count, onEnd);
  const tessera = await startTessera(own.database.env, options);
  onEnd(tessera.stop);
  const limit = await startProgram('limits/documents-server.ts', twin.database.env);
  onEnd(limit.stop);
  const seconds = options.seconds ?? ROUND_SECONDS;
  const reached: boolean[] = [];
  for (const [name, requests] of Object.entries(CASES)) {
    const load = { connections: CONNECTIONS, seconds };
    reached.push(
      await compare({
        name: `documents, ${name} (${kind})`,
        against: 'bare Fastify with the same SQL',
        aim: aimOn(kind, AIM),
        limit: () => loadRound(limit, requests(twin.tenant, count), load),
        tessera: () => loadRound(tessera, requests(own.tenant, count), load),
      }),
    );
  }
  for (const [name, textOf] of Object.entries(SEARCHES)) {
    const measure = (project: string, of: number) =>
      loadRound(tessera, search(own.tenant, project, of, textOf), {
        connections: SEARCH_CONNECTIONS,
        seconds,
      });
    reached.push(
      await compare({
        name: `documents, search of ${name} among ${count} (${kind})`,
        against: `the same among ${FEW}`,
        aim: aimOn(kind, SEARCH_AIM),
        limit: () => measure(FEW_PROJECT, FEW),
        tessera: () => measure(MANY_PROJECT, count),
      }),
    );
  }
  return reached.every(Boolean);
};

const CASES: Readonly<Record<string, (tenant: SampleTenant, count: number) => Requests>> = {
  'one by id': (tenant, count) => inTurn((n) => get(tenant, `?id=d${1 + ((n * 7) % count)}`)),
  'one by model and uid': (tenant, count) =>
    inTurn((n) => {
      const number = 1 + ((n * 7) % count);
      return get(tenant, `?document_model_id=model${number % MODELS}&uid=page-${number}`);
    }),
  'list of 20 of all live ones': (tenant) =>
    inTurn(() => list(tenant, { status: { operation: 'eq', value: 'live' } })),
  'list of 20 of one model': (tenant) =>
    inTurn((n) => list(tenant, { document_model_id: { operation: 'eq', value: `model${n % MODELS}` } })),
};

/** Search texts by the number of a document. */
const SEARCHES: Readonly<Record<string, (n: number) => string>> = {
  'a word that all documents contain': () => 'page',
  'two characters': (n) => String(10 + (n % 90)),
  'a number that few documents contain': (n) => `page-${n}`,
  'two words': (n) => `summer ${n}`,
  'a word without a match': () => 'zebra',
};

function inTurn(request: (n: number) => LoadRequest): () => LoadRequest {
  let turn = 0;
  return () => {
    turn += 1;
    return request(turn % PICKED);
  };
}

function headersOf({ apiKey }: SampleTenant): Record<string, string> {
  return { 'x-api-key': apiKey, 'content-type': 'application/json' };
}

function get(tenant: SampleTenant, query: string): LoadRequest {
  const path = `/api/pages/${MANY_PROJECT}/document${query}`;
  return { method: 'GET', path, headers: headersOf(tenant) };
}

function list(tenant: SampleTenant, filters: object): LoadRequest {
  const path = `/api/pages/${MANY_PROJECT}/document/list`;
  const body = JSON.stringify({ page: 1, limit: 20, filters });
  return { method: 'POST', path, headers: headersOf(tenant), body };
}

function search(tenant: SampleTenant, project: string, count: number, textOf: (n: number) => string) {
  const path = `/api/projects/${project}/pages/document/search`;
  return inTurn((n) => {
    const body = JSON.stringify({ search: textOf(1 + ((n * 7) % count)), limit: 10 });
    return { method: 'POST', path, headers: headersOf(tenant), body };
  });
}

async function prepare(kind: DatabaseKind, count: number, onEnd: OnEnd) {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  const tessera = await startTessera(database.env);
  try {
    const api = createClient(tessera.url, { 'x-api-key': tenant.apiKey });
    for (const project of [FEW_PROJECT, MANY_PROJECT])
      await api.put(`/api/pages/project_metadata/${project}`, { name: project, description: 'Measured' });
  } finally {
    await tessera.stop();
  }
  await database.asOwner(async (client) => {
    await seed(client, tenant, FEW_PROJECT, FEW);
    await seed(client, tenant, MANY_PROJECT, count);
    await client.query('vacuum analyze');
  });
  return { database, tenant };
}

/** Inserts documents of 1 to 2 KiB, created one second apart. */
async function seed(client: pg.PoolClient, tenant: SampleTenant, project: string, count: number) {
  await client.query(
    `insert into documents (tenant_id, project_id, id, owner_bu_id, document_model_id, uid, name, status, data, version,
       created_at, updated_at)
     select $1::uuid, $2, 'd' || n, $3::uuid, 'model' || n % ${MODELS}, 'page-' || n,
       (array['Pricing', 'About', 'Contact', 'News', 'Guide'])[1 + n % 5] || ' ' ||
         (array['spring', 'summer', 'autumn', 'winter'])[1 + n % 4] || ' ' || n,
       (array['draft', 'live', 'archived'])[1 + n % 3],
       '{"title":"Page ' || n || '","text":"' || repeat('Lorem ipsum dolor sit amet. ', 40 + n % 40) || '"}', 1, at, at
     from (select n, now() - ($4::int - n) * interval '1 second' as at from generate_series(1, $4::int) n) numbered`,
    [tenant.tenantId, project, tenant.unitId, count],
  );
}
