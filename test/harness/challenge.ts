import { hash } from 'node:crypto';
import type { Client } from './client.ts';

/** A challenge as the service gives it. */
export interface GivenChallenge {
  readonly token: string;
  readonly seed: string;
  readonly bits: number;
  readonly expires_at: string;
}

/** Asks for a challenge of a form. */
export async function askChallenge(anonymous: Client, publicCode: string): Promise<GivenChallenge> {
  return (await anonymous.get(`/embed/${publicCode}/challenge`)).body;
}

/** Whether the SHA-256 of a text begins with so many zero bits. */
export function beginsWithZeros(text: string, bits: number): boolean {
  return BigInt(`0x${hash('sha256', text)}`) >> BigInt(256 - bits) === 0n;
}

/** The header that solves a challenge. */
export function solve({ token, seed, bits }: GivenChallenge): Record<string, string> {
  for (let number = 0; ; number += 1) {
    // Whole bytes first: they are compared without a number of 256 bits.
    const text = `${seed}.${number}`;
    if (hash('sha256', text).startsWith('0'.repeat(bits >> 2)) && beginsWithZeros(text, bits))
      return { 'tessera-challenge': `${token}.${number}` };
  }
}
