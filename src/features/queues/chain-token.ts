/** The chain of runs that led to a message, signed: others may write to the broker too, and are not to end chains or forge them. */
import type { TokenSigner } from '../../secrets/signed-tokens.ts';
import type { Message } from './queries.ts';

/** The header in which a message carries it. */
export const CHAIN_HEADER = 'x-tessera-chain';
const PURPOSE = 'queue-chain';
/** Longer than any message waits. */
const GOOD_FOR_MS = 60 * 24 * 60 * 60 * 1000;

/** The chain of a message as the broker carries it. */
export function signChain(tokens: TokenSigner, { id, chain }: Message, now: Date): string {
  const claims = { message: id, chain: JSON.stringify(chain) };
  return tokens.sign(PURPOSE, claims, new Date(now.getTime() + GOOD_FOR_MS));
}

/** The chain that we have signed for the message with this id; none for what is not ours. */
export function readChain(tokens: TokenSigner, header: unknown, id: string, now: Date): readonly string[] {
  if (typeof header !== 'string') return [];
  const { message, chain } = tokens.verify(PURPOSE, header, now) ?? {};
  if (message !== id || chain === undefined) return [];
  const keys: unknown = JSON.parse(chain);
  return Array.isArray(keys) ? keys.map(String) : [];
}
