import assert from 'node:assert/strict';
import test from 'node:test';
import { toAppError } from './error-reply.ts';

test('an answer that no text can hold is refused as too large, not as a fault of the server', () => {
  const tooLong = () => 'x'.repeat(2 ** 30);
  assert.throws(tooLong, (thrown) => {
    const { definition, message } = toAppError(thrown);
    assert.deepEqual([definition.status, definition.code], [422, 'VALIDATION_ERROR']);
    assert.match(message, /fewer items/);
    return true;
  });
});

test('what nobody foresaw is a fault of the server without detail', () => {
  for (const thrown of [new RangeError('Invalid array length'), new Error('secret'), 'text', undefined]) {
    const { definition, message } = toAppError(thrown);
    assert.equal(definition.status, 500);
    assert.doesNotMatch(message, /secret|array/);
  }
});
