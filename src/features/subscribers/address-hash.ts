/** Binds the tokens in mails to the address that the mail went to: whoever had an address says nothing of a new one. */
import { createHash } from 'node:crypto';

/** Hash of a subscriber's address (normal form). It includes the id, so equal addresses have different hashes. */
export function hashAddress(subscriberId: string, addressKey: string): string {
  return createHash('sha256').update(`${subscriberId} ${addressKey}`).digest('base64url').slice(0, 22);
}
