import assert from 'node:assert/strict';
import test from 'node:test';
import { printView, readView } from './view-query.ts';

test('a view keeps search, filter, order, columns and density', () => {
  const view = {
    search: 'ä & b',
    filter: 'status is failed and name contains "a=b"',
    sort: '-created_at',
    columns: 'name:320,status',
    density: 'compact',
  } as const;
  assert.deepEqual(readView(printView(view)), view);
});

test('a view removes what it does not name', () => {
  assert.deepEqual(readView('sort=name'), {
    search: undefined,
    filter: undefined,
    sort: 'name',
    columns: undefined,
    density: undefined,
  });
});

test('the same table is always printed in the same way', () => {
  assert.equal(printView({ sort: 'name', search: 'a' }), printView({ search: 'a', sort: 'name' }));
  assert.equal(printView({}), '');
});
