/** Binding of mail tokens to the recipient's address: after a change of the address, they are no longer valid. */
import { createHash } from 'node:crypto';

/** Hash of a subscriber's normalized address. It includes the id, so that equal addresses have different hashes. */
export function hashAddress(subscriberId: string, addressKey: string): string {
  return createHash('sha256').update(`${subscriberId} ${addressKey}`).digest('base64url').slice(0, 22);
}
