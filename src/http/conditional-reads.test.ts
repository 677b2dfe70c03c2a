/** Comparison of the client's entity tags with the current one. */
import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { clientHasTag } from './conditional-reads.ts';

const holds = (header: string | undefined, etag: string) =>
  clientHasTag(header === undefined ? {} : { 'if-none-match': header }, etag);

test('a tag matches by weak comparison, anywhere in the list', () => {
  for (const header of ['"a"', 'W/"a"', '"b", W/"a"', '"b,c" , "a"', '  "a"  ', '*', ' * '])
    assert.ok(holds(header, '"a"'), header);
  assert.ok(holds('"a"', 'W/"a"'));
  assert.ok(holds('"a,b"', '"a,b"'));
});

test('another tag, a partial or missing one does not match', () => {
  for (const header of [undefined, '', '"b"', '"A"', 'a', '"aa"', '"b,a"', '"*"', '"a', 'W/', '"b" "c'])
    assert.ok(!holds(header, '"a"'), header);
});

test('any client input is parsed', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), (header) => typeof holds(header, '"a"') === 'boolean'),
  );
});
