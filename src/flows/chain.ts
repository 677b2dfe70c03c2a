/**
 * Chains of automations, journeys and webhooks that trigger each other (docs/specification/automations.md#chains). The
 * context of the current work, rows of work queues, and a signed header of calls to other systems carry a chain. Those
 * systems may call Tessera again.
 */
import { type Cause, currentCause } from '../db/work-kind.ts';
import type { Platform } from '../platform.ts';
import type { TokenSigner } from '../secrets/signed-tokens.ts';

/** The header with the chain that led to a call. */
export const CHAIN_HEADER = 'Tessera-Chain';
/** Maximum number of links of a chain. */
export const MAX_CHAIN = 10;
const PURPOSE = 'chain';
const VALID_MS = 24 * 60 * 60 * 1000;

/** A cause as stored in rows of a tenant. */
export type StoredCause = Pick<Cause, 'root' | 'chain'>;

/** Services for signing and reading headers. */
type Signing = Pick<Platform, 'tokens' | 'clock'>;

/** Returns the cause with one more link; `id` is the root of a chain that begins with this link. */
export function linkedCause(
  tenantId: string,
  cause: StoredCause | null,
  { id, link }: { readonly id: string; readonly link: string },
): Cause {
  return cause === null
    ? { tenantId, root: id, chain: [link] }
    : { tenantId, root: cause.root, chain: [...cause.chain, link] };
}

/** Returns the headers that carry a cause. */
export function chainHeaders({ tokens, clock }: Signing, cause: Cause | null): Record<string, string> {
  if (cause === null) return {};
  const { tenantId: tenant, root, chain } = cause;
  const claims = { tenant, ...(root === null ? {} : { root }), chain: JSON.stringify(chain) };
  return { [CHAIN_HEADER]: tokens.sign(PURPOSE, claims, new Date(clock().getTime() + VALID_MS)) };
}

/** Returns the cause in a header; null if there is none, or if this installation did not sign it within a day. */
export function readChainHeader(tokens: TokenSigner, header: unknown, now: Date): Cause | null {
  if (typeof header !== 'string') return null;
  const { tenant, root = null, chain } = tokens.verify(PURPOSE, header, now) ?? {};
  if (tenant === undefined || chain === undefined) return null;
  return { tenantId: tenant, root, chain: JSON.parse(chain) };
}

/** Returns the cause of the current work in the form that rows of the tenant store; null if there is none. */
export function storedCause(tenantId: string): StoredCause | null {
  const cause = currentCause(tenantId);
  return cause && { root: cause.root, chain: cause.chain };
}

/** Returns the cause of the current work as JSON text for a column; null if there is none. */
export function causeText(tenantId: string): string | null {
  const cause = storedCause(tenantId);
  return cause && JSON.stringify(cause);
}

/** Returns an error if the chain has reached its maximum length; null if it is shorter. */
export function loopError(cause: StoredCause | null): string | null {
  if (cause === null || cause.chain.length < MAX_CHAIN) return null;
  return `Stopped as a loop: automations started each other more than ${MAX_CHAIN} times in a row: ${cause.chain.join(' > ')}.`;
}
