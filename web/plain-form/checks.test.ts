import assert from 'node:assert/strict';
import test from 'node:test';
import type { PlainCheck } from '../../src/features/forms/embed/plain-form/script-form.ts';
import { findFaults } from './checks.ts';

const message = 'No.';
const required: PlainCheck = { kind: 'required', message };

function accepts(check: PlainCheck, ...values: unknown[]): boolean[] {
  return values.map((value) => findFaults([check], value).length === 0);
}

test('a missing answer has only that error', () => {
  const checks: PlainCheck[] = [required, { kind: 'min', limit: 3, message: 'Low.' }];
  assert.deepEqual(findFaults(checks, undefined), [message]);
  assert.deepEqual(findFaults(checks, 2), ['Low.']);
  assert.deepEqual(accepts(required, 0, false, ' '), [true, true, true]);
});

test('an unreadable answer has only that error', () => {
  const checks: PlainCheck[] = [required, { kind: 'valid', message: 'What?' }];
  assert.deepEqual(findFaults(checks, undefined, false), ['What?']);
});

test('bounds compare numbers, dates of any year, and times', () => {
  assert.deepEqual(accepts({ kind: 'max', limit: 9, message }, 9, 10, 9.5), [true, false, false]);
  const dates = ['2999-12-31', '3000-01-01', '12345-01-01'];
  assert.deepEqual(accepts({ kind: 'max', limit: '2999-12-31', message }, ...dates), [true, false, false]);
  assert.deepEqual(accepts({ kind: 'min', limit: '09:00', message }, '09:00', '08:59'), [true, false]);
  assert.deepEqual(accepts({ kind: 'step', limit: 0.1, message }, 0.3, 0.35), [true, false]);
});

test('limits apply to the length of texts and the number of choices', () => {
  assert.deepEqual(accepts({ kind: 'minLength', limit: 2, message }, 'a', 'ab', ['a'], ['a', 'b']), [
    false,
    true,
    false,
    true,
  ]);
  assert.deepEqual(accepts({ kind: 'maxLength', limit: 1, message }, 'a', 'ab', ['a', 'b']), [
    true,
    false,
    false,
  ]);
});

test('patterns that the browser does not support are accepted', () => {
  const pattern = (source: string): PlainCheck => ({ kind: 'pattern', source, ignoresCase: true, message });
  assert.deepEqual(accepts(pattern('^a+$'), 'AA', 'b'), [true, false]);
  assert.deepEqual(accepts(pattern('(?P<a>b'), 'b'), [true]);
});
