import assert from 'node:assert/strict';
import test from 'node:test';
import { activityList } from '../../sdk/src/generated/lists.ts';
import { parseFilter } from '../filters/filter-text.ts';
import { activityFilter } from './activity-filter.ts';

test('the filter finds keys with any letters', () => {
  for (const key of ['abc', 'site#about', 'a "quoted" \\ key and more'])
    assert.deepEqual(
      parseFilter(activityFilter({ entityType: 'form', entitySortKey: key }), activityList.filters),
      {
        conditions: [
          { field: 'entity_type', operation: 'eq', values: ['form'] },
          { field: 'key', operation: 'eq', values: [key] },
        ],
        faults: [],
      },
    );
});
