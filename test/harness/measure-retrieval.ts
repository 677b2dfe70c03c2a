import { randomUUID } from 'node:crypto';
import type { Client } from './client.ts';
import { RETRIEVAL_QUESTIONS, RETRIEVAL_TEXTS } from './retrieval-set.ts';

/** Number of questions of the evaluation set that find their text first, and among the first three. */
export interface Retrieval {
  readonly first: number;
  readonly inFirstThree: number;
  /** Questions whose text is not among the first three, with the texts that were found. */
  readonly missed: readonly string[];
}

/** Creates an index of the evaluation set and queries it with all questions. */
export async function measureRetrieval(api: Client): Promise<Retrieval> {
  const name = `evaluation-${randomUUID()}`;
  await api.post('/api/ai/indexes', { name, contentsDescription: 'Texts', metadataDefinition: [] });
  const data = Object.entries(RETRIEVAL_TEXTS).map(([id, input]) => ({ id, input, metadata: {} }));
  await api.post(`/api/ai/indexes/${name}/upsert`, { data });
  let first = 0;
  let inFirstThree = 0;
  const missed: string[] = [];
  for (const [input, expected] of RETRIEVAL_QUESTIONS) {
    const { results } = (await api.post(`/api/ai/indexes/${name}/query`, { input, top_k: 3 })).body;
    const place = results.findIndex(({ id }: { id: string }) => id === expected);
    if (place === 0) first += 1;
    if (place >= 0) inFirstThree += 1;
    else missed.push(`${input}: ${results.map(({ id }: { id: string }) => id).join(', ')}`);
  }
  return { first, inFirstThree, missed };
}
