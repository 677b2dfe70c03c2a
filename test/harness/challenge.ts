import { hash } from 'node:crypto';
import type { Client } from './client.ts';

/** A challenge as the service returns it. */
export interface IssuedChallenge {
  readonly token: string;
  readonly seed: string;
  readonly bits: number;
  readonly expires_at: string;
}

/** Requests a challenge for a form. */
export async function askChallenge(anonymous: Client, publicCode: string): Promise<IssuedChallenge> {
  return (await anonymous.get(`/embed/${publicCode}/challenge`)).body;
}

/** True if the SHA-256 hash of a text begins with at least `bits` zero bits. */
export function beginsWithZeros(text: string, bits: number): boolean {
  return BigInt(`0x${hash('sha256', text)}`) >> BigInt(256 - bits) === 0n;
}

/** Solves a challenge and returns the request header with the solution. */
export function solve({ token, seed, bits }: IssuedChallenge): Record<string, string> {
  for (let number = 0; ; number += 1) {
    // Compares whole bytes first, which is faster than converting each hash to a number of 256 bits.
    const text = `${seed}.${number}`;
    if (hash('sha256', text).startsWith('0'.repeat(bits >> 2)) && beginsWithZeros(text, bits))
      return { 'tessera-challenge': `${token}.${number}` };
  }
}
