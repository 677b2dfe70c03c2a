import { createBenchDatabase } from './harness/bench-database.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind, limitKind, type OnEnd } from './harness/options.ts';
import { type BenchReceiver, startBenchReceiver } from './harness/receiver.ts';
import { createSampleTenants, type SampleTenant, submissionBody } from './harness/sample-tenant.ts';

const AIM = 0.5;
const CONNECTIONS = 32;
const ROUND_SECONDS = 4;

/**
 * POST of a submission with one webhook, against the same inserts in bare Fastify. On a server, measures a process with
 * `ROLE=api`, as under high load in production, and one with all roles. On the embedded database, measures only the
 * latter, which delivers while it accepts.
 */
export const submissions: Bench = async (kind, options, onEnd) => {
  const receiver = await startBenchReceiver();
  onEnd(receiver.stop);
  // Separate databases; otherwise Tessera would process the deliveries that the limit writes.
  const forTessera = await prepare(kind, receiver, onEnd);
  const forLimit = await prepare(limitKind(kind), receiver, onEnd);
  const limit = await startProgram('limits/forms-server.ts', forLimit.database.env);
  onEnd(limit.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const comparing = async (role: 'all' | 'api') => {
    const tessera = await startTessera({ ...forTessera.database.env, ROLE: role }, options);
    const isReached = await compare({
      name: `submissions, ROLE=${role} (${kind})`,
      against: 'bare Fastify with the same statements',
      aim: aimOn(kind, AIM),
      limit: () => loadRound(limit, submit(forLimit.tenant), load),
      async tessera() {
        await receiver.reset();
        const measured = await loadRound(tessera, submit(forTessera.tenant), load);
        // Remaining deliveries must not overlap the limit's next round.
        if (role === 'all') await receiver.waitFor(measured.count);
        return measured;
      },
    });
    await tessera.stop();
    return isReached;
  };
  const isReached = [await comparing('all')];
  if (kind !== 'embedded') isReached.push(await comparing('api'));
  return isReached.every(Boolean);
};

async function prepare(kind: DatabaseKind, receiver: BenchReceiver, onEnd: OnEnd) {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 1, webhookUrl: receiver.url }]);
  if (!tenant) throw new Error('No tenant was created.');
  await database.asOwner((client) => client.query('vacuum analyze'));
  return { database, tenant };
}

function submit({ apiKey, formCodes }: SampleTenant): LoadRequest {
  return {
    method: 'POST',
    path: '/api/form_submissions',
    headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
    body: submissionBody(formCodes[0] ?? ''),
  };
}
