/**
 * Envelope senders that tell which message a bounce is about (VERP). The local part is
 * `<start>+<token>`: tenant, message and a MAC of 40 bits, base64url. So short a MAC suffices, because guesses can
 * only be tried online, and because what it protects, the message's random id, is itself known to few.
 * The token is case-sensitive; mail systems preserve a local part as it is (RFC 5321 section 2.4).
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { oncePerPlatform, type Platform } from '../platform.ts';
import { decodeBase64Url } from '../secrets/base64url.ts';
import { deriveKey } from '../secrets/derived-key.ts';
import { MESSAGE_REF_BYTES, type MessageRef, messageRefBytes, readMessageRef } from './message-ref.ts';

const MAC_BYTES = 5;
const TOKEN_CHARACTERS = Math.ceil(((MESSAGE_REF_BYTES + MAC_BYTES) * 8) / 6);
/** What is left of the 64 octets of a local part (RFC 5321 section 4.5.3.1.1) for its start. */
const MAX_START = 64 - TOKEN_CHARACTERS - 1;
const DEFAULT_START = 'bounce';

const keyOf = oncePerPlatform((platform) => deriveKey(platform.config.secretKey, 'bounce-address'));

/**
 * The envelope sender of one message; the same message always gets the same. `localPartStart` is kept up to 13
 * octets, as many as fit.
 * @throws RangeError when an id is not a UUID.
 */
export function bounceAddress(
  platform: Platform,
  {
    domain,
    localPartStart = DEFAULT_START,
    ...message
  }: MessageRef & { readonly domain: string; readonly localPartStart?: string },
): string {
  const ids = messageRefBytes(message);
  const token = Buffer.concat([ids, macOf(platform, ids)]).toString('base64url');
  return `${shorten(localPartStart)}+${token}@${domain}`;
}

/** The message that the address was made for, or null when it was not made here. Whatever its domain. Never throws. */
export function parseBounceAddress(platform: Platform, address: string): MessageRef | null {
  const localPart = address.trim().slice(0, Math.max(address.trim().lastIndexOf('@'), 0));
  if (localPart.at(-TOKEN_CHARACTERS - 1) !== '+') return null;
  const bytes = decodeBase64Url(localPart.slice(-TOKEN_CHARACTERS));
  if (bytes === null || bytes.length !== MESSAGE_REF_BYTES + MAC_BYTES) return null;
  const ids = bytes.subarray(0, MESSAGE_REF_BYTES);
  if (!timingSafeEqual(bytes.subarray(MESSAGE_REF_BYTES), macOf(platform, ids))) return null;
  return readMessageRef(ids);
}

function macOf(platform: Platform, ids: Buffer): Buffer {
  return createHmac('sha256', keyOf(platform)).update(ids).digest().subarray(0, MAC_BYTES);
}

/** Whole characters only, so that what is cut is still text. */
function shorten(start: string): string {
  let kept = '';
  for (const character of start) {
    if (Buffer.byteLength(kept + character) > MAX_START) break;
    kept += character;
  }
  return kept;
}
