/**
 * The tokens in the links of a message: tenant, message and a MAC of 128 bits, base64url; a click's is followed by
 * the address it leads to, which the MAC covers too. They name no row, so following a link needs no database, and they
 * never expire: people read old mail. One key per purpose, so that no token serves another purpose.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import {
  MESSAGE_REF_BYTES,
  type MessageRef,
  messageRefBytes,
  readMessageRef,
} from '../../mail/message-ref.ts';
import { oncePerPlatform, type Platform } from '../../platform.ts';
import { decodeBase64Url } from '../../secrets/base64url.ts';
import { deriveKey } from '../../secrets/derived-key.ts';

const MAC_BYTES = 16;
const HEAD_BYTES = MESSAGE_REF_BYTES + MAC_BYTES;

/** What a token is for. */
export type TokenPurpose = 'open' | 'click' | 'unsubscribe';

/** What a token tells: the message, and for a click where it leads (empty otherwise). */
export interface TrackingClaims extends MessageRef {
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
  message: MessageRef,
  url = '',
): string {
  const ids = messageRefBytes(message);
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
  const ids = bytes.subarray(0, MESSAGE_REF_BYTES);
  const target = bytes.subarray(HEAD_BYTES);
  const expected = macOf(platform, purpose, ids, target);
  if (!timingSafeEqual(bytes.subarray(MESSAGE_REF_BYTES, HEAD_BYTES), expected)) return null;
  return { ...readMessageRef(ids), url: target.toString() };
}

function macOf(platform: Platform, purpose: TokenPurpose, ids: Buffer, target: Buffer): Buffer {
  const mac = createHmac('sha256', keysOf(platform)[purpose]).update(ids).update(target).digest();
  return mac.subarray(0, MAC_BYTES);
}
