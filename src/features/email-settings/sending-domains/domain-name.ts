import { asciiDomain } from '../../../mail/address.ts';

/** Leaves room for what is put before it, within the 253 characters of a name (RFC 1035 section 2.3.4). */
const MAX_LENGTH = 200;
/** What the conversion to ASCII would drop, so that another domain came of it. */
const DROPPED = /[\p{C}\p{Z}]/u;
const LABEL = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * The form under which a domain is known: lower case, ASCII. Null for what is no domain name of at least two labels;
 * an IP address is none.
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
