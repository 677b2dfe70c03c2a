import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind, limitKind, type OnEnd } from './harness/options.ts';
import { createSampleAi, headersOf, type SampleAi, seedThreads, threadId } from './harness/sample-ai.ts';

const READ_AIM = 0.5;
const LIST_AIM = 0.6;
/** Appending to a long thread should cost the same as to a short one; the margin allows for other load. */
const APPEND_AIM = 0.8;
const MESSAGES = { many: 1000, few: 10 } as const;
/** Enough threads that concurrent writers use different ones. */
const THREADS = 100;
const CONNECTIONS = 16;
const ROUND_SECONDS = 2;

/** Threads of 1,000 and of 10 messages: appending to one, reading one, and listing those of a user. */
export const threads: Bench = async (kind, options, onEnd) => {
  const own = await prepare(kind, onEnd);
  // Only one process can open the embedded database, so the limit gets a second one. On a server both share one.
  const twin = kind === 'server' ? own : await prepare(limitKind(kind), onEnd);
  const tessera = await startTessera(own.database.env, options);
  onEnd(tessera.stop);
  const limit = await startProgram('limits/ai-server.ts', twin.database.env);
  onEnd(limit.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const versions = { many: new Map<number, number>(), few: new Map<number, number>() };
  const append = (length: 'many' | 'few') =>
    inTurn((place) => {
      const version = versions[length].get(place) ?? 0;
      versions[length].set(place, version + 1);
      const message = { role: 'user', content: [{ type: 'text', text: 'measured '.repeat(12) }] };
      const body = JSON.stringify({ version, messages: [message] });
      return { method: 'PUT', path: pathOf(length, place), headers: headersOf(own), body };
    });
  const reached = [
    await compare({
      name: `threads, append to 1,000 messages (${kind})`,
      against: 'append to 10 messages',
      aim: aimOn(kind, APPEND_AIM),
      limit: () => loadRound(tessera, append('few'), load),
      tessera: () => loadRound(tessera, append('many'), load),
    }),
  ];
  const cases: [string, number, (sample: SampleAi) => () => LoadRequest][] = [
    ['read one of 1,000', READ_AIM, (sample) => inTurn((place) => get(sample, pathOf('many', place)))],
    ['read one of 10', READ_AIM, (sample) => inTurn((place) => get(sample, pathOf('few', place)))],
    ['list of 20', LIST_AIM, (sample) => inTurn(() => get(sample, '/api/ai/threads?user_id=many'))],
  ];
  for (const [name, aim, requests] of cases)
    reached.push(
      await compare({
        name: `threads, ${name} (${kind})`,
        against: 'bare Fastify with the same SQL',
        aim: aimOn(kind, aim),
        limit: () => loadRound(limit, requests(twin), load),
        tessera: () => loadRound(tessera, requests(own), load),
      }),
    );
  return reached.every(Boolean);
};

async function prepare(kind: DatabaseKind, onEnd: OnEnd): Promise<SampleAi> {
  const sample = await createSampleAi(kind, onEnd);
  await sample.database.asOwner(async (client) => {
    for (const length of ['many', 'few'] as const)
      await seedThreads(client, sample, { kind: length, threads: THREADS, messages: MESSAGES[length] });
    await client.query('vacuum analyze');
  });
  return sample;
}

function pathOf(length: 'many' | 'few', place: number): string {
  return `/api/ai/threads/${threadId(length, place)}`;
}

function get(sample: SampleAi, path: string): LoadRequest {
  return { method: 'GET', path, headers: headersOf(sample) };
}

function inTurn(request: (place: number) => LoadRequest): () => LoadRequest {
  let turn = 0;
  return () => {
    turn += 1;
    return request(turn % THREADS);
  };
}
