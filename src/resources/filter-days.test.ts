import assert from 'node:assert/strict';
import test from 'node:test';
import { OPERATIONS } from './filter-sql.ts';
import { readOperands } from './filter-values.ts';

test('a range includes its whole last day', () => {
  const [start, end] = ['2026-01-31T00:00:00.000Z', '2026-01-31T23:59:59.999999Z'];
  for (const [operation, value, operands] of [
    ['between', ['2026-01-31', '2026-01-31'], [start, end]],
    ['between', ['2026-01-30T12:00:00Z', '2026-01-31'], ['2026-01-30T12:00:00.000Z', end]],
    ['between', ['2026-01-31', '2026-01-31T12:00:00Z'], [start, '2026-01-31T12:00:00.000Z']],
    ['between', ['2024-02-29', '2024-02-29'], ['2024-02-29T00:00:00.000Z', '2024-02-29T23:59:59.999999Z']],
    ['lte', '2026-01-31', [end]],
    ['gt', '2026-01-31', [end]],
    ['lt', '2026-01-31', [start]],
    ['gte', '2026-01-31', [start]],
    ['eq', '2026-01-31', [start]],
    ['lte', '2026-01-31T00:00:00Z', [start]],
    ['gt', '2026-01-31T00:00', [start]],
  ] as const)
    assert.deepEqual(
      readOperands('time', OPERATIONS[operation].takes, value),
      { operands },
      `${operation} ${value}`,
    );
  assert.deepEqual(readOperands('date', 'two values', ['2026-01-31', '2026-01-31']), {
    operands: ['2026-01-31', '2026-01-31'],
  });
});
