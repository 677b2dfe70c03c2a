import assert from 'node:assert/strict';
import test from 'node:test';
import { childrenFirst } from './table-order.ts';

test('a table is emptied before every table that it references', () => {
  const references = [
    { child: 'a', parent: 'b' },
    { child: 'b', parent: 'c' },
    { child: 'd', parent: 'c' },
    { child: 'c', parent: 'c' },
    { child: 'x', parent: 'y' },
  ];
  const order = childrenFirst(['c', 'b', 'a', 'd'], references);
  assert.deepEqual(order, ['a', 'd', 'b', 'c']);
});

test('tables with cyclic references are rejected by name', () => {
  const references = [
    { child: 'a', parent: 'b' },
    { child: 'b', parent: 'a' },
  ];
  assert.throws(() => childrenFirst(['a', 'b'], references), /a, b/);
});
