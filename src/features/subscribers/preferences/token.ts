/**
 * The tokens in the links of a message by which its recipient reaches what it chose to receive
 * (docs/specification/email-events.md#tokens): the subscriber, a hash of the address that it was mailed to, the message it
 * came from and when it was made, with a MAC of 128 bits. They name no row, so making one needs no database.
 */

import { readMessageToken, signMessage, type TokenSigner } from '../../../mail/message-token.ts';
import { oncePerPlatform, type Platform } from '../../../platform.ts';
import { deriveKeys } from '../../../secrets/derived-key.ts';
import { closedTenants } from '../../../tenancy/closed-tenants.ts';
import { hashAddress } from '../address-hash.ts';

const VALID_SECONDS = 90 * 24 * 60 * 60;

/** Whom a link is for, and which e-mail it came with. */
export interface PreferencesClaims extends PreferencesSource {
  /** Of the address that the link was mailed to. */
  readonly addressHash: string;
}

/** What a link is made for. */
interface PreferencesSource {
  readonly tenantId: string;
  readonly subscriberId: string;
  /** Null: the message was of no campaign e-mail. */
  readonly marketingEmailId: string | null;
  /** Null: the message was of no type. */
  readonly subscriptionTypeId: string | null;
}

const signer = oncePerPlatform(
  ({ config }): TokenSigner => ({ keys: deriveKeys(config, 'message-link/preferences'), macBytes: 16 }),
);

/**
 * `PUBLIC_URL/preferences/{token}`, good for 90 days from `now`: the same facts always give the same, so that a message
 * that is made again says what it said, when `now` is a moment of its own.
 * @throws RangeError when the tenant's or the subscriber's id is not a UUID.
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
  }: PreferencesSource & {
    /** The address that the link is mailed to, in its normal form. */
    readonly addressKey: string;
    readonly now: Date;
  },
): string {
  const madeAt = secondsOf(now).toString(36);
  // The type's id comes last, for it may be any text.
  const hash = hashAddress(subscriberId, addressKey);
  const text = [madeAt, hash, marketingEmailId ?? '', subscriptionTypeId ?? ''].join('.');
  const token = signMessage(signer(platform), { tenantId, messageId: subscriberId }, text);
  return `${platform.publicUrl()}/preferences/${token}`;
}

/** What the token tells; null when it was not made here for this purpose, or 90 days are over. Never throws. */
export function readPreferencesToken(platform: Platform, token: string, now: Date): PreferencesClaims | null {
  const read = readMessageToken(signer(platform), token);
  const [, madeAt, addressHash, emailId, typeId] =
    /^([0-9a-z]+)\.([\w-]{22})\.([^.]*)\.(.*)$/s.exec(read?.text ?? '') ?? [];
  if (read === null || madeAt === undefined || addressHash === undefined) return null;
  if (secondsOf(now) - Number.parseInt(madeAt, 36) >= VALID_SECONDS) return null;
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

/** True if a subscriber still has the address that a link was mailed to. */
export function isForAddress({ subscriberId, addressHash }: PreferencesClaims, addressKey: string): boolean {
  return addressHash === hashAddress(subscriberId, addressKey);
}

function secondsOf(moment: Date): number {
  return Math.floor(moment.getTime() / 1000);
}
