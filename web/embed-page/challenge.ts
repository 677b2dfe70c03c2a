/** Solves the proof of work that a form may require. */
import { isRecord } from '../is-record.ts';
import { digestStart } from './sha256.ts';

/** Maximum time in ms between pauses in which the page can render and react. */
const sliceMs = 12;
/** Number of digests between two reads of the clock. */
const digestsPerCheck = 500;
const timeoutMs = 30_000;

/** A challenge: find a number so that SHA-256 of `<seed>.<number>` begins with `bits` zero bits. */
export interface Challenge {
  readonly token: string;
  readonly seed: string;
  readonly bits: number;
}

function parseChallenge(value: unknown): Challenge | null {
  if (!isRecord(value)) return null;
  const { token, seed, bits } = value;
  const isComplete = typeof token === 'string' && typeof seed === 'string' && typeof bits === 'number';
  return isComplete ? { token, seed, bits } : null;
}

/** Finds the number in slices, between which the page can render, and returns the proof for the service. */
export async function solveChallenge({ token, seed, bits }: Challenge): Promise<string> {
  let sliceEnd = performance.now() + sliceMs;
  for (let number = 0; ; number += 1) {
    if (Math.clz32(digestStart(`${seed}.${number}`)) >= bits) return `${token}.${number}`;
    if (number % digestsPerCheck === 0 && performance.now() >= sliceEnd) {
      await new Promise((resume) => setTimeout(resume));
      sliceEnd = performance.now() + sliceMs;
    }
  }
}

/** Requests a challenge and returns its proof, or the service's error response. @throws Error if the network fails. */
export async function proveWork(url: string): Promise<string | Response> {
  const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) return response;
  const challenge = parseChallenge(await response.json());
  if (challenge === null) throw new Error('The response is not a challenge.');
  return solveChallenge(challenge);
}
