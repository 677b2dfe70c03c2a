/**
 * Signs the chain of runs that led to a message. Other programs write to the broker too, and must not end or forge
 * chains.
 */
import type { StoredCause } from '../../../flows/chain.ts';
import type { TokenSigner } from '../../../secrets/signed-tokens.ts';
import type { Message } from './queries.ts';

/** The header that carries the chain token. */
export const CHAIN_HEADER = 'x-tessera-chain';
const PURPOSE = 'queue-chain';
/** Validity of a token, in ms: longer than any message waits. */
const VALID_MS = 60 * 24 * 60 * 60 * 1000;

/** Returns the signed cause of the message with this id. */
export function signChain(
  tokens: TokenSigner,
  { id, cause: { root, chain } }: Pick<Message, 'id'> & { readonly cause: StoredCause },
  now: Date,
): string {
  const claims = { message: id, ...(root === null ? {} : { root }), chain: JSON.stringify(chain) };
  return tokens.sign(PURPOSE, claims, new Date(now.getTime() + VALID_MS));
}

/** Returns the cause from a header if it was signed here for the message with this id, otherwise null. */
export function readChain(tokens: TokenSigner, header: unknown, id: string, now: Date): StoredCause | null {
  if (typeof header !== 'string') return null;
  const { message, root = null, chain } = tokens.verify(PURPOSE, header, now) ?? {};
  if (message !== id || chain === undefined) return null;
  return { root, chain: JSON.parse(chain) };
}
