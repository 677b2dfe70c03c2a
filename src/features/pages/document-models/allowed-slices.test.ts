import assert from 'node:assert/strict';
import test from 'node:test';
import { allowedSlicesIn } from './allowed-slices.ts';

const zone = (...ids: string[]) => ({
  type: 'Slices',
  config: { choices: Object.fromEntries(ids.map((id) => [id, { type: 'SharedSlice' }])) },
});

test('the slices of every zone are found once, including those in groups', () => {
  const definition = {
    Main: { title: { type: 'Text', config: { label: 'Slices' } }, body: zone('hero', 'quote') },
    More: { rows: { type: 'Group', config: { fields: { cells: zone('quote', 'card') } } }, aside: zone() },
  };
  assert.deepEqual(allowedSlicesIn(definition), ['card', 'hero', 'quote']);
});

test('values that only resemble a zone name no slices', () => {
  for (const field of [
    { type: 'Slices' },
    { type: 'Slices', config: null },
    { type: 'Slices', config: { choices: ['hero'] } },
    { type: 'Slices', config: { choices: 'hero' } },
    { type: 'Select', config: { choices: { hero: {} } } },
    { type: 'Slices', config: { choices: { 'no id': {}, '': {} } } },
  ])
    assert.deepEqual(allowedSlicesIn({ Main: { field } }), []);
  for (const value of [null, 'Slices', 5, []]) assert.deepEqual(allowedSlicesIn(value), []);
});

test('a zone in a definition of a hundred thousand values is found', () => {
  const many = Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`f${n}`, { type: 'Text' }]));
  assert.deepEqual(allowedSlicesIn({ Main: { ...many, body: zone('hero') } }), ['hero']);
});
