import assert from 'node:assert/strict';
import test from 'node:test';
import { en } from './en.ts';
import { fill, fillHtml, recipientLanguage } from './recipient-language.ts';

const LANGUAGES = ['ar', 'de', 'en', 'es', 'fr', 'it', 'ja', 'nl', 'pl', 'pt'];

test('every language has the placeholders of the English texts, and no others', () => {
  const placeholdersOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();
  for (const language of LANGUAGES) {
    const { tag, texts } = recipientLanguage(language);
    assert.equal(tag, language);
    for (const [name, text] of Object.entries(texts))
      assert.deepEqual(
        placeholdersOf(text),
        placeholdersOf(Object.entries(en).find(([key]) => key === name)?.[1] ?? ''),
        `${language}.${name}`,
      );
  }
});

test('the most preferred available language is used, then the locale, then English', () => {
  const tagOf = (...wishes: Parameters<typeof recipientLanguage>) => recipientLanguage(...wishes).tag;
  assert.equal(tagOf('fi, de;q=0.8, fr;q=0.9', 'es'), 'fr');
  assert.equal(tagOf('fi', 'pt-BR'), 'pt-BR');
  assert.equal(tagOf(undefined, 'fi'), 'en');
  assert.equal(tagOf('*', undefined), 'en');
  assert.equal(tagOf('de"><script>', undefined), 'en');
});

test('values are inserted as text, and escaped in HTML', () => {
  assert.equal(fill('{sender}: {other}', { sender: 'A' }), 'A: {other}');
  assert.equal(fillHtml('<{sender}>', { sender: '<A>' }).toString(), '&lt;&lt;A&gt;&gt;');
});
