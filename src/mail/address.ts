/** E-mail addresses: what counts as one, and the form under which two spellings are the same recipient. */
import { domainToASCII } from 'node:url';

/** RFC 5321 section 4.5.3.1, octets; the path's 256 include its angle brackets. */
const MAX_LOCAL_PART = 64;
const MAX_ADDRESS = 254;
/** Characters of a text that may be an address, however it is composed; to compose a long one can take minutes. */
const MAX_COMPOSED = 1000;
/** A dot-string of RFC 5321 section 4.1.2, with the letters beyond ASCII of RFC 6531 section 3.3. */
const LOCAL_PART =
  /^[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+(\.[\w!#$%&'*+/=?^`{|}~\-\u{80}-\u{10ffff}]+)*$/u;
const DOMAIN = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/i;
/** ASCII that has no place in a domain. */
const NO_DOMAIN = /\p{ASCII}(?<![a-z0-9.-])/iu;
/** Spaces, controls and invisible characters beyond ASCII: nothing that a person could tell apart. */
const UNSEEN = /[\p{C}\p{Z}]/u;

/**
 * The form under which addresses are compared and stored: without surrounding white space (no-break spaces
 * included), composed, in lower case, the domain in ASCII. Any text has one; it need not be an address, and one far
 * too long for an address is not composed.
 */
export function normalizeAddress(text: string): string {
  const trimmed = text.trim();
  const plain = (trimmed.length > MAX_COMPOSED ? trimmed : trimmed.normalize('NFC')).toLowerCase();
  const at = plain.lastIndexOf('@');
  if (at < 0) return plain;
  const domain = plain.slice(at + 1);
  return `${plain.slice(0, at)}@${asciiDomain(domain) || domain}`;
}

/**
 * Whether the text is an address that mail can be handed over for: a local part without quotes, of 64 octets at
 * most, and a domain's name, international or not. Address literals (`[192.0.2.1]`) and quoted local parts are
 * refused. Surrounding white space is not part of an address: normalize first.
 */
export function isAddress(text: string): boolean {
  // Before the expressions below, whose stack grows with the text.
  if (text.length > MAX_ADDRESS) return false;
  const at = text.lastIndexOf('@');
  const localPart = text.slice(0, Math.max(at, 0));
  const domain = asciiDomain(text.slice(at + 1));
  return (
    LOCAL_PART.test(localPart) &&
    !UNSEEN.test(text) &&
    Buffer.byteLength(localPart) <= MAX_LOCAL_PART &&
    DOMAIN.test(domain) &&
    Buffer.byteLength(localPart) + 1 + domain.length <= MAX_ADDRESS
  );
}

/**
 * The form in which mail is sent to or from what somebody wrote: as it was written, trimmed, or its normal form when only
 * that is an address. When `isAddress` is false of it, it is none.
 */
export function sendableAddress(text: string): string {
  const trimmed = text.trim();
  return isAddress(trimmed) ? trimmed : normalizeAddress(trimmed);
}

/** What stands before the domain: the name of somebody of whom no other is known. */
export function localPartOf(address: string): string {
  return address.slice(0, Math.max(address.lastIndexOf('@'), 0));
}

/** The domain in lower case and ASCII; empty for a text without one. */
export function domainOf(address: string): string {
  const at = address.lastIndexOf('@');
  if (at < 0) return '';
  const domain = address
    .slice(at + 1)
    .trim()
    .toLowerCase();
  return asciiDomain(domain) || domain;
}

/** The address with its domain in ASCII, so that a relay needs no SMTPUTF8 for that (RFC 5890, RFC 6531). */
export function asciiAddress(address: string): string {
  const at = address.lastIndexOf('@') + 1;
  return address.slice(0, at) + asciiDomain(address.slice(at));
}

/**
 * The domain in ASCII; empty when the text cannot be one. Only what needs it is converted, and nothing longer than an
 * address: that costs more than all the rest, with the square of the length. The conversion reads a whole URL's
 * authority: it decodes `%41` and stops at a slash, so that another domain would come of what holds more than letters,
 * digits, hyphens and dots.
 */
export function asciiDomain(text: string): string {
  if (/^[\x21-\x7e]*$/.test(text)) return text;
  return text.length > MAX_ADDRESS || NO_DOMAIN.test(text) ? '' : domainToASCII(text);
}

/** The address as a page shows it that anybody with its link sees: mail is forwarded, so not the whole. */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  const [first = ''] = address;
  return at < 1 ? '•••' : `${first}•••${address.slice(at)}`;
}
