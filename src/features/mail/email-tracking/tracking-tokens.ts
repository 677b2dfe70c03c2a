/** Tokens in the links of a message, with a MAC of 128 bits. A click token contains the target of the link. */
import {
  type MessageRef,
  readMessageToken,
  signMessage,
  type TokenSigner,
} from '../../../mail/message-token.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { deriveKeys } from '../../../secrets/derived-key.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { readLinkToken } from './link-labels.ts';
import type { LinkSigners } from './track-html.ts';

/** Purpose of a token. */
export type TokenPurpose = 'open' | 'click' | 'unsubscribe';

/** Content of a token: the message, and the target of a click (empty for other purposes). */
export interface TrackingClaims extends MessageRef {
  readonly url: string;
  /** The target as written in the message, without the labels that a campaign adds. */
  readonly originalUrl: string;
}

const signers = oncePerPlatform(({ config }): Readonly<Record<TokenPurpose, TokenSigner>> => {
  const signer = (purpose: TokenPurpose) => ({
    keys: deriveKeys(config, `message-link/${purpose}`),
    macBytes: 16,
  });
  return { open: signer('open'), click: signer('click'), unsubscribe: signer('unsubscribe') };
});

/** Returns the base URL and the keys for tracked links. */
export function linkSigners(platform: Platform): LinkSigners {
  const { open, click } = signers(platform);
  return { base: platform.publicUrl(), open, click };
}

/** Creates a token for a message; deterministic. @throws RangeError when an id is not a UUID. */
export function signTrackingToken(
  platform: Platform,
  purpose: TokenPurpose,
  message: MessageRef,
  url = '',
): string {
  return signMessage(signers(platform)[purpose], message, url);
}

/** Reads a token; null if its signature is not valid for this purpose or its tenant is closed. Never throws. */
export function readTrackingToken(
  platform: Platform,
  purpose: TokenPurpose,
  token: string,
): TrackingClaims | null {
  const claims = readMessageToken(signers(platform)[purpose], token);
  if (claims === null || (purpose !== 'click' && claims.text !== '')) return null;
  if (closedTenants(platform).has(claims.message.tenantId)) return null;
  return { ...claims.message, ...readLinkToken(claims.text) };
}
