/** Signatures of the Standard Webhooks specification (symmetric, `v1`). */
import { createHmac } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** What is signed. */
export interface SignedDelivery {
  /** The same for all attempts and all receivers of an event. */
  readonly id: string;
  /** When this attempt is made. */
  readonly at: Date;
  readonly body: string;
}

/**
 * The headers that let a receiver verify a delivery. A secret of the form `whsec_<base64>` stands for the bytes that
 * its base64 encodes, as the specification says; any other secret for its own UTF-8 bytes.
 */
export function signatureHeaders(
  secret: string,
  { id, at, body }: SignedDelivery,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': `v1,${signature}` };
}

function keyOf(secret: string): Buffer {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.from(secret);
}
