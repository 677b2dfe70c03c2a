import { createBenchDatabase } from './harness/bench-database.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind, limitKind, type OnEnd } from './harness/options.ts';
import { createSampleTenants, type SampleTenant, seedSubmissions } from './harness/sample-tenant.ts';

const AIM = 0.6;
const SUBMISSIONS = 100_000;
const FORMS = 5;
const CONNECTIONS = 32;
const ROUND_SECONDS = 4;

/** GET of one form, and a filtered list of 20 of 100,000 submissions, against the same SQL in bare Fastify. */
export const reads: Bench = async (kind, options, onEnd) => {
  const forTessera = await prepare(kind, onEnd);
  // Only one process can open the embedded database, so the limit gets a second one. On a server both share one.
  const forLimit = kind === 'server' ? forTessera : await prepare(limitKind(kind), onEnd);
  const tessera = await startTessera(forTessera.database.env, options);
  onEnd(tessera.stop);
  const limit = await startProgram('limits/forms-server.ts', forLimit.database.env);
  onEnd(limit.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const comparing = (name: string, request: (tenant: SampleTenant) => LoadRequest) =>
    compare({
      name: `reads, ${name} (${kind})`,
      against: 'bare Fastify with the same SQL',
      aim: aimOn(kind, AIM),
      limit: () => loadRound(limit, request(forLimit.tenant), load),
      tessera: () => loadRound(tessera, request(forTessera.tenant), load),
    });
  const isFormFast = await comparing('one form', getForm);
  const isListFast = await comparing('list of 20', listSubmissions);
  return isFormFast && isListFast;
};

async function prepare(kind: DatabaseKind, onEnd: OnEnd) {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: FORMS }]);
  if (!tenant) throw new Error('No tenant was created.');
  await database.asOwner((client) => seedSubmissions(client, tenant, SUBMISSIONS));
  return { database, tenant };
}

function getForm({ apiKey, formCodes }: SampleTenant): LoadRequest {
  return { method: 'GET', path: `/api/forms/${formCodes[0]}`, headers: { 'x-api-key': apiKey } };
}

function listSubmissions({ apiKey, formCodes }: SampleTenant): LoadRequest {
  return {
    method: 'POST',
    path: '/api/form_submissions/list',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({
      page: 1,
      limit: 20,
      filters: { form_code: { operation: 'eq', value: formCodes[0] } },
    }),
  };
}
