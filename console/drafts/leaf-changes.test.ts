import assert from 'node:assert/strict';
import test from 'node:test';
import { leafChanges } from './leaf-changes.ts';

test('values deep in objects are named by their path', () => {
  assert.deepEqual(leafChanges({ a: { b: 1, c: 2 }, d: 3 }, { a: { b: 1, c: 4 } }), [
    { path: 'a.c', before: 2, after: 4 },
    { path: 'd', before: 3, after: undefined },
  ]);
});

test('items with names are compared by name, also after they were moved', () => {
  const before = { elements: [{ name: 'email', title: 'Mail' }, { name: 'age' }] };
  const after = { elements: [{ name: 'age' }, { name: 'email', title: 'Address' }] };
  assert.deepEqual(leafChanges(before, after), [
    { path: 'elements[email].title', before: 'Mail', after: 'Address' },
    { path: 'elements[]', before: 'email, age', after: 'age, email' },
  ]);
});

test('other items are compared between the equal beginning and end of their lists', () => {
  assert.deepEqual(leafChanges(['a', 'b', 'd'], ['a', 'c', 'b', 'd']), [
    { path: '[1]', before: undefined, after: 'c' },
  ]);
  assert.deepEqual(leafChanges([{ url: 'x' }], [{ url: 'y' }]), [
    { path: '[0].url', before: 'x', after: 'y' },
  ]);
});

test('an item of another name is removed and added, value by value', () => {
  assert.deepEqual(leafChanges([{ name: 'a' }], [{ name: 'b', choices: ['x', 'y'] }]), [
    { path: '[a].name', before: 'a', after: undefined },
    { path: '[b].name', before: undefined, after: 'b' },
    { path: '[b].choices', before: undefined, after: ['x', 'y'] },
  ]);
});
