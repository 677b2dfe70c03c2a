import assert from 'node:assert/strict';
import test from 'node:test';
import { isSqlState, UNIQUE_VIOLATION } from './sqlstate.ts';

const refusal = (facts: object) => Object.assign(new Error('refused'), { code: UNIQUE_VIOLATION, ...facts });

test('a constraint is identified by the name that the server reports', () => {
  assert.ok(isSqlState(refusal({ constraint: 'forms_name' }), UNIQUE_VIOLATION, 'forms_name'));
  assert.ok(!isSqlState(refusal({ constraint: 'forms_name' }), UNIQUE_VIOLATION, 'forms_code'));
  assert.ok(!isSqlState(refusal({ constraint: 'forms_name' }), '23503', 'forms_name'));
});
