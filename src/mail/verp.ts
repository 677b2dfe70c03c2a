/**
 * Envelope senders that identify the message a bounce is about (VERP). The local part is `<start>+<token>`, with a MAC
 * of 40 bits. A short MAC suffices: guessing works online only, and an attacker also needs the message's random id. The
 * token is case-sensitive; mail systems preserve the local part (RFC 5321 section 2.4).
 */
import { oncePerPlatform, type Platform } from '../platform.ts';
import { deriveKeys } from '../secrets/derived-key.ts';
import { type MessageRef, readMessageToken, signMessage, tokenLength } from './message-token.ts';

const MAC_BYTES = 5;
const TOKEN_CHARACTERS = tokenLength(MAC_BYTES);
/** Bytes for the start of the local part, which has at most 64 (RFC 5321 section 4.5.3.1.1). */
const MAX_START_BYTES = 64 - TOKEN_CHARACTERS - 1;

const signer = oncePerPlatform(({ config }) => ({
  keys: deriveKeys(config, 'bounce-address'),
  macBytes: MAC_BYTES,
}));

/**
 * Returns the envelope sender of a message; deterministic. `localPartStart` is cut to MAX_START_BYTES.
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
  return `${truncateStart(localPartStart)}+${signMessage(signer(platform), message)}@${domain}`;
}

/** Returns the message of a bounce address of any domain, or null if its token is not valid. Never throws. */
export function parseBounceAddress(platform: Platform, address: string): MessageRef | null {
  const localPart = unquotedLocalPart(address);
  if (localPart.at(-TOKEN_CHARACTERS - 1) !== '+') return null;
  return readMessageToken(signer(platform), localPart.slice(-TOKEN_CHARACTERS))?.message ?? null;
}

/**
 * Returns the local part of an address without quotes, which do not change its meaning (RFC 5321 section 4.1.2). Some
 * mail programs do not decode `%2B` in a mailto link (RFC 6068).
 */
export function unquotedLocalPart(address: string): string {
  const trimmed = address.trim();
  const written = trimmed.slice(0, Math.max(trimmed.lastIndexOf('@'), 0));
  const quoted = /^"(.*)"$/s.exec(written)?.[1]?.replace(/\\(.)/gs, '$1');
  return (quoted ?? written).replace(/%2b/i, '+');
}

/** Cuts the text to MAX_START_BYTES bytes at a character boundary. */
function truncateStart(start: string): string {
  let shortened = '';
  for (const character of start) {
    if (Buffer.byteLength(shortened + character) > MAX_START_BYTES) break;
    shortened += character;
  }
  return shortened;
}
