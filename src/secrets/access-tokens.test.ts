import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import test from 'node:test';
import { SignJWT } from 'jose';
import { createAccessTokens } from './access-tokens.ts';
import { deriveKey } from './derived-key.ts';

const secretKey = randomBytes(32);
const now = new Date('2026-11-23T12:00:00.000Z');
const at = (minutes: number) => new Date(now.getTime() + minutes * 60_000);
const claims = {
  userId: randomUUID(),
  tenantId: randomUUID(),
  membershipId: randomUUID(),
  sessionId: randomUUID(),
};
const tokens = createAccessTokens({ secretKey, secretKeyPrevious: null });

test('a token returns its signed claims for an hour, however often it is verified', async () => {
  const token = await tokens.sign(claims, now);
  for (const minutes of [0, 30, 30, 59]) assert.deepEqual(await tokens.verify(token, at(minutes)), claims);
  for (const minutes of [60, 61, 60]) assert.equal(await tokens.verify(token, at(minutes)), null);
  assert.equal(await createAccessTokens({ secretKey, secretKeyPrevious: null }).verify(token, at(60)), null);
});

test('two tokens created at one moment differ', async () => {
  assert.notEqual(await tokens.sign(claims, now), await tokens.sign(claims, now));
});

test('tokens signed by the previous key are valid while that key is set', async () => {
  const token = await tokens.sign(claims, now);
  const later = randomBytes(32);
  const rotating = createAccessTokens({ secretKey: later, secretKeyPrevious: secretKey });
  assert.deepEqual(await rotating.verify(token, now), claims);
  assert.deepEqual(await rotating.verify(await rotating.sign(claims, now), now), claims);
  const rotated = createAccessTokens({ secretKey: later, secretKeyPrevious: null });
  assert.equal(await rotated.verify(token, now), null);
});

test('an altered, unsigned, malformed or other kind of token is invalid', async () => {
  const token = await tokens.sign(claims, now);
  const [header = '', payload = '', signature = ''] = token.split('.');
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const tokenClaims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const key = deriveKey(secretKey, 'access-token');
  const wrong = {
    unsigned: `${encode({ alg: 'none' })}.${payload}.`,
    'unsigned, with a signature': `${encode({ alg: 'none' })}.${payload}.${signature}`,
    'of another algorithm': await new SignJWT(tokenClaims)
      .setProtectedHeader({ alg: 'HS512' })
      .sign(randomBytes(64)),
    'of another key': await new SignJWT(tokenClaims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(randomBytes(32)),
    'of another purpose': await new SignJWT(tokenClaims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(deriveKey(secretKey, 'token/active-business-unit')),
    'of another tenant': `${header}.${encode({ ...tokenClaims, tenant: randomUUID() })}.${signature}`,
    'that lasts longer': `${header}.${encode({ ...tokenClaims, exp: tokenClaims.exp + 3600 })}.${signature}`,
    'without an end': await new SignJWT({ ...tokenClaims, exp: undefined })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key),
    'without a session': await new SignJWT({ ...tokenClaims, sid: 7 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(key),
    'cut short': token.slice(0, -1),
    'without a signature': `${header}.${payload}`,
    'with more behind it': `${token}.${signature}`,
    'of 100 KB': `${header}.${'A'.repeat(100_000)}.${signature}`,
    'with odd characters': `${header}.\u0000.${signature}`,
    empty: '',
    dots: '..',
  };
  for (const [kind, each] of Object.entries(wrong)) assert.equal(await tokens.verify(each, now), null, kind);
});
