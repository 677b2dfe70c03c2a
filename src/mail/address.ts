/** Email addresses: validation, and normalization for comparing recipients. */
import { domainToASCII } from 'node:url';

/** RFC 5321 section 4.5.3.1, in bytes; the path's 256 include its angle brackets. */
const MAX_LOCAL_PART = 64;
const MAX_ADDRESS = 254;
/** Longest text that is NFC-normalized, in characters: a long one can take minutes. */
const MAX_NORMALIZED = 1000;
/** A dot-string of RFC 5321 section 4.1.2, with the non-ASCII letters of RFC 6531 section 3.3. */
const LOCAL_PART =
  /^[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+(\.[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+)*$/u;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** ASCII characters that are not allowed in a domain. */
const NOT_IN_DOMAIN = /\p{ASCII}(?<![a-z0-9.-])/iu;
/** Spaces, control characters and invisible characters, which a reader cannot distinguish. */
const INVISIBLE = /[\p{C}\p{Z}]/u;

/**
 * Returns the form in which addresses are compared and stored: trimmed (no-break spaces included), NFC, lower case,
 * domain in ASCII. Accepts any text; a text far too long for an address is not NFC-normalized.
 */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim();
  const plain = (trimmed.length > MAX_NORMALIZED ? trimmed : trimmed.normalize('NFC')).toLowerCase();
  const at = plain.lastIndexOf('@');
  if (at < 0) return plain;
  const domain = plain.slice(at + 1);
  return `${plain.slice(0, at)}@${asciiDomain(domain) || domain}`;
}

/**
 * Returns the normal form of a part of an address, for searches: lower case, complete labels of a domain in ASCII. Null
 * if the part looks the same in all spellings of an address.
 */
export function normalizeAddressPart(text: string): string | null {
  if (text.length > MAX_NORMALIZED || /^\p{ASCII}*$/u.test(text))
    return /xn--/i.test(text) ? text.toLowerCase() : null;
  const plain = text.normalize('NFC').toLowerCase();
  const domainStart = plain.lastIndexOf('@') + 1;
  const labels = plain.slice(domainStart).split('.');
  return plain.slice(0, domainStart) + labels.map((label) => asciiDomain(label) || label).join('.');
}

/** The normal form of addresses, for filters. */
export const ADDRESS_FORM = { of: normalizeAddress, ofPart: normalizeAddressPart };

/**
 * True if mail can be sent to the address: an unquoted local part of at most 64 bytes and a domain name, which may be
 * international. Address literals (`[192.0.2.1]`), quoted local parts and surrounding white space are not accepted.
 */
export function isAddress(text: string): boolean {
  // Checked first: the stack of the expressions below grows with the text.
  if (text.length > MAX_ADDRESS) return false;
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  const domain = asciiDomain(text.slice(at + 1));
  return (
    LOCAL_PART.test(localPart) &&
    !INVISIBLE.test(text) &&
    Buffer.byteLength(localPart) <= MAX_LOCAL_PART &&
    DOMAIN.test(domain) &&
    Buffer.byteLength(localPart) + 1 + domain.length <= MAX_ADDRESS
  );
}

/**
 * Returns the address to use for sending: the trimmed text if it is an address, else its normalized form. The result
 * may be invalid: check it with `isAddress`.
 */
export function sendableAddress(text: string): string {
  const trimmed = text.trim();
  return isAddress(trimmed) ? trimmed : normalizeAddress(trimmed);
}

/** Returns the part before the @; empty for a text without one. */
export function localPartOf(address: string): string {
  return address.slice(0, Math.max(address.lastIndexOf('@'), 0));
}

/** Returns the domain in lower case and ASCII; empty for a text without one. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return '';
  const domain = address
    .slice(at + 1)
    .trim()
    .toLowerCase();
  return asciiDomain(domain) || domain;
}

/** Returns the address with its domain in ASCII, which needs no SMTPUTF8 (RFC 5890, RFC 6531). */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + asciiDomain(address.slice(at));
}

/**
 * Converts a domain to ASCII; empty if the text cannot be a domain. ASCII texts return unchanged, and texts longer than
 * an address are refused, because the cost grows with the square of the length. `domainToASCII` parses a URL authority:
 * it decodes `%41` and stops at a slash. Other ASCII than letters, digits, hyphens and dots would yield another domain.
 */
export function asciiDomain(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text;
  return text.length > MAX_ADDRESS || NOT_IN_DOMAIN.test(text) ? '' : domainToASCII(text);
}

/** Masks an address for pages whose link may be forwarded: first letter and domain only. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at < 1 ? '•••' : `${first}•••${address.slice(at)}`;
}
