/**
 * Proof of work that makes mass submissions expensive without a third party. The visitor finds a decimal number whose
 * SHA-256 together with a seed starts with a given number of zero bits (docs/specification/forms.md#challenge). A
 * signed token contains the seed, the form and the number of bits, so the server stores nothing when it issues a
 * challenge.
 */
import { hash, randomBytes } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { AppError } from '../../../errors/app-error.ts';
import type { RequestContext } from '../../../http/context.ts';
import { CHALLENGE_REQUIRED } from './errors.ts';

/** Purpose of the token, so that it is valid for nothing else. */
const PURPOSE = 'form-challenge';
const LIFETIME_MS = 10 * 60 * 1000;
/** 131,072 digests on average: 0.2 s on a computer, one or two seconds on a slow phone. */
const BITS = 17;
/**
 * Random, so that nobody can solve challenges in advance. In hexadecimal, together with the number, it fits into one
 * block of SHA-256.
 */
const SEED_BYTES = 16;
/** `<token>.<number>`; the token contains one dot. */
const PROOF = /^([\w-]{1,1000}\.[\w-]{1,100})\.(\d{1,15})$/;

/** A challenge that a client solves before it submits. */
export const Challenge = Type.Object(
  {
    token: Type.String({ description: 'Send back unchanged.' }),
    seed: Type.String(),
    bits: Type.Integer({
      description:
        'Find a decimal number for which the SHA-256 of `<seed>.<number>` starts with this many zero bits.',
    }),
    expires_at: Type.String({ format: 'date-time' }),
  },
  { title: 'Challenge' },
);

/** Issues a challenge, which is valid for ten minutes and one submission to this form. */
export function newChallenge(
  { platform, now }: Pick<RequestContext, 'platform' | 'now'>,
  publicCode: string,
): Static<typeof Challenge> {
  const seed = randomBytes(SEED_BYTES).toString('hex');
  const expiresAt = new Date(now.getTime() + LIFETIME_MS);
  const claims = { form: publicCode, seed, bits: String(BITS) };
  const token = platform.tokens.sign(PURPOSE, claims, expiresAt);
  return { token, seed, bits: BITS, expires_at: expiresAt.toISOString() };
}

/**
 * Returns the seed of the challenge that the header `Tessera-Challenge` solves. `useChallenge` checks whether it was
 * used before. @throws AppError CHALLENGE_REQUIRED.
 */
export function requireSolved(
  { platform, now, headers }: Pick<RequestContext, 'platform' | 'now' | 'headers'>,
  publicCode: string,
): string {
  const [, token = '', number = ''] = PROOF.exec(String(headers['tessera-challenge'] ?? '')) ?? [];
  const claims = platform.tokens.verify(PURPOSE, token, now);
  const seed = claims?.form === publicCode ? claims.seed : undefined;
  if (seed === undefined || !hasZeroBits(`${seed}.${number}`, Number(claims?.bits)))
    throw new AppError(CHALLENGE_REQUIRED);
  return seed;
}

function hasZeroBits(text: string, bits: number): boolean {
  const digest = hash('sha256', text, 'buffer').readUInt32BE(0);
  return Math.clz32(digest) >= bits;
}
