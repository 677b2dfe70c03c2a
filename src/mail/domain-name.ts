import { asciiDomain } from './address.ts';

/** Longest domain, which leaves room for subdomains within 253 characters (RFC 1035 section 2.3.4). */
const MAX_LENGTH = 200;
/** Characters that the conversion to ASCII would drop, which would yield another domain. */
const DROPPED = /[\p{C}\p{Z}]/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * Normalizes a domain: lower case, ASCII. Null for IP addresses and other texts that are not a domain name of at least
 * two labels.
 */
export function normalizeDomain(text: string): string | null {
  const trimmed = text.trim();
  if (DROPPED.test(trimmed)) return null;
  const ascii = asciiDomain(trimmed).toLowerCase();
  const labels = ascii.split('.');
  const isName =
    ascii.length <= MAX_LENGTH &&
    labels.length >= 2 &&
    labels.every((label) => LABEL.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '');
  return isName ? ascii : null;
}
