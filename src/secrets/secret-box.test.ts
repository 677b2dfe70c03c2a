import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createSecretBox, SecretBoxError } from './secret-box.ts';

const box = createSecretBox({ secretKey: Buffer.alloc(32, 1), secretKeyPrevious: null });
const text = fc.string({ unit: 'binary' });

test('a value encrypted for a record can be decrypted for it', () => {
  fc.assert(
    fc.property(text, text, (secret, id) => assert.equal(box.open(box.seal(secret, id), id), secret)),
  );
});

test('an encrypted value cannot be decrypted for another record', () => {
  fc.assert(
    fc.property(text, text, text, (secret, id, other) => {
      fc.pre(id !== other);
      assert.throws(() => box.open(box.seal(secret, id), other), SecretBoxError);
    }),
  );
});

test('an encrypted value with any one changed character cannot be decrypted', () => {
  fc.assert(
    fc.property(
      text,
      fc.nat(),
      fc.constantFrom('A', 'b', '_', '.', '=', ' '),
      (secret, position, replacement) => {
        const sealed = box.seal(secret, 'id');
        const at = position % sealed.length;
        fc.pre(sealed[at] !== replacement);
        const altered = sealed.slice(0, at) + replacement + sealed.slice(at + 1);
        assert.throws(() => box.open(altered, 'id'), SecretBoxError);
      },
    ),
  );
});

test('any unencrypted text is rejected with the same kind of error', () => {
  fc.assert(
    fc.property(fc.string(), (garbage) => assert.throws(() => box.open(garbage, 'id'), SecretBoxError)),
  );
  assert.throws(() => box.open(`${box.seal('', 'id').slice(0, 20)}`, 'id'), SecretBoxError);
});

test('a value encrypted with another SECRET_KEY is recognised as such', () => {
  const other = createSecretBox({ secretKey: Buffer.alloc(32, 2), secretKeyPrevious: null });
  assert.throws(() => box.open(other.seal('x', 'id'), 'id'), /encrypted with another SECRET_KEY/);
});

test('encrypting the same text twice gives different values, and neither reveals the text', () => {
  const [first, second] = [box.seal('secret', 'id'), box.seal('secret', 'id')];
  assert.notEqual(first, second);
  assert.ok(!Buffer.from(first.split('.')[2] ?? '', 'base64url').includes('secret'));
});

test('the stored format does not change: an old value can still be decrypted', () => {
  assert.equal(box.open('s1.B5-BGfa9.vWy832FbuMv2z4JB69EXIJkDZ73A6NrOS0PGGJLmxJw', 'webhook-1'), 'pa55');
});

test('during a key rotation values of both keys can be decrypted, and the new key encrypts', () => {
  const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const rotating = createSecretBox({ secretKey: after, secretKeyPrevious: before });
  assert.equal(rotating.open(box.seal('old', 'id'), 'id'), 'old');
  const rotated = createSecretBox({ secretKey: after, secretKeyPrevious: null });
  assert.equal(rotated.open(rotating.seal('new', 'id'), 'id'), 'new');
  assert.throws(() => box.open(rotating.seal('new', 'id'), 'id'), SecretBoxError);
});
