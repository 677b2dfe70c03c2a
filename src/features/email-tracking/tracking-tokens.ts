/**
 * The tokens in the links of a message: tenant, message and a MAC of 128 bits, base64url; a click's is followed by
 * the address it leads to, which the MAC covers too. They name no row, so following a link needs no database, and they
 * never expire: people read old mail. One key per purpose, so that no token serves another purpose.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { decodeBase64Url } from '../../secrets/base64url.ts';
import { deriveKey } from '../../secrets/derived-key.ts';

const UUID_BYTES = 16;
const MAC_BYTES = 16;
const HEAD_BYTES = 2 * UUID_BYTES + MAC_BYTES;

/** What a token is for. */
export type TokenPurpose = 'open' | 'click' | 'unsubscribe';

/** The message that a token was made for. */
export interface TokenSubject {
  readonly tenantId: string;
  readonly messageId: string;
}

/** What a token tells: the message, and for a click where it leads (empty otherwise). */
export interface TrackingClaims extends TokenSubject {
  readonly url: string;
}

const keysOf = oncePerPlatform(({ config }): Readonly<Record<TokenPurpose, KeyObject>> => {
  const key = (purpose: TokenPurpose) => deriveKey(config.secretKey, `message-link/${purpose}`);
  return { open: key('open'), click: key('click'), unsubscribe: key('unsubscribe') };
});

/** A token for one message; the same facts always give the same. @throws RangeError when an id is not a UUID. */
export function signTrackingToken(
  platform: Platform,
  purpose: TokenPurpose,
  { tenantId, messageId }: TokenSubject,
  url = '',
): string {
  const ids = Buffer.concat([uuidBytes(tenantId), uuidBytes(messageId)]);
  const target = Buffer.from(url);
  return Buffer.concat([ids, macOf(platform, purpose, ids, target), target]).toString('base64url');
}

/** What the token tells, or null when it was not made here for this purpose. Never throws. */
export function readTrackingToken(
  platform: Platform,
  purpose: TokenPurpose,
  token: string,
): TrackingClaims | null {
  const bytes = decodeBase64Url(token);
  if (bytes === null || bytes.length < HEAD_BYTES) return null;
  if (purpose !== 'click' && bytes.length > HEAD_BYTES) return null;
  const ids = bytes.subarray(0, 2 * UUID_BYTES);
  const target = bytes.subarray(HEAD_BYTES);
  const expected = macOf(platform, purpose, ids, target);
  if (!timingSafeEqual(bytes.subarray(2 * UUID_BYTES, HEAD_BYTES), expected)) return null;
  return {
    tenantId: uuidText(ids.subarray(0, UUID_BYTES)),
    messageId: uuidText(ids.subarray(UUID_BYTES)),
    url: target.toString(),
  };
}

function macOf(platform: Platform, purpose: TokenPurpose, ids: Buffer, target: Buffer): Buffer {
  const mac = createHmac('sha256', keysOf(platform)[purpose]).update(ids).update(target).digest();
  return mac.subarray(0, MAC_BYTES);
}

function uuidBytes(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  if (bytes.length !== UUID_BYTES || text.length !== 36) throw new RangeError(`${text} is not a UUID`);
  return bytes;
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
