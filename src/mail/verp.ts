/**
 * Envelope senders that tell which message a bounce is about (VERP). The local part is `<start>+<token>`, with a MAC of
 * 40 bits. So short a MAC suffices, because guesses can only be tried online, and because what it protects, the message's
 * random id, is itself known to few. The token is case-sensitive; mail systems preserve a local part as it is (RFC 5321
 * section 2.4).
 */
import { oncePerPlatform, type Platform } from '../platform.ts';
import { deriveKeys } from '../secrets/derived-key.ts';
import { type MessageRef, readMessageToken, signMessage, tokenLength } from './message-token.ts';

const MAC_BYTES = 5;
const TOKEN_CHARACTERS = tokenLength(MAC_BYTES);
/** What is left of the 64 octets of a local part (RFC 5321 section 4.5.3.1.1) for its start. */
const MAX_START = 64 - TOKEN_CHARACTERS - 1;

const signer = oncePerPlatform(({ config }) => ({
  keys: deriveKeys(config, 'bounce-address'),
  macBytes: MAC_BYTES,
}));

/**
 * The envelope sender of one message; the same message always gets the same. `localPartStart` is kept up to 13
 * octets, as many as fit.
 * @throws RangeError when an id is not a UUID.
 */
export function bounceAddress(
  platform: Platform,
  {
    domain,
    localPartStart = 'bounce',
    ...message
  }: MessageRef & { readonly domain: string; readonly localPartStart?: string },
): string {
  return `${shorten(localPartStart)}+${signMessage(signer(platform), message)}@${domain}`;
}

/** The message that the address was made for, or null when it was not made here. Whatever its domain. Never throws. */
export function parseBounceAddress(platform: Platform, address: string): MessageRef | null {
  const localPart = address.trim().slice(0, Math.max(address.trim().lastIndexOf('@'), 0));
  if (localPart.at(-TOKEN_CHARACTERS - 1) !== '+') return null;
  return readMessageToken(signer(platform), localPart.slice(-TOKEN_CHARACTERS))?.message ?? null;
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
