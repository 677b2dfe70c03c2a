/** The chain of runs that led to a message, signed: others may write to the broker too, and are not to end chains or forge them. */
import type { StoredCause } from '../../../flows/chain.ts';
import type { TokenSigner } from '../../../secrets/signed-tokens.ts';
import type { Message } from './queries.ts';

/** The header in which a message carries it. */
export const CHAIN_HEADER = 'x-tessera-chain';
const PURPOSE = 'queue-chain';
/** Longer than any message waits. */
const GOOD_FOR_MS = 60 * 24 * 60 * 60 * 1000;

/** What led to the message with this id, as the broker carries it. */
export function signChain(
  tokens: TokenSigner,
  { id, cause: { root, chain } }: Pick<Message, 'id'> & { readonly cause: StoredCause },
  now: Date,
): string {
  const claims = { message: id, ...(root === null ? {} : { root }), chain: JSON.stringify(chain) };
  return tokens.sign(PURPOSE, claims, new Date(now.getTime() + GOOD_FOR_MS));
}

/** Returns what was signed here for the message with this id; null for none, and for what is not ours. */
export function readChain(tokens: TokenSigner, header: unknown, id: string, now: Date): StoredCause | null {
  if (typeof header !== 'string') return null;
  const { message, root = null, chain } = tokens.verify(PURPOSE, header, now) ?? {};
  if (message !== id || chain === undefined) return null;
  return { root, chain: JSON.parse(chain) };
}
