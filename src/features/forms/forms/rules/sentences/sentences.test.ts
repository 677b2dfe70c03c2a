import assert from 'node:assert/strict';
import test from 'node:test';
import { english } from './english.ts';
import { languages, sentencesIn } from './index.ts';

const placesOf = (text = ''): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test('every language has all messages translated, with the same placeholders', () => {
  assert.equal(languages.size, 10);
  const faults = [...languages].flatMap(([language, sentences]) => {
    const translated: ReadonlyMap<string, string> = new Map(Object.entries(sentences));
    return Object.entries(english).flatMap(([code, text]) => {
      const own = translated.get(code);
      const isForeign = language !== 'en' && own === text;
      const isSaid = own !== undefined && own.trim() !== '' && !isForeign;
      const hasPlaces = placesOf(own).join() === placesOf(text).join();
      return isSaid && hasPlaces ? [] : [`${language}: ${code}`];
    });
  });
  assert.deepEqual(faults, []);
});

test('a dialect uses the messages of its language, and an unknown language those of English', () => {
  assert.equal(sentencesIn('de-AT').language, 'de');
  assert.equal(sentencesIn('PT-br').language, 'pt');
  for (const locale of ['da', '', 'constructor', '-']) assert.equal(sentencesIn(locale).sentences, english);
});
