/** Which tags a client holds, and what it is told then. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isHeld } from './conditional-reads.ts';

const holds = (given: string | undefined, etag: string) =>
  isHeld(given === undefined ? {} : { 'if-none-match': given }, etag);

test('a tag is held by the weak comparison, wherever it stands in the list', () => {
  for (const given of ['"a"', 'W/"a"', '"b", W/"a"', '"b,c" , "a"', '  "a"  ', '*', ' * '])
    assert.ok(holds(given, '"a"'), given);
  assert.ok(holds('"a"', 'W/"a"'));
  assert.ok(holds('"a,b"', '"a,b"'));
});

test('another tag, part of one, or none at all is not held', () => {
  for (const given of [undefined, '', '"b"', '"A"', 'a', '"aa"', '"b,a"', '"*"', '"a', 'W/', '"b" "c'])
    assert.ok(!holds(given, '"a"'), given);
});

test('whatever a client sends is read', () => {
  fc.assert(fc.property(fc.string({ maxLength: 200 }), (given) => typeof holds(given, '"a"') === 'boolean'));
});
