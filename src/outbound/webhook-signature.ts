/** Signatures of the Standard Webhooks specification (symmetric, `v1`), and their secrets. */
import { createHmac } from 'node:crypto';
import Type from 'typebox';
import type { Issue } from '../errors/app-error.ts';
import { secretMark } from '../http/schemas.ts';

const PREFIX = 'whsec_';
/** The header with the signature. */
export const SIGNATURE_HEADER = 'webhook-signature';
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The signing secret of deliveries in request bodies; no response contains it. */
export const SigningSecret = Type.Unsafe<string | null>({
  title: 'SigningSecret',
  ...secretMark,
  type: ['string', 'null'],
  minLength: 16,
  maxLength: 500,
  description:
    'Signs deliveries per Standard Webhooks. `whsec_<base64>` is decoded; other text is used as it is. Stored encrypted and never returned. A PUT without it keeps it; null removes it.',
});

/** The alias of `signing_secret` in request bodies. */
export const Secret = Type.Unsafe<string | null>({
  title: 'WebhookSecret',
  ...secretMark,
  type: ['string', 'null'],
  minLength: 1,
  maxLength: 500,
  description: 'Alternative to `signing_secret`, of any length.',
});

/** The two names under which every kind of webhook accepts its secret. */
export interface GivenSecret {
  readonly secret?: string | null | undefined;
  readonly signing_secret?: string | null | undefined;
}

/** Returns the secret that a body gives under either name: null removes it, undefined keeps it. */
export function secretOf({ secret, signing_secret }: GivenSecret): string | null | undefined {
  return signing_secret === undefined ? secret : signing_secret;
}

/**
 * Returns the faults of a secret in a body, except for its length. `prefix` precedes the field names, such as
 * `event_webhooks[0].`.
 */
export function secretFaults({ secret, signing_secret }: GivenSecret, prefix = ''): Issue[] {
  const isTwice = secret !== undefined && signing_secret !== undefined && secret !== signing_secret;
  const message = isTwice
    ? 'is an alias of secret: send only one of them'
    : signingSecretFault(signing_secret);
  return message === null ? [] : [{ field: `${prefix}signing_secret`, message }];
}

/** Returns the fault of a signing secret, except for its length, or null: after `whsec_` it must be base64. */
function signingSecretFault(secret: string | null | undefined): string | null {
  if (!secret?.startsWith(PREFIX) || encodedKey(secret) !== null) return null;
  return `must be base64 after ${PREFIX}`;
}

/** The data of a signature. */
export interface SignedDelivery {
  /** Id of the delivery, the same for all attempts. */
  readonly id: string;
  /** Time of this attempt. */
  readonly at: Date;
  readonly body: string;
}

/**
 * Returns the headers by which a receiver verifies a delivery; none without a secret. A secret of the form
 * `whsec_<base64>` stands for the decoded bytes, as the specification says; any other for its UTF-8 bytes.
 */
export function signatureHeaders(
  secret: string | null,
  { id, at, body }: SignedDelivery,
): Readonly<Record<string, string>> {
  if (secret === null) return {};
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = encodedKey(secret) ?? Buffer.from(secret);
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': timestamp, [SIGNATURE_HEADER]: `v1,${signature}` };
}

/** Returns the bytes of a secret in the specification's form; null for any other. */
function encodedKey(secret: string): Buffer | null {
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : null;
}
