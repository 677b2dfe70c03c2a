import assert from 'node:assert/strict';
import test from 'node:test';
import { chooseLanguage } from './language.ts';
import { englishTexts } from './page-texts.ts';
import { textsIn } from './translations.ts';

const available = new Set(['de', 'pt', 'pt-br', 'zh-cn', 'zh-tw', 'ar', 'nl-BE']);

function choose(requested: string | undefined, form: unknown, accepted = '') {
  return chooseLanguage({ requested, form, accepted }, available);
}

test('the URL precedes the form, the form precedes the browser, and English is last', () => {
  assert.equal(choose('de', 'ar', 'pt').tag, 'de');
  assert.equal(choose(undefined, 'ar', 'pt').tag, 'ar');
  assert.equal(choose(undefined, undefined, 'pt').tag, 'pt');
  assert.deepEqual(choose(undefined, undefined), {
    tag: 'en',
    locale: 'en',
    textsFile: null,
    direction: 'ltr',
  });
});

test("the browser's most preferred available language is used", () => {
  assert.equal(choose(undefined, undefined, 'xx, pt;q=0.2, de-AT;q=0.8, ar;q=0').tag, 'de-AT');
  assert.equal(choose(undefined, undefined, 'en-GB,en;q=0.9,de;q=0.8').tag, 'en-GB');
  assert.equal(choose(undefined, undefined, '*,;q=,"><script>').tag, 'en');
});

test('a tag longer than any language tag is ignored, whatever its source', () => {
  const endless = `de${'-aa'.repeat(200_000)}`;
  assert.equal(choose(endless, undefined).tag, 'en');
  assert.equal(choose(undefined, endless).tag, 'en');
  assert.equal(choose(undefined, undefined, `${endless}, pt;q=0.5`).tag, 'pt');
});

test('a dialect uses the texts of the nearest language', () => {
  assert.equal(choose('pt-BR', undefined).textsFile, 'pt-br');
  assert.equal(choose('pt-PT', undefined).textsFile, 'pt');
  assert.equal(choose('nl-be', undefined).textsFile, 'nl-BE');
  assert.deepEqual(
    [choose('zh-Hant-HK', undefined).locale, choose('zh', undefined).locale],
    ['zh-tw', 'zh-cn'],
  );
});

test('Arabic is right-to-left', () => {
  assert.deepEqual([choose('ar-EG', undefined).direction, choose('de', undefined).direction], ['rtl', 'ltr']);
});

test('an invalid language tag is ignored, and a language without texts keeps its tag', () => {
  assert.equal(choose('"><script>', 7).tag, 'en');
  assert.deepEqual(choose(undefined, 'gd'), { tag: 'gd', locale: 'gd', textsFile: null, direction: 'ltr' });
});

test('every translation has all placeholders and differs from English', () => {
  const placesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).sort();
  for (const language of ['de', 'fr', 'es', 'it', 'pt', 'nl', 'pl', 'ja', 'ar']) {
    const texts = textsIn(language);
    assert.notEqual(texts.sent, englishTexts.sent, language);
    assert.deepEqual(placesOf(texts.tooMany), ['{seconds}'], language);
    assert.deepEqual(placesOf(texts.pageOf), ['{pages}', '{page}'], language);
  }
  assert.deepEqual(textsIn('gd'), englishTexts);
  assert.deepEqual(textsIn('constructor'), englishTexts);
});
