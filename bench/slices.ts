import type pg from 'pg';
import { createClient } from '../test/harness/client.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind, limitKind, type OnEnd } from './harness/options.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';

/** A list with facets may take three times as long as without. */
const AIM = 0.34;
const SLICES = 2000;
const PROJECT = 'site';
const CONNECTIONS = 16;
const ROUND_SECONDS = 3;

/** The first page of a project's 2,000 slices with its facets, against the same page and total in bare Fastify. */
export const slices: Bench = async (kind, options, onEnd) => {
  const count = options.rows ?? SLICES;
  const own = await prepare(kind, count, onEnd);
  // Only one process can open the embedded database, so the limit gets a second one. On a server both share one.
  const twin = kind === 'server' ? own : await prepare(limitKind(kind), count, onEnd);
  const tessera = await startTessera(own.database.env, options);
  onEnd(tessera.stop);
  const limit = await startProgram('limits/slices-server.ts', twin.database.env);
  onEnd(limit.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const comparing = (name: string, query: string) =>
    compare({
      name: `slices, ${name} (${kind})`,
      against: 'the list alone in bare Fastify',
      aim: aimOn(kind, AIM),
      limit: () => loadRound(limit, listSlices(twin.tenant, ''), load),
      tessera: () => loadRound(tessera, listSlices(own.tenant, query), load),
    });
  const isUnfilteredFast = await comparing(`${count} with facets`, '');
  const isFilteredFast = await comparing(
    `${count} with facets, filtered by category and two tags`,
    '?category[]=Category 3&tags[]=tag 5&tags[]=tag 6',
  );
  return isUnfilteredFast && isFilteredFast;
};

async function prepare(kind: DatabaseKind, count: number, onEnd: OnEnd) {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  await createProject(database.env, tenant);
  await database.asOwner((client) => seed(client, tenant, count));
  return { database, tenant };
}

async function createProject(env: Readonly<Record<string, string>>, { apiKey }: SampleTenant): Promise<void> {
  const tessera = await startTessera(env);
  try {
    const api = createClient(tessera.url, { 'x-api-key': apiKey });
    await api.put(`/api/pages/project_metadata/${PROJECT}`, { name: 'Site', description: 'Measured' });
  } finally {
    await tessera.stop();
  }
}

/** Inserts slices of 1 to 2 KiB in 20 categories, each with 3 of 50 tags. */
async function seed(client: pg.PoolClient, { tenantId, unitId }: SampleTenant, count: number): Promise<void> {
  await client.query(
    `insert into slice_models (tenant_id, project_id, id, owner_bu_id, type, name, description, kind, origin, status,
       category, tags, keywords, media, variations, version, created_at, updated_at)
     select $1::uuid, $2, 'slice' || n, $3::uuid, 'SharedSlice', 'Slice ' || n, 'A part of a page', 'section',
       case when n % 10 = 0 then 'core' else 'bespoke' end, (array['stable', 'beta', 'deprecated'])[1 + n % 3],
       'Category ' || n % 20,
       json_build_array('tag ' || n % 50, 'tag ' || (n * 7) % 50, 'tag ' || (n * 13 + 1) % 50), json_build_array('page'),
       json_build_array((array['image', 'video', 'audio'])[1 + n % 3]),
       json_build_array(json_build_object('id', 'default', 'name', 'Default', 'description', 'The usual one', 'version', 'v' || n,
         'primary', (select json_object_agg('field' || f, json_build_object('type', 'Text', 'config',
           json_build_object('label', 'Field ' || f, 'placeholder', md5(n::text || f)))) from generate_series(1, 12) f))),
       1, now() - ($4::int - n) * interval '1 second', now() - ($4::int - n) * interval '1 second'
     from generate_series(1, $4::int) n`,
    [tenantId, PROJECT, unitId, count],
  );
  // Only the limit uses this index. Tessera reads all slices for the facets.
  await client.query('create index on slice_models (tenant_id, project_id, created_at desc, id desc)');
  await client.query('vacuum analyze');
}

function listSlices({ apiKey }: SampleTenant, query: string): LoadRequest {
  const path = `/api/pages/${PROJECT}/slice-model${encodeURI(query)}`;
  return { method: 'GET', path, headers: { 'x-api-key': apiKey } };
}
