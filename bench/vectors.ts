import { hashText } from '../src/features/ai/ai-indexes/embedding/hashing.ts';
import { createClient } from '../test/harness/client.ts';
import { startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind, limitKind, type OnEnd } from './harness/options.ts';
import {
  createSampleAi,
  headersOf,
  INDEX,
  RARE,
  readVectors,
  type SampleAi,
  seedItems,
} from './harness/sample-ai.ts';

const QUERY_AIM = 0.6;
const UPSERT_AIM = 0.4;
const RECALL_AIM = 0.95;
const ITEMS = 100_000;
const TOP = 10;
const BATCH = 1000;
const QUESTIONS = ['refund of a ticket', 'how long does the dough rest', 'measured text 17', 'sleeping cars'];
const CONNECTIONS = 2;
const ROUND_SECONDS = 4;

/** An index of 100,000 items: queries of all items and of the 1 % that match a filter, recall, and upserts. */
export const vectors: Bench = async (kind, options, onEnd) => {
  const count = options.rows ?? ITEMS;
  const own = await prepare(kind, count, onEnd);
  const twin = kind === 'server' ? own : await prepare(limitKind(kind), count, onEnd);
  const exact = await own.database.asOwner((client) => readVectors(client, own));
  const tessera = await startTessera(own.database.env, options);
  onEnd(tessera.stop);
  const limit = await startProgram('limits/ai-server.ts', twin.database.env);
  onEnd(limit.stop);
  const load = { connections: CONNECTIONS, seconds: options.seconds ?? ROUND_SECONDS };
  const cases: [string, string, number, (sample: SampleAi) => () => LoadRequest][] = [
    ['query of all', 'bare Fastify with the same SQL', QUERY_AIM, (sample) => queries(sample, {})],
    [
      'query of 1 %',
      'bare Fastify with the same SQL',
      QUERY_AIM,
      (sample) => queries(sample, { filter: RARE }),
    ],
    [`${BATCH} items written`, 'a bare insert of the same rows', UPSERT_AIM, upserts],
  ];
  const reached = [await measureRecall(tessera.url, own, exact, kind)];
  for (const [name, against, aim, requests] of cases)
    reached.push(
      await compare({
        name: `vectors, ${name} among ${count} (${kind})`,
        against,
        aim: aimOn(kind, aim),
        limit: () => loadRound(limit, requests(twin), load),
        tessera: () => loadRound(tessera, requests(own), load),
      }),
    );
  return reached.every(Boolean);
};

async function prepare(kind: DatabaseKind, count: number, onEnd: OnEnd): Promise<SampleAi> {
  const sample = await createSampleAi(kind, onEnd);
  await sample.database.asOwner(async (client) => {
    await seedItems(client, sample, count);
    await client.query('vacuum analyze');
  });
  return sample;
}

function queries(sample: SampleAi, more: object): () => LoadRequest {
  let turn = 0;
  return () => {
    turn += 1;
    const input = QUESTIONS[turn % QUESTIONS.length];
    const body = JSON.stringify({ input, top_k: TOP, ...more });
    return { method: 'POST', path: `/api/ai/indexes/${INDEX}/query`, headers: headersOf(sample), body };
  };
}

function upserts(sample: SampleAi): () => LoadRequest {
  let turn = 0;
  return () => {
    turn += 1;
    const data = Array.from({ length: BATCH }, (_none, place) => ({
      id: `${turn % CONNECTIONS}-${place}`,
      input: `Trains to the ${place}th station leave from platform ${place % 20} every ${place % 60} minutes.`,
      metadata: { kind: 'written' },
    }));
    const body = JSON.stringify({ data });
    return { method: 'POST', path: `/api/ai/indexes/${INDEX}/upsert`, headers: headersOf(sample), body };
  };
}

/** Share of the ten nearest items, computed here, that the responses contain. */
async function measureRecall(
  url: string,
  sample: SampleAi,
  exact: ReadonlyMap<string, number[]>,
  kind: DatabaseKind,
): Promise<boolean> {
  const api = createClient(url, headersOf(sample));
  let found = 0;
  for (const input of QUESTIONS) {
    const wanted = hashText(input);
    const nearest = [...exact]
      .map(([id, vector]) => ({
        id,
        score: vector.reduce((sum, value, at) => sum + value * (wanted[at] ?? 0), 0),
      }))
      .sort((a, b) => b.score - a.score)
      .slice(0, TOP)
      .map(({ id }) => id);
    const { results } = (await api.post(`/api/ai/indexes/${INDEX}/query`, { input, top_k: TOP })).body;
    found += results.filter(({ id }: { id: string }) => nearest.includes(id)).length;
  }
  const recall = found / (TOP * QUESTIONS.length);
  const isReached = recall >= RECALL_AIM;
  console.log(
    `vectors, recall at ${TOP} (${kind}): ${recall.toFixed(3)} (aim ${RECALL_AIM}${isReached ? '' : ', MISSED'})`,
  );
  return isReached;
}
