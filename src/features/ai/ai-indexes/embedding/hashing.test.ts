import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { LABELLED } from '../../../../../test/harness/labelled-texts.ts';
import { hashText, hashTexts } from './hashing.ts';

const product = (one: readonly number[], other: readonly number[]) =>
  one.reduce((sum, value, place) => sum + value * (other[place] ?? 0), 0);

/** Returns the texts, most similar to a question first. */
function rank(question: string): string[] {
  const vector = hashText(question);
  return LABELLED.texts
    .map((text) => ({ text, score: product(vector, hashText(text)) }))
    .sort((a, b) => b.score - a.score)
    .map(({ text }) => text);
}

test('a vector has 256 numbers and length 1, and is the same for the same text', () => {
  const vector = hashText('Trains to Vienna leave every hour');
  assert.equal(vector.length, 256);
  assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-4);
  assert.deepEqual(vector, hashText('Trains to Vienna leave every hour'));
});

test('letter case, punctuation and width do not matter', () => {
  assert.deepEqual(hashText('Trains, to VIENNA!'), hashText('trains to ｖｉｅｎｎａ'));
});

test('a text without letters and digits is similar to nothing', () => {
  assert.ok(hashText('… !?').every((value) => value === 0));
});

test('near-duplicates rank first in a labelled set', () => {
  for (const [copy, text] of LABELLED.nearDuplicates) assert.equal(rank(copy)[0], text, copy);
});

test('in nine of ten cases a text of the same words ranks first, else among the first three', () => {
  const places = LABELLED.questions.map(([question, text]) => rank(question).indexOf(text));
  for (const [index, place] of places.entries())
    assert.ok(place >= 0 && place < 3, `${LABELLED.questions[index]?.[0]}: ${place}`);
  assert.ok(places.filter((place) => place === 0).length >= places.length * 0.9, String(places));
});

test('a text whose Unicode form is longer is cut at the same length as others', () => {
  const long = '\u{FDFA} '.repeat(50_000);
  const cut = long.normalize('NFKC').slice(0, 100_000);
  assert.deepEqual(hashText(long), hashText(cut));
});

test('other work runs while many texts are converted to vectors', async () => {
  const texts = Array.from({ length: 8 }, (_, number) => `text ${number} `.repeat(15_000));
  let turns = 0;
  let isDone = false;
  const others = async () => {
    for (; !isDone; turns += 1) await setImmediate();
  };
  const working = others();
  const vectors = await hashTexts(texts);
  isDone = true;
  await working;
  assert.deepEqual(vectors[7], hashText(texts[7] ?? ''));
  assert.ok(turns >= texts.length, `${turns} turns`);
});
