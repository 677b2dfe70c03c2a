/**
 * Tokens of links to the recipient's preferences (docs/specification/email-events.md#tokens). A token has the
 * subscriber, a hash of the address, the email and its type, the creation time and a MAC of 128 bits. Creating one
 * needs no database.
 */

import { readMessageToken, signMessage, type TokenSigner } from '../../../../mail/message-token.ts';
import { oncePerPlatform, type Platform } from '../../../../platform.ts';
import { deriveKeys } from '../../../../secrets/derived-key.ts';
import { closedTenants } from '../../../../tenancy/closed-tenants.ts';
import { hashAddress } from '../address-hash.ts';

const VALID_SECONDS = 90 * 24 * 60 * 60;

/** Content of a token. */
export interface PreferencesClaims extends PreferencesTarget {
  /** Hash of the address that the link was mailed to. */
  readonly addressHash: string;
}

/** The subscriber of a link, with the email and type of its message. */
interface PreferencesTarget {
  readonly tenantId: string;
  readonly subscriberId: string;
  /** Null if the message does not belong to a campaign email. */
  readonly marketingEmailId: string | null;
  /** Null if the message had no type. */
  readonly subscriptionTypeId: string | null;
}

const signer = oncePerPlatform(
  ({ config }): TokenSigner => ({ keys: deriveKeys(config, 'message-link/preferences'), macBytes: 16 }),
);

/**
 * Returns `PUBLIC_URL/preferences/{token}`, valid for 90 days from `now`. Equal input returns an equal link: a message
 * that is rendered again does not change if `now` is a fixed time of the message.
 * @throws RangeError if the tenant's or the subscriber's id is not a UUID.
 */
export function preferencesUrl(
  platform: Platform,
  {
    tenantId,
    subscriberId,
    addressKey,
    marketingEmailId,
    subscriptionTypeId,
    now,
  }: PreferencesTarget & {
    /** Normalized address that the link is mailed to. */
    readonly addressKey: string;
    readonly now: Date;
  },
): string {
  const createdAt = secondsOf(now).toString(36);
  // The type's id comes last, as it may contain dots.
  const hash = hashAddress(subscriberId, addressKey);
  const text = [createdAt, hash, marketingEmailId ?? '', subscriptionTypeId ?? ''].join('.');
  const token = signMessage(signer(platform), { tenantId, messageId: subscriberId }, text);
  return `${platform.publicUrl()}/preferences/${token}`;
}

/** Returns the content of a token; null if it is invalid or older than 90 days. Never throws. */
export function readPreferencesToken(platform: Platform, token: string, now: Date): PreferencesClaims | null {
  const read = readMessageToken(signer(platform), token);
  const [, createdAt, addressHash, emailId, typeId] =
    /^([0-9a-z]+)\.([\w-]{22})\.([^.]*)\.(.*)$/s.exec(read?.text ?? '') ?? [];
  if (read === null || createdAt === undefined || addressHash === undefined) return null;
  if (secondsOf(now) - Number.parseInt(createdAt, 36) >= VALID_SECONDS) return null;
  const { tenantId, messageId } = read.message;
  if (closedTenants(platform).has(tenantId)) return null;
  return {
    tenantId,
    subscriberId: messageId,
    addressHash,
    marketingEmailId: emailId || null,
    subscriptionTypeId: typeId || null,
  };
}

/** Returns the tenant of a token that may have expired; null: the token is invalid. Never throws. */
export function tenantOfPreferences(platform: Platform, token: string): string | null {
  return readMessageToken(signer(platform), token)?.message.tenantId ?? null;
}

/** True if a subscriber still has the address that a link was mailed to. */
export function isForAddress({ subscriberId, addressHash }: PreferencesClaims, addressKey: string): boolean {
  return addressHash === hashAddress(subscriberId, addressKey);
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
