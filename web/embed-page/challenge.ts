/** Solves the proof of work that a form may ask of whoever submits it. */
import { isRecord } from '../is-record.ts';
import { digestStart } from './sha256.ts';

/** The page draws and reacts after so long, whatever is left to do. */
const sliceMs = 12;
/** Digests between two looks at the clock. */
const digestsPerLook = 500;
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
  const isWhole = typeof token === 'string' && typeof seed === 'string' && typeof bits === 'number';
  return isWhole ? { token, seed, bits } : null;
}

/** Finds the number, in slices between which the page can draw; gives the proof as the service reads it. */
export async function solveChallenge({ token, seed, bits }: Challenge): Promise<string> {
  let sliceEnd = performance.now() + sliceMs;
  for (let number = 0; ; number += 1) {
    if (Math.clz32(digestStart(`${seed}.${number}`)) >= bits) return `${token}.${number}`;
    if (number % digestsPerLook === 0 && performance.now() >= sliceEnd) {
      await new Promise((resume) => setTimeout(resume));
      sliceEnd = performance.now() + sliceMs;
    }
  }
}

/** Asks for a challenge and solves it; gives the service's answer where that is none. @throws when the network failed. */
export async function proveWork(url: string): Promise<string | Response> {
  const response = await fetch(url, { credentials: 'omit', signal: AbortSignal.timeout(timeoutMs) });
  if (!response.ok) return response;
  const challenge = parseChallenge(await response.json());
  if (challenge === null) throw new Error('The service gave no challenge.');
  return solveChallenge(challenge);
}
