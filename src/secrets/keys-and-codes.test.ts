import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import { digestsEqual, generateApiKey, parseApiKey } from './api-keys.ts';
import { shortCode } from './codes.ts';
import { generatePassword, hashPassword, verifyPassword } from './passwords.ts';

test('a generated API key has the documented format and is recognised by its digest', () => {
  const { apiKey, prefix, digest } = generateApiKey();
  assert.match(apiKey, /^tsk_[a-z2-7]{16}_[A-Za-z0-9_-]{43}$/);
  assert.equal(prefix, apiKey.slice(0, 20));
  assert.deepEqual(digest, createHash('sha256').update(apiKey.slice(21)).digest());
  assert.deepEqual(parseApiKey(apiKey), { prefix, digest });
  assert.notEqual(generateApiKey().prefix, prefix);
});

test('a text that is not an API key is invalid', () => {
  const { apiKey } = generateApiKey();
  for (const text of [
    '',
    `${apiKey}x`,
    ` ${apiKey}`,
    `${apiKey}\n`,
    apiKey.toUpperCase(),
    apiKey.slice(0, -1),
  ]) {
    assert.equal(parseApiKey(text), null);
  }
  fc.assert(fc.property(fc.string(), (text) => assert.equal(parseApiKey(text), null)));
});

test('only identical digests are equal, never those of different lengths', () => {
  assert.ok(digestsEqual(Buffer.from('abc'), Buffer.from('abc')));
  assert.ok(!digestsEqual(Buffer.from('abc'), Buffer.from('abd')));
  assert.ok(!digestsEqual(Buffer.from('abc'), Buffer.from('ab')));
});

test('a password matches only its own Argon2id hash, however its accents were typed', async () => {
  const hash = await hashPassword('caf\u00e9 au lait');
  assert.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verifyPassword('cafe\u0301 au lait', hash), true);
  assert.equal(await verifyPassword('cafe au lait', hash), false);
  assert.notEqual(await hashPassword('caf\u00e9 au lait'), hash);
});

test('a generated password has 20 unambiguous characters', () => {
  assert.match(generatePassword(), /^[^\W_0O1lIio]{20}$/);
});

test('a short code has the requested length and only lower-case letters and digits', () => {
  assert.match(shortCode(), /^[0-9a-z]{12}$/);
  assert.match(shortCode(40), /^[0-9a-z]{40}$/);
  const used = new Set(shortCode(5000));
  assert.equal(used.size, 36);
});
