import { bounceAddress } from '../../mail/verp.ts';
import type { Platform } from '../../platform.ts';
import { signTrackingToken } from './tracking-tokens.ts';

/** The local part that mailto unsubscribes go to, before the `+`. */
export const UNSUBSCRIBE_START = 'unsubscribe';

/**
 * Id of no message, for the links of mail that is only shown or tested: they look like those of a message and act for
 * nobody.
 */
export const PREVIEW_MESSAGE_ID = '00000000-0000-7000-8000-000000000000';

/** Where a recipient unsubscribes (RFC 8058, RFC 2369). */
export interface UnsubscribeLinks {
  /** `PUBLIC_URL/u/{token}`: a POST unsubscribes, a GET shows a page with a button. */
  readonly url: string;
  /** A `mailto:` address; null when no bounce receiver would get it. */
  readonly mailto: string | null;
}

/**
 * The links of one message for `List-Unsubscribe` and for `unsubscribe_url`.
 * @param domain the tenant's bounce domain, whose mail reaches the receiver on BOUNCE_SMTP_PORT; null when it has none.
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
