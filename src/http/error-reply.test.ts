import assert from 'node:assert/strict';
import test from 'node:test';
import { DatabaseUnavailableError } from '../db/database-unavailable.ts';
import { toAppError } from './error-reply.ts';

test('a response too large for a string is rejected as too large, not as a server error', () => {
  const tooLong = () => 'x'.repeat(2 ** 30);
  assert.throws(tooLong, (thrown) => {
    const { definition, message } = toAppError(thrown);
    assert.deepEqual([definition.status, definition.code], [422, 'VALIDATION_ERROR']);
    assert.match(message, /fewer items/);
    return true;
  });
});

test('an unexpected error is an internal error without detail', () => {
  for (const thrown of [new RangeError('Invalid array length'), new Error('secret'), 'text', undefined]) {
    const { definition, message } = toAppError(thrown);
    assert.equal(definition.status, 500);
    assert.doesNotMatch(message, /secret|array/);
  }
});

test('an unavailable database is a reason to try again', () => {
  const ofServer = (code: string) => Object.assign(new Error('terminating connection'), { code });
  const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  for (const thrown of [
    ...['57P01', '57P02', '57P03', '53300', '08006'].map(ofServer),
    new Error('Connection terminated unexpectedly'),
    new DatabaseUnavailableError(refused),
  ]) {
    const { definition, retryAfterSeconds } = toAppError(thrown);
    assert.deepEqual([definition.status, definition.code], [503, 'DATABASE_UNAVAILABLE']);
    assert.equal(retryAfterSeconds, 5);
  }
  // Another server refused.
  assert.equal(toAppError(refused).definition.status, 500);
});
