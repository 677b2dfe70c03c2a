import assert from 'node:assert/strict';
import test from 'node:test';
import { addViolationDetails } from './shard-error.ts';

/** Returns the details of an error after they were added. */
function noted(message: string, facts: object = {}): object {
  const error = Object.assign(new Error(message), facts);
  addViolationDetails(error);
  return { ...error };
}

test('a violated constraint is reported by its own name', () => {
  for (const [message, constraint] of [
    ['duplicate key value violates unique constraint "forms_name_102013"', 'forms_name'],
    [
      'update or delete on table "a_102013" violates foreign key constraint "b__a_id__refers_102014" on table "b_102014"',
      'b__a_id__refers',
    ],
    ['new row for relation "a_2_102013" violates check constraint "a_2__n__max_102013"', 'a_2__n__max'],
  ] as const) {
    assert.deepEqual(noted(message), { constraint });
    // Message of the connected node if it has the row itself.
    assert.deepEqual(noted(message, { constraint: `${constraint}_102013` }), { constraint });
  }
});

test('a column that must not be null is reported', () => {
  const message = 'null value in column "f_count" of relation "item_102013" violates not-null constraint';
  assert.deepEqual(noted(message), { column: 'f_count' });
});

test('other errors stay unchanged', () => {
  assert.deepEqual(noted('canceling statement due to lock timeout', { code: '55P03' }), { code: '55P03' });
});
