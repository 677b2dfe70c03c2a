import assert from 'node:assert/strict';
import test from 'node:test';
import { subscribersList } from '../../sdk/src/generated/lists.ts';
import { readApiFilters } from './api-filters.ts';
import { toApiFilters } from './condition.ts';

const { filters: FACTS } = subscribersList;

test('both forms of a condition are read', () => {
  const one = { field: 'email', operation: 'like', values: ['@shop'] };
  const read = (email: unknown) => readApiFilters({ email }, FACTS).conditions;
  assert.deepEqual(read({ operation: 'like', value: '@shop' }), [one]);
  assert.deepEqual(read({ like: '@shop' }), [one]);
});

test('conditions are stored as they were read', () => {
  const stored = {
    first_name: { in: ['Ada', 'Grace'] },
    last_name: { empty: true },
    active: { eq: false },
    created_at: { gte: '2026-01-01', lt: '2026-02-01' },
    'additional_fields_data.visits': { between: [1, 3] },
  };
  const { conditions, rest } = readApiFilters(stored, FACTS);
  assert.deepEqual(rest, {});
  assert.deepEqual(toApiFilters(conditions, FACTS), stored);
});

test('what no condition can express is kept aside', () => {
  const stored = {
    engagement: { opened_since_days: 30 },
    email: { like: 'a', unknown: 'b' },
    last_name: { empty: false },
    active: { eq: null },
    created_at: { between: ['2026-01-01'] },
    first_name: 'Ada',
  };
  assert.deepEqual(readApiFilters(stored, FACTS), { conditions: [], rest: stored });
});
