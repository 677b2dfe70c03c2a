import { Matcher } from '../src/features/pages/redirects/matcher.ts';
import { createClient } from '../test/harness/client.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench } from './harness/options.ts';
import { DOMAIN, PROJECT, SAMPLE_PATHS, sampleRules, seedRedirects } from './harness/sample-redirects.ts';
import { createSampleTenants } from './harness/sample-tenant.ts';

const AIM = 0.7;
const MATCHING_AIM_MICROS = 20;
const MATCHES = 20_000;
const CONNECTIONS = 64;
const ROUND_SECONDS = 3;

/** Matching a request with 11,200 redirect rules, by itself and as an API call, against a Map in bare Fastify. */
export const redirects: Bench = async (kind, options, onEnd) => {
  const isQuick = await measureMatching();
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  await database.asOwner((client) => seedRedirects(client, tenant));
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const headers = { 'x-api-key': tenant.apiKey, 'content-type': 'application/json' };
  await createClient(tessera.url, headers).put(`/api/pages/project_metadata/${PROJECT}`, {
    name: 'Site',
    description: 'A site that has moved',
    redirect_config: { source_domains: [DOMAIN] },
  });
  const limit = await startProgram('limits/redirects-server.ts');
  onEnd(limit.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const isFast = await compare({
    name: `redirects, check (${kind})`,
    against: 'a Map behind bare Fastify',
    aim: aimOn(kind, AIM),
    limit: () => loadRound(limit, requests(headers), load),
    tessera: () => loadRound(tessera, requests(headers), load),
  });
  return isQuick && isFast;
};

/** Requests that match a rule of each type, and no rule, in turn. */
function requests(headers: Readonly<Record<string, string>>): () => LoadRequest {
  const kinds = Object.values(SAMPLE_PATHS);
  let turn = 0;
  return () => {
    turn += 1;
    const source_url_path = kinds[turn % kinds.length]?.(turn) ?? '/';
    return {
      method: 'POST',
      path: `/api/pages/${PROJECT}/redirects/check`,
      headers,
      body: JSON.stringify({ source_domain: DOMAIN, source_url_path }),
    };
  };
}

async function measureMatching(): Promise<boolean> {
  const matcher = new Matcher();
  const begun = performance.now();
  matcher.change(sampleRules());
  await matcher.compilePatterns();
  const compileMs = performance.now() - begun;
  const medians = Object.entries(SAMPLE_PATHS).map(([kind, path]) => {
    const times = Array.from({ length: 2 * MATCHES }, (_none, n) => {
      const source = path(n);
      const before = process.hrtime.bigint();
      matcher.match(DOMAIN, source);
      return Number(process.hrtime.bigint() - before) / 1000;
    });
    const sorted = times.slice(MATCHES).sort((a, b) => a - b);
    return { kind, micros: sorted[MATCHES / 2] ?? 0 };
  });
  const isQuick = medians.every(({ micros }) => micros <= MATCHING_AIM_MICROS);
  const line = medians.map(({ kind, micros }) => `${kind} ${micros.toFixed(1)}`).join(', ');
  console.log(
    `redirects, matching by itself, median of each type: ${line} us (aim at most ${MATCHING_AIM_MICROS}${isQuick ? '' : ', MISSED'}); ` +
      `compiled in ${compileMs.toFixed(0)} ms, ${(matcher.bytes / 2 ** 20).toFixed(1)} MiB by its own count`,
  );
  return isQuick;
}
