import assert from 'node:assert/strict';
import test from 'node:test';
import { isSqlState, UNIQUE_VIOLATION } from './sqlstate.ts';

const refusal = (facts: object, message = 'refused') =>
  Object.assign(new Error(message), { code: UNIQUE_VIOLATION, ...facts });

test('a constraint is known by the name that a server tells', () => {
  assert.ok(isSqlState(refusal({ constraint: 'forms_name' }), UNIQUE_VIOLATION, 'forms_name'));
  assert.ok(!isSqlState(refusal({ constraint: 'forms_name' }), UNIQUE_VIOLATION, 'forms_code'));
  assert.ok(!isSqlState(refusal({ constraint: 'forms_name' }), '23503', 'forms_name'));
});

test('a constraint of a part of a table on a cluster is known by the message', () => {
  const error = refusal({}, 'duplicate key value violates unique constraint "forms_name_102013"');
  assert.ok(isSqlState(error, UNIQUE_VIOLATION, 'forms_name'));
  assert.ok(!isSqlState(error, UNIQUE_VIOLATION, 'forms'));
  assert.ok(!isSqlState(error, UNIQUE_VIOLATION, 'name'));
});
