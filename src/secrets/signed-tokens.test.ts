import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { createTokenSigner } from './signed-tokens.ts';

const signer = createTokenSigner({ secretKey: Buffer.alloc(32, 1), secretKeyPrevious: null });
const now = new Date('2026-01-01T00:00:00.000Z');
const later = new Date('2026-01-01T00:00:00.001Z');
const text = fc.string({ unit: 'binary' });
const claimSet = fc.dictionary(text, text);

test('a token returns the signed claims, and has URL-safe characters', () => {
  fc.assert(
    fc.property(claimSet, (claims) => {
      const token = signer.sign('link', claims, later);
      assert.match(token, /^[\w.-]+$/);
      assert.deepEqual({ ...signer.verify('link', token, now) }, { ...claims });
    }),
  );
});

test('a token of one purpose is invalid for any other', () => {
  fc.assert(
    fc.property(text, text, (purpose, other) => {
      fc.pre(purpose !== other);
      assert.equal(signer.verify(other, signer.sign(purpose, { a: 'b' }, later), now), null);
    }),
  );
});

test('a token with any one changed character is rejected', () => {
  const token = signer.sign('link', { id: '1' }, later);
  fc.assert(
    fc.property(fc.nat(token.length - 1), fc.constantFrom('A', 'b', '_', '.', '='), (at, replacement) => {
      fc.pre(token[at] !== replacement);
      assert.equal(signer.verify('link', token.slice(0, at) + replacement + token.slice(at + 1), now), null);
    }),
  );
});

test('any unsigned text is rejected without an error', () => {
  fc.assert(fc.property(fc.string(), (garbage) => assert.equal(signer.verify('link', garbage, now), null)));
  fc.assert(fc.property(text, text, (a, b) => assert.equal(signer.verify('link', `${a}.${b}`, now), null)));
});

test('a token is rejected from its expiry on', () => {
  const token = signer.sign('link', {}, later);
  assert.deepEqual(signer.verify('link', token, now), {});
  assert.equal(signer.verify('link', token, later), null);
});

test('a token signed with another SECRET_KEY is rejected', () => {
  const foreign = createTokenSigner({ secretKey: Buffer.alloc(32, 2), secretKeyPrevious: null }).sign(
    'link',
    {},
    later,
  );
  assert.equal(signer.verify('link', foreign, now), null);
});

test('a token without a valid expiry cannot be created', () => {
  assert.throws(() => signer.sign('link', {}, new Date(Number.NaN)), RangeError);
});

test('the format does not change: a link sent long ago is still valid', () => {
  assert.deepEqual(
    signer.verify(
      'link',
      'WzQxMDI0NDQ4MDAwMDAseyJzdWJzY3JpYmVyIjoiNDIifV0.DoUcffrpf6E0zSakI4QLQRexyjesB5z0aEy08SafZmk',
      now,
    ),
    { subscriber: '42' },
  );
});

test('a token of the previous key is valid while that key is set', () => {
  const [before, after] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
  const token = signer.sign('link', { a: 'b' }, later);
  const rotating = createTokenSigner({ secretKey: after, secretKeyPrevious: before });
  assert.deepEqual({ ...rotating.verify('link', token, now) }, { a: 'b' });
  assert.equal(signer.verify('link', rotating.sign('link', {}, later), now), null);
  const rotated = createTokenSigner({ secretKey: after, secretKeyPrevious: null });
  assert.equal(rotated.verify('link', token, now), null);
});
