import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { changesBetween } from './changes.ts';
import { isEqual } from './json.ts';
import { merge } from './merge.ts';

const theirsWin = () => 'theirs' as const;
const items = fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 5 }), n: fc.integer({ max: 3 }) }), {
  selector: ({ id }) => id,
});
/** Small objects, so that two of them often change the same part. */
const records = fc.record(
  {
    name: fc.constantFrom('', 'a', 'b', null),
    tags: fc.array(fc.constantFrom('x', 'y'), { maxLength: 2 }),
    brand: fc.record({ color: fc.constantFrom('red', 'blue'), logo: fc.constantFrom('', 'l') }),
    steps: items,
    type: fc.constantFrom('mail', 'wait'),
  },
  { requiredKeys: [] },
);

test('a side that changed nothing takes over the other', () => {
  fc.assert(
    fc.property(records, records, (base, other) => {
      assert.deepEqual(merge(base, other, base), { value: other, conflicts: [] });
      assert.deepEqual(merge(base, base, other), { value: other, conflicts: [] });
    }),
  );
});

test('equal changes of both sides are no conflict', () => {
  fc.assert(
    fc.property(records, records, (base, both) => {
      assert.deepEqual(merge(base, both, structuredClone(both)), { value: both, conflicts: [] });
    }),
  );
});

test('both sides find the same conflicts, and choosing one side gives it all of them', () => {
  fc.assert(
    fc.property(records, records, records, (base, mine, theirs) => {
      const here = merge(base, mine, theirs);
      const there = merge(base, theirs, mine, theirsWin);
      const paths = (found: typeof here) => found.conflicts.map(({ path }) => path.join('/')).sort();
      assert.deepEqual(paths(here), paths(there));
      if (here.conflicts.length === 0) assert.deepEqual(sortSteps(here.value), sortSteps(there.value));
    }),
  );
});

/** If both sides add an item at the same place, each puts its own first. */
function sortSteps({ steps = [], ...others }: { readonly steps?: readonly { readonly id: number }[] }) {
  return { ...others, steps: [...steps].sort((a, b) => a.id - b.id) };
}

test('a part of the result is a part of one of the sides', () => {
  fc.assert(
    fc.property(records, records, records, (base, mine, theirs) => {
      const { value } = merge(base, mine, theirs);
      for (const part of ['name', 'tags', 'type'] as const)
        assert.ok([mine[part], theirs[part]].some((side) => isEqual(side, value[part])));
    }),
  );
});

test('a change is undone by a merge that goes back from it', () => {
  fc.assert(
    fc.property(records, records, (before, after) => {
      assert.ok(isEqual(merge(after, before, after).value, before));
    }),
  );
});

test('members of nested objects merge', () => {
  const base = { name: 'A', brand: { color: 'red', logo: '' } };
  const mine = { name: 'A', brand: { color: 'blue', logo: '' } };
  const theirs = { name: 'B', brand: { color: 'red', logo: 'l' } };
  assert.deepEqual(merge(base, mine, theirs), {
    value: { name: 'B', brand: { color: 'blue', logo: 'l' } },
    conflicts: [],
  });
});

test('a member that both sides changed is a conflict with all three values', () => {
  const { value, conflicts } = merge({ name: 'A', n: 1 }, { name: 'B', n: 1 }, { name: 'C', n: 2 });
  assert.deepEqual(value, { name: 'B', n: 2 });
  assert.deepEqual(conflicts, [{ path: ['name'], base: 'A', mine: 'B', theirs: 'C' }]);
  assert.deepEqual(merge({ name: 'A' }, { name: 'B' }, { name: 'C' }, theirsWin).value, { name: 'C' });
});

test('items with ids merge by id: added on both sides, changed, moved and removed', () => {
  const base = [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
    { id: 'c', n: 1 },
  ];
  const mine = [
    { id: 'c', n: 1 },
    { id: 'a', n: 2 },
    { id: 'new', n: 9 },
  ];
  const theirs = [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
    { id: 'c', n: 3 },
    { id: 'last', n: 7 },
  ];
  assert.deepEqual(merge(base, mine, theirs), {
    value: [
      { id: 'c', n: 3 },
      { id: 'last', n: 7 },
      { id: 'a', n: 2 },
      { id: 'new', n: 9 },
    ],
    conflicts: [],
  });
});

test('an item that one side removed and the other changed is a conflict', () => {
  const base = [{ key: 'a', n: 1 }];
  const { conflicts } = merge(base, [], [{ key: 'a', n: 2 }]);
  assert.deepEqual(conflicts, [
    { path: ['a'], base: { key: 'a', n: 1 }, mine: undefined, theirs: { key: 'a', n: 2 } },
  ]);
  assert.deepEqual(merge(base, [], [{ key: 'a', n: 2 }], theirsWin).value, [{ key: 'a', n: 2 }]);
});

test('a list is one conflict if both sides moved its items, or if items have no ids', () => {
  const ids = (text: string) => [...text].map((id) => ({ id }));
  assert.deepEqual(
    merge(ids('abc'), ids('bac'), ids('acb')).conflicts.map(({ path }) => path),
    [[]],
  );
  assert.deepEqual(merge(['a'], ['a', 'b'], ['a', 'c']).value, ['a', 'b']);
  assert.equal(merge(['a'], ['a', 'b'], ['a', 'c']).conflicts.length, 1);
});

test('an object that became another kind is not mixed with members of the old kind', () => {
  const base: object = { step: { type: 'wait', days: 1 } };
  const mine = { step: { type: 'mail', template: 't' } };
  const theirs = { step: { type: 'wait', days: 2 } };
  assert.deepEqual(
    merge(base, mine, theirs).conflicts.map(({ path }) => path),
    [['step']],
  );
});

test('members with the names of inherited ones are ordinary members', () => {
  const base = JSON.parse('{}');
  const mine = JSON.parse('{"constructor": 1}');
  const theirs = JSON.parse('{"__proto__": 2}');
  assert.equal(JSON.stringify(merge(base, mine, theirs).value), '{"constructor":1,"__proto__":2}');
});

test('changes are listed by member and by item', () => {
  const before = { name: 'A', brand: { color: 'red' }, steps: [{ id: 1, n: 1 }], tags: ['x'] };
  const after = { name: 'A', brand: { color: 'blue' }, steps: [{ id: 1, n: 2 }], tags: ['y'] };
  assert.deepEqual(changesBetween(before, after), [
    { path: ['brand', 'color'], before: 'red', after: 'blue' },
    { path: ['steps', '1', 'n'], before: 1, after: 2 },
    { path: ['tags'], before: ['x'], after: ['y'] },
  ]);
});

test('a value without changes has none, also if it has undefined members', () => {
  fc.assert(
    fc.property(records, (value) => {
      assert.deepEqual(changesBetween(value, { ...structuredClone(value), extra: undefined }), []);
    }),
  );
});
