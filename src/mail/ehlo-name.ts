/** The name of this process in the EHLO command to the relay (RFC 5321 section 4.1.1.1). */
import { isIP } from 'node:net';
import { hostname } from 'node:os';
import { domainToASCII } from 'node:url';
import type { Config } from '../config.ts';

/** A fully qualified name (RFC 1123): labels of letters, digits and hyphens; the last one is not a number. */
const HOST_NAME = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** Fallback name. Relays and spam filters distrust it. */
export const FALLBACK_NAME = '[127.0.0.1]';

/**
 * Returns SMTP_EHLO_NAME, else the host of PUBLIC_URL, else the host name of the machine: the first that is fully
 * qualified or an address. In a container the host name has no dot and is skipped.
 */
export function ehloName(
  { smtpEhloName, publicUrl }: Pick<Config, 'smtpEhloName' | 'publicUrl'>,
  machine: string = hostname(),
): string {
  if (smtpEhloName !== null) return smtpEhloName;
  const candidates = [...(publicUrl === null ? [] : [new URL(publicUrl).hostname]), machine];
  for (const host of candidates) {
    const name = toEhloName(host);
    if (name !== null) return name;
  }
  return FALLBACK_NAME;
}

function toEhloName(host: string): string | null {
  const bare = host.replace(/^\[|\]$|\.$/g, '');
  const family = isIP(bare);
  if (family === 4) return /^(?:127|0|169\.254)\./.test(bare) ? null : `[${bare}]`;
  if (family === 6) return /^(?:::1?$|fe[89ab]|::ffff:(?:127\.|7f))/i.test(bare) ? null : `[IPv6:${bare}]`;
  const name = domainToASCII(bare);
  const isLocal = /(?:^|\.)(?:localhost|local|internal|localdomain|lan|home|corp|home\.arpa)$/.test(name);
  return HOST_NAME.test(name) && !isLocal ? name : null;
}
