import { bounceAddress } from '../../../mail/verp.ts';
import type { Platform } from '../../../platform.ts';
import { signTrackingToken } from './tracking-tokens.ts';

/** Start of the local part of mailto unsubscribe addresses, before the `+`. */
export const UNSUBSCRIBE_START = 'unsubscribe';

/** Unsubscribe links of a message (RFC 8058, RFC 2369). */
export interface UnsubscribeLinks {
  /** `PUBLIC_URL/u/{token}`: a POST unsubscribes, a GET shows a page with a button. */
  readonly url: string;
  /** A `mailto:` address; null without a bounce domain. */
  readonly mailto: string | null;
}

/**
 * Returns the links of a message for `List-Unsubscribe` and for `unsubscribe_url`.
 * @param domain the tenant's bounce domain, whose mail reaches the receiver on BOUNCE_SMTP_PORT; null without one.
 */
export function unsubscribeLinks(
  platform: Platform,
  tenantId: string,
  messageId: string,
  domain: string | null = null,
): UnsubscribeLinks {
  const subject = { tenantId, messageId };
  const url = `${platform.publicUrl()}/u/${signTrackingToken(platform, 'unsubscribe', subject)}`;
  if (domain === null) return { url, mailto: null };
  const address = bounceAddress(platform, { ...subject, domain, localPartStart: UNSUBSCRIBE_START });
  return { url, mailto: `mailto:${address}?subject=unsubscribe` };
}
