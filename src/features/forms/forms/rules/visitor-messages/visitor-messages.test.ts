import assert from 'node:assert/strict';
import test from 'node:test';
import { english } from './english.ts';
import { languages, visitorMessagesIn } from './index.ts';

const placeholdersIn = (text = ''): string[] => (text.match(/\{\w+\}/g) ?? []).sort();

test('every language has all messages translated, with the same placeholders', () => {
  assert.equal(languages.size, 10);
  const faults = [...languages].flatMap(([language, messages]) => {
    const translated: ReadonlyMap<string, string> = new Map(Object.entries(messages));
    return Object.entries(english).flatMap(([code, text]) => {
      const own = translated.get(code);
      const isEnglish = language !== 'en' && own === text;
      const isTranslated = own !== undefined && own.trim() !== '' && !isEnglish;
      const hasSamePlaceholders = placeholdersIn(own).join() === placeholdersIn(text).join();
      return isTranslated && hasSamePlaceholders ? [] : [`${language}: ${code}`];
    });
  });
  assert.deepEqual(faults, []);
});

test('a dialect uses the messages of its language, and an unknown language the English ones', () => {
  assert.equal(visitorMessagesIn('de-AT').language, 'de');
  assert.equal(visitorMessagesIn('PT-br').language, 'pt');
  for (const locale of ['da', '', 'constructor', '-'])
    assert.equal(visitorMessagesIn(locale).messages, english);
});
