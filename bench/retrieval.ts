import type pg from 'pg';
import { createClient } from '../test/harness/client.ts';
import { measureRetrieval } from '../test/harness/measure-retrieval.ts';
import { RETRIEVAL_QUESTIONS } from '../test/harness/retrieval-set.ts';
import { startTessera } from './harness/children.ts';
import type { Bench } from './harness/options.ts';
import { createSampleAi, headersOf, INDEX, type SampleAi, seedItems } from './harness/sample-ai.ts';

const ITEMS = 100_000;
const WORDS_PER_ITEM = 60;
const VOCABULARY = 20_000;
const ROUNDS = 5;
/** Words of the vocabulary: one that is in nearly every item, and rarer ones. */
const QUESTION = ['zza', 'zzbc', 'zzdef', 'zzghi', 'zzbcde'].join(' ');
const FIRST_AIM = 0.9;
const AMONG_THREE_AIM = 0.95;

/**
 * Share of questions of the evaluation set that find their text, and query times with and without words in the items.
 */
export const retrieval: Bench = async (kind, options, onEnd) => {
  const count = options.rows ?? ITEMS;
  const sample = await createSampleAi(kind, onEnd);
  await sample.database.asOwner((client) => seedItems(client, sample, count));
  const tessera = await startTessera(sample.database.env, options);
  onEnd(tessera.stop);
  const api = createClient(tessera.url, headersOf(sample));
  const query = () => api.post(`/api/ai/indexes/${INDEX}/query`, { input: QUESTION });
  const without = await medianMs(query);
  await sample.database.asOwner((client) => addWords(client, sample));
  const together = await medianMs(query);
  console.log(
    `retrieval, a query of ${count} items (${kind}): ${together} ms with their words, ${without} ms by vectors alone`,
  );
  const { first, inFirstThree, missed } = await measureRetrieval(api);
  const { length } = RETRIEVAL_QUESTIONS;
  const isReached = first / length >= FIRST_AIM && inFirstThree / length >= AMONG_THREE_AIM;
  console.log(
    `retrieval, hit rate of ${length} questions (${kind}): ${first / length} at 1, ${inFirstThree / length} at 3 ` +
      `(aims ${FIRST_AIM}, ${AMONG_THREE_AIM}${isReached ? '' : ', MISSED'})`,
  );
  for (const question of missed) console.log(`  not among three: ${question}`);
  return isReached;
};

async function medianMs(query: () => Promise<unknown>): Promise<number> {
  await query();
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    await query();
    times.push(performance.now() - start);
  }
  return Math.round(times.sort((one, other) => one - other)[Math.floor(ROUNDS / 2)] ?? 0);
}

/** Gives items random words, few of them frequent and many rare. */
async function addWords(client: pg.PoolClient, { tenant }: SampleAi): Promise<void> {
  await client.query(
    `update ai_index_items i set word_count = $2, terms = (
       select to_tsvector('simple', string_agg(
         'zz' || translate(floor($3::int * random() ^ 3)::int::text, '0123456789', 'abcdefghij'), ' '))
       from generate_series(1, $2::int) n where i.id <> '')
     where tenant_id = $1 and id like 'i%'`,
    [tenant.tenantId, WORDS_PER_ITEM, VOCABULARY],
  );
  await client.query('vacuum analyze ai_index_items');
}
