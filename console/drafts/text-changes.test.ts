import assert from 'node:assert/strict';
import test from 'node:test';
import { textParts } from './text-changes.ts';

const shown = (before: string, after: string) =>
  textParts(before, after)
    .map(({ kind, text }) => (kind === 'same' ? text : kind === 'added' ? `+${text}+` : `-${text}-`))
    .join('|');

test('only the words that differ are changed', () => {
  assert.equal(shown('Good morning, Ada', 'Good evening, Ada'), 'Good |-morning-|+evening+|, Ada');
});

test('tags of HTML are words', () => {
  assert.equal(shown('<p class="a">Hi</p>', '<p>Hi</p>'), '-<p class="a">-|+<p>+|Hi</p>');
});

test('several places are told apart, and texts may be empty', () => {
  assert.equal(shown('a b c d', 'a x c y'), 'a |-b-|+x+| c |-d-|+y+');
  assert.equal(shown('', 'new'), '+new+');
  assert.equal(shown('same', 'same'), 'same');
});

test('texts that have too much in between are replaced there, and not compared for minutes', () => {
  const words = (name: string) => Array.from({ length: 2000 }, (_, index) => `${name}${index}`).join(' ');
  const parts = textParts(`Start ${words('a')} end`, `Start ${words('b')} end`);
  assert.deepEqual(
    parts.map(({ kind }) => kind),
    ['same', 'removed', 'added', 'same'],
  );
});
