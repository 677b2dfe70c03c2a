import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { printColumns, readColumns, readSort, type TableColumn } from './column.ts';

const COLUMNS: readonly TableColumn<object>[] = ['name', 'email', 'status', 'created'].map((id) => ({
  id,
  title: id,
  cell: () => null,
  isOptional: id === 'created',
}));
const read = (text?: string) => {
  const { shown, unknown } = readColumns(text, COLUMNS);
  return { shown: shown.map(({ id, chosenWidth }) => [id, chosenWidth]), unknown };
};

test('a URL without columns shows those that are not optional', () => {
  assert.deepEqual(read().shown, [
    ['name', null],
    ['email', null],
    ['status', null],
  ]);
});

test('columns are shown in the order and with the widths of the URL', () => {
  assert.deepEqual(read('created:200,name,status:9999').shown, [
    ['created', 200],
    ['name', null],
    ['status', 800],
  ]);
});

test('the column that names the row is always shown', () => {
  assert.deepEqual(read('status').shown, [
    ['name', null],
    ['status', null],
  ]);
  assert.deepEqual(read('').shown, [['name', null]]);
});

test('a column that the list does not have is reported, and the others are shown', () => {
  assert.deepEqual(read('name,gone:80,status,status:90'), {
    shown: [
      ['name', null],
      ['status', null],
    ],
    unknown: ['gone'],
  });
});

test('columns are read as they were printed', () => {
  const widths = fc.option(fc.integer({ min: 64, max: 800 }));
  const others = fc
    .shuffledSubarray(COLUMNS.slice(1))
    .chain((list) => fc.tuple(...list.map((each) => fc.record({ each: fc.constant(each), width: widths }))));
  fc.assert(
    fc.property(others, (chosen) => {
      const shown = [
        ...COLUMNS.slice(0, 1).map((each) => ({ ...each, chosenWidth: null })),
        ...chosen.map(({ each, width }) => ({ ...each, chosenWidth: width })),
      ];
      const again = readColumns(printColumns(shown, COLUMNS), COLUMNS).shown;
      assert.deepEqual(
        again.map(({ id, chosenWidth }) => [id, chosenWidth]),
        shown.map(({ id, chosenWidth }) => [id, chosenWidth]),
      );
    }),
  );
});

test('an order that the list does not offer is reported, and the usual one applies', () => {
  assert.deepEqual(readSort('-name', ['name'], '-created_at'), { sort: '-name', unknown: null });
  assert.deepEqual(readSort('-size', ['name'], '-created_at'), { sort: '-created_at', unknown: 'size' });
});
