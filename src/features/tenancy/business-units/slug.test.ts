import assert from 'node:assert/strict';
import test from 'node:test';
import { freeSlug, SLUG_PATTERN, slugOf } from './slug.ts';

test('a slug consists of the letters and digits of the name', () => {
  assert.equal(slugOf('Zürich  Süd!'), 'zurich-sud');
  assert.equal(slugOf('--North & South--'), 'north-south');
  assert.equal(slugOf('a'.repeat(200)), 'a'.repeat(60));
  assert.equal(slugOf(`${'a'.repeat(59)} b`), 'a'.repeat(59));
});

for (const [name, slug] of [
  ['Größe', 'grosse'],
  ['STRAẞE', 'strasse'],
  ['Smørrebrød', 'smorrebrod'],
  ['Łódź', 'lodz'],
  ['Æble & Œuvre', 'aeble-oeuvre'],
  ['Đà Nẵng', 'da-nang'],
  ['Þingvellir', 'thingvellir'],
  ['Diyarbakır İzmir', 'diyarbakir-izmir'],
  ['Ħal Qormi', 'hal-qormi'],
  ['Čeština ŽŠŘ', 'cestina-zsr'],
  ['Москва', 'moskva'],
  ['Київ', 'kiiv'],
  ['Ѝже Щука', 'izhe-shchuka'],
  ['Αθήνα', 'athina'],
  ['ﬁne ① Ⅳ', 'fine-1-iv'],
  ['Ørsted ™ 50 %', 'orsted-tm-50'],
  ['東京 Tokyo', 'tokyo'],
] as const)
  test(`a slug transliterates ${name}`, () => {
    assert.equal(slugOf(name), slug);
  });

test('a name without a usable letter, or one that looks like an id, gives "unit"', () => {
  assert.equal(slugOf('東京'), 'unit');
  assert.equal(slugOf('01a1fe3a-c487-73b2-847d-82556aaeb63f'), 'unit');
});

test('a taken slug gets the first free number and stays within 60 characters', () => {
  assert.equal(freeSlug('north', new Set()), 'north');
  assert.equal(freeSlug('north', new Set(['north', 'north-2'])), 'north-3');
  const long = 'a'.repeat(60);
  assert.equal(freeSlug(long, new Set([long])), `${'a'.repeat(58)}-2`);
});

test('the pattern matches slugs and nothing that looks like an id', () => {
  const pattern = new RegExp(SLUG_PATTERN);
  for (const slug of ['a', 'north-2', 'a_b-c', '0', 'a'.repeat(60)]) assert.match(slug, pattern);
  const refused = ['', '-a', 'a-', 'a--b', 'A', 'a b', 'é', 'a'.repeat(61), crypto.randomUUID(), 'a\n'];
  for (const slug of refused) assert.doesNotMatch(slug, pattern);
});
