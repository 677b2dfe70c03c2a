/**
 * Hashes in mail tokens that bind them to the recipient's address: a token becomes invalid when the address changes.
 */
import { createHash } from 'node:crypto';

/** Hash of a subscriber's normalized address. It includes the id, so that equal addresses have different hashes. */
export function hashAddress(subscriberId: string, addressKey: string): string {
  return createHash('sha256').update(`${subscriberId} ${addressKey}`).digest('base64url').slice(0, 22);
}
