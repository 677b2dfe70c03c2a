import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { AppError } from '../errors/app-error.ts';
import { parseJsonBody } from './json-body.ts';

const refusalOf = (bytes: Buffer | string): AppError => {
  try {
    parseJsonBody(Buffer.from(bytes));
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
  throw new Error('The body was accepted.');
};

test('any JSON without NUL and unpaired surrogates is read unchanged', () => {
  const text = fc.string({ unit: 'grapheme' }).filter((value) => !value.includes('\u0000'));
  const json = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 5 },
      fc.constant(null),
      fc.boolean(),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      text,
      fc.array(tie('value')),
      fc.dictionary(
        text.filter((key) => key !== '__proto__'),
        tie('value'),
      ),
    ),
  })).value;
  fc.assert(
    fc.property(json, (value) => {
      const written = JSON.stringify(value);
      assert.equal(JSON.stringify(parseJsonBody(Buffer.from(written))), written);
    }),
  );
});

test('an empty body counts as missing', () => {
  assert.equal(parseJsonBody(Buffer.alloc(0)), undefined);
});

test('invalid UTF-8 is rejected', () => {
  assert.match(refusalOf(Buffer.from([0x22, 0xff, 0x22])).issues?.[0]?.message ?? '', /UTF-8/);
});

test('U+0000 and unpaired surrogates are rejected everywhere, naming the field', () => {
  assert.equal(refusalOf('{"a":[{"b":"x\\u0000"}]}').issues?.[0]?.field, 'a[0].b');
  assert.equal(refusalOf('{"a":"\\ud800"}').issues?.[0]?.field, 'a');
  assert.match(refusalOf('{"\\u0000":1}').issues?.[0]?.message ?? '', /U\+0000/);
});

test('a body of half a million values is read, a larger one is rejected before it is parsed', () => {
  const items = (count: number) => `[${Array(count).fill('"a,\\"[{"').join(',')}]`;
  const most = items(499_999);
  assert.equal(JSON.stringify(parseJsonBody(Buffer.from(most))), most);
  assert.match(refusalOf(items(500_000)).issues?.[0]?.message ?? '', /more than 500000 values/);
  assert.match(refusalOf('[{},'.repeat(300_000)).issues?.[0]?.message ?? '', /more than 500000 values/);
  assert.match(refusalOf('["never ended').issues?.[0]?.message ?? '', /not valid JSON/);
});

test('a surrogate pair is one character and is accepted', () => {
  assert.deepEqual(parseJsonBody(Buffer.from('{"a":"\\ud83d\\ude00"}')), { a: '😀' });
});

test('a prototype key is rejected', () => {
  assert.match(refusalOf('{"a":{"__proto__":{"x":1}}}').issues?.[0]?.message ?? '', /__proto__/);
});

test('JSON deeper than 100 levels is rejected, also with a million levels', () => {
  assert.match(refusalOf('['.repeat(101) + ']'.repeat(101)).issues?.[0]?.message ?? '', /deeper/);
  assert.equal(refusalOf('['.repeat(1_000_000) + ']'.repeat(1_000_000)).definition.status, 400);
  assert.ok(parseJsonBody(Buffer.from('['.repeat(100) + ']'.repeat(100))));
});
