import assert from 'node:assert/strict';
import test from 'node:test';
import { checkHeader, retryAfterSeconds } from './header-rules.ts';

test('ordinary headers are accepted', () => {
  for (const name of ['Authorization', 'X-Api-Key', "!#$%&'*+.^_`|~", 'tesseract', 'accept']) {
    assert.equal(checkHeader(name, 'a value\twith é'), null, name);
  }
  assert.equal(checkHeader('X-Empty', ''), null);
});

test('names other than RFC 9110 tokens are rejected', () => {
  for (const name of ['', 'a b', 'a:b', 'a\r\nb', 'é', 'a(b)', 'a\0'])
    assert.ok(checkHeader(name, 'v'), name);
});

test('headers that belong to the platform are rejected in any letter case', () => {
  const names =
    'User-Agent HOST content-type Content-Length Transfer-Encoding Connection TE Trailer Upgrade Keep-Alive Expect Proxy-Authorization Tessera-Attempt Webhook-Id Webhook-Timestamp Webhook-Signature';
  for (const name of names.split(' '))
    assert.match(checkHeader(name, 'v') ?? '', /is not allowed here: Tessera sets it/, name);
});

test('values with line breaks, NUL or characters beyond Latin-1 are rejected', () => {
  for (const value of ['a\r\nX: b', 'a\n', 'a\0', '\x7f', '€', '😀'])
    assert.ok(checkHeader('X-A', value), value);
});

const now = new Date('1994-11-06T08:49:07Z');

test('Retry-After is parsed as seconds and as each of the three HTTP dates', () => {
  const answers: [string, number][] = [
    ['0', 0],
    [' 120 ', 120],
    ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
    ['Sun, 06 Nov 1994 08:49:37 GMT', 30],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 30],
    ['Sun Nov  6 08:49:37 1994', 30],
    ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  ];
  for (const [value, seconds] of answers)
    assert.equal(retryAfterSeconds({ 'retry-after': value }, now), seconds, value);
});

test('an invalid Retry-After is ignored', () => {
  for (const value of ['', '-5', '1.5', 'soon', '2030-01-01', 'Sunday', 'Monty Python 7']) {
    assert.equal(retryAfterSeconds({ 'retry-after': value }, now), null, value);
  }
  assert.equal(retryAfterSeconds({}, now), null);
});
