import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { isRounded, parseWritten, writtenMember } from './written-json.ts';

for (const text of [
  '{"id":12345678901234567890}',
  '[12345678901234567890,1.0,-0,1e2,1E+2,0.10]',
  '{"10":1,"9":2,"b":3,"a":{"2":1,"1":[]}}',
  '{"z":1,"1":"x","y":{"price":19.90}}',
  '{"toJSON":1,"a":"12345678901234567890"}',
  '{"a":"1.0, \\"10\\": 5e3","b":[[[3.1415926535897932384626]]]}',
  '[{"deep":[{"n":9007199254740993}]},{"n":9007199254740993}]',
  '{"\\u0031":1,"é\\n":1.50,"":0.0}',
  '[-12345678901234567890.123456789,1e400]',
  '{"__proto__x":1.0,"constructor":2.0}',
  '[true,false,null,"",{},[]]',
  '{"a":123456789.123456789,"b":0.0000001,"c":-0.00000000123}',
])
  test(`is written unchanged: ${text}`, () => {
    assert.equal(
      JSON.stringify(parseWritten(text)),
      text === '{"\\u0031":1,"é\\n":1.50,"":0.0}' ? '{"1":1,"é\\n":1.50,"":0.0}' : text,
    );
    assert.equal(JSON.stringify({ in: parseWritten(text) }).slice(6, -1).length > 0, true);
  });

test('any JSON is written in its original form', () => {
  fc.assert(
    fc.property(fc.json(), (text) => {
      const compact = JSON.stringify(JSON.parse(text));
      assert.deepEqual(parseWritten(text), JSON.parse(text));
      assert.deepEqual(JSON.parse(JSON.stringify(parseWritten(text))), JSON.parse(compact));
    }),
  );
});

test('changed members are written with their new values', () => {
  const value = parseWritten('{"9":1.0,"1":12345678901234567890,"x":1.50}');
  assert.ok(typeof value === 'object' && value !== null);
  Reflect.set(value, '1', 5);
  Reflect.deleteProperty(value, 'x');
  Reflect.set(value, 'new', true);
  assert.equal(JSON.stringify(value), '{"9":1.0,"1":5,"new":true}');
  assert.deepEqual(structuredClone(value), { 1: 5, 9: 1, new: true });
  assert.deepEqual(Object.keys(value), ['1', '9', 'new']);
});

test('strings of any length and JSON of any depth are read', () => {
  const long = `{"a":"${'\\\\"'.slice(0, 2).repeat(2_000_000)}","b":1.0}`;
  assert.equal(JSON.stringify(parseWritten(long)), long);
  const deep = `${'['.repeat(1000)}1.0${']'.repeat(1000)}`;
  assert.deepEqual(parseWritten(deep), JSON.parse(deep));
});

test('a duplicate name has its last value', () => {
  assert.equal(JSON.stringify(parseWritten('{"a":1.0,"a":{"2":1,"1":2}}')), '{"a":{"2":1,"1":2}}');
  assert.equal(JSON.stringify(parseWritten('{"a":{"x":1.0},"a":2.0}')), '{"a":2.0}');
  assert.equal(
    JSON.stringify(parseWritten('{"a":{"x":1.0},"a":{"x":2.50,"y":1.0}}')),
    '{"a":{"x":2.50,"y":1.0}}',
  );
  assert.equal(JSON.stringify(parseWritten('{"a":{"x":1.0},"a":{"x":1}}')), '{"a":{"x":1}}');
  assert.equal(JSON.stringify(parseWritten('{"a":1.0,"a":1}')), '{"a":1}');
});

test('a number counts as rounded if a double has other digits', () => {
  for (const [literal, expected] of [
    ['12345678901234567890', true],
    ['9007199254740993', true],
    ['9007199254740992', false],
    ['0.1', false],
    ['0.1000000000000000055', true],
    ['1.0', false],
    ['100e-2', false],
    ['1e400', true],
    ['123456789012345678e-3', true],
    ['1000000000000000000000', false],
    ['3.141592653589793238', true],
    ['123456789.123456789', true],
    ['0.0000001', false],
    ['-0', false],
  ] as const) {
    const holder = parseWritten(`{"n":${literal}}`);
    assert.ok(typeof holder === 'object' && holder !== null);
    assert.equal(isRounded(holder, 'n'), expected, literal);
    assert.equal(JSON.stringify(writtenMember(holder, 'n')), literal);
  }
});
