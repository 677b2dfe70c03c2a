import assert from 'node:assert/strict';
import test from 'node:test';
import { flatten, isDark, withContrast } from './color.ts';

test('a readable colour stays exactly the same', () => {
  assert.equal(withContrast('#0f766e', ['#ffffff', '#f3f3f3'], 4.5), '#0f766e');
  assert.equal(withContrast('teal', ['#ffffff'], 21), 'teal');
});

test('an unreadable colour is adjusted until readable, on every background', () => {
  assert.match(withContrast('#ffcc00', ['#ffffff', '#f3f3f3'], 4.5), /^rgb\(1[0-4]\d, /);
  assert.match(withContrast('#0044aa', ['rgba(48, 48, 48, 1)'], 4.5), /^rgb\(/);
  assert.match(withContrast('rgba(255, 255, 255, 0.42)', ['#303030'], 4.5), /^rgb\(1/);
  assert.equal(withContrast('#777777', ['#ffffff', '#000000'], 21), 'rgb(0, 0, 0)');
});

test('translucent colours are judged as displayed', () => {
  assert.equal(flatten('rgba(0, 0, 0, 0.5)', '#ffffff'), 'rgb(128, 128, 128)');
  assert.equal(flatten('#00000080', '#fff'), 'rgb(127, 127, 127)');
  assert.equal(flatten('teal', '#fff'), null);
});

test('dark and light backgrounds are distinguished', () => {
  assert.deepEqual([isDark('#303030'), isDark('#f3f3f3'), isDark('black')], [true, false, false]);
});
