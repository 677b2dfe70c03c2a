/** The tokens in the links of a message, with a MAC of 128 bits; a click's holds the address that it leads to. */
import {
  type MessageRef,
  readMessageToken,
  signMessage,
  type TokenSigner,
} from '../../mail/message-token.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { deriveKeys } from '../../secrets/derived-key.ts';
import { closedTenants } from '../../tenancy/closed-tenants.ts';
import { readLinkToken } from './link-labels.ts';
import type { LinkMakers } from './track-html.ts';

/** What a token is for. */
export type TokenPurpose = 'open' | 'click' | 'unsubscribe';

/** What a token tells: the message, and for a click where it leads (empty otherwise). */
export interface TrackingClaims extends MessageRef {
  readonly url: string;
  /** The address as it was written, without the labels that a campaign adds. */
  readonly written: string;
}

const signers = oncePerPlatform(({ config }): Readonly<Record<TokenPurpose, TokenSigner>> => {
  const signer = (purpose: TokenPurpose) => ({
    keys: deriveKeys(config, `message-link/${purpose}`),
    macBytes: 16,
  });
  return { open: signer('open'), click: signer('click'), unsubscribe: signer('unsubscribe') };
});

/** What the tracked links of a process are made of. */
export function linkMakers(platform: Platform): LinkMakers {
  const { open, click } = signers(platform);
  return { base: platform.publicUrl(), open, click };
}

/** A token for one message; the same facts always give the same. @throws RangeError when an id is not a UUID. */
export function signTrackingToken(
  platform: Platform,
  purpose: TokenPurpose,
  message: MessageRef,
  url = '',
): string {
  return signMessage(signers(platform)[purpose], message, url);
}

/** What the token tells, or null when it was not made here for this purpose, or its tenant is closed. Never throws. */
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
