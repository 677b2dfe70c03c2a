import assert from 'node:assert/strict';
import test from 'node:test';
import { measureRetrieval } from '../../../../../test/harness/measure-retrieval.ts';
import { RETRIEVAL_QUESTIONS } from '../../../../../test/harness/retrieval-set.ts';
import { startTestApp } from '../../../../../test/harness/test-app.ts';

export const runsOn = ['embedded', 'server'];

const app = await startTestApp();
const { api } = await app.createTenant();

const index = async (name: string, texts: Readonly<Record<string, string>>) => {
  await api.post('/api/ai/indexes', { name, contentsDescription: 'x', metadataDefinition: [] });
  const data = Object.entries(texts).map(([id, input]) => ({ id, input, metadata: {} }));
  await api.post(`/api/ai/indexes/${name}/upsert`, { data });
};

const find = async (name: string, input: string): Promise<{ id: string; score: number }[]> =>
  (await api.post(`/api/ai/indexes/${name}/query`, { input, top_k: 3 })).body.results;

test('nine of ten questions of the evaluation set find their text first, and all but two find it among three', async () => {
  const { first, inFirstThree, missed } = await measureRetrieval(api);
  const { length } = RETRIEVAL_QUESTIONS;
  assert.ok(first >= length * 0.9, `${first} of ${length} first`);
  assert.ok(inFirstThree >= length - 2, missed.join('\n'));
});

test('a rare word outweighs a frequent one', async () => {
  await index('rare', {
    payment: 'The policy on payment. A payment policy lists each payment.',
    refunds: 'The policy on refunds.',
    gifts: 'The policy on gifts.',
  });
  assert.equal((await find('rare', 'refund policy'))[0]?.id, 'refunds');
});

test('quotes, operators and words of any script in a question are treated as words or ignored', async () => {
  await index('signs', { one: "O'Neill's rock & roll", two: '東京 タワー', three: 'weiß' });
  for (const input of ["'", "a' | 'b", '!& |:*', '\\', "o'neill", '\u0301', '😀', 'x'.repeat(5000)])
    assert.ok(Array.isArray(await find('signs', input)), input);
  assert.equal((await find('signs', "o'neill"))[0]?.id, 'one');
  assert.equal((await find('signs', '東京'))[0]?.id, 'two');
});

test('a text that repeats a word a thousand times, and one of 100,000 different words, are stored', async () => {
  const words = Array.from({ length: 100_000 }, (_each, number) => `w${number.toString(36)}x`).join(' ');
  await index('long', { repeated: 'saffron '.repeat(1000), many: words, short: 'saffron' });
  assert.equal((await find('long', 'saffron')).length, 3);
});
