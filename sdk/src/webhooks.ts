/** Verifies that a received webhook comes from Tessera. */
import type { FormSubmission } from './generated/schemas.ts';

/** A webhook with an invalid signature or timestamp. Respond with 401. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
}

/** A received webhook and its secret. */
export interface ReceivedWebhook {
  /** The unparsed body. */
  readonly body: string;
  /** A `Headers` object, or the headers of a Node request. */
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The `signing_secret` of the webhook. Required; `undefined` throws. */
  readonly secret: string | undefined;
  /** Maximum age of a webhook, in seconds. Default: 300. */
  readonly toleranceSeconds?: number | undefined;
}

/** The body of a webhook of a form: `verifyWebhook<SubmissionWebhook>({...})`. */
export interface SubmissionWebhook {
  readonly data: Pick<
    FormSubmission,
    | 'id'
    | 'version'
    | 'created_at'
    | 'updated_at'
    | 'form_code'
    | 'email_address'
    | 'submission_date'
    | 'form_data'
    | 'events'
  >;
}

const DEFAULT_TOLERANCE_SECONDS = 300;
const INVALID_SIGNATURE = 'The signature of the webhook is invalid. Check the secret.';
const encoder = new TextEncoder();

/**
 * Verifies a webhook of forms, email events or automations (Standard Webhooks: `webhook-id`, `webhook-timestamp`,
 * `webhook-signature`) and returns its parsed body. Does not check that the body has the type `T`.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook<T = unknown>({
  body,
  headers,
  secret,
  toleranceSeconds = DEFAULT_TOLERANCE_SECONDS,
}: ReceivedWebhook): Promise<T> {
  const text = requireSecret(secret);
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature').split(' ');
  if (!(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds))
    throw new WebhookVerificationError(
      `The timestamp of the webhook differs from now by more than ${toleranceSeconds} s.`,
    );
  const key = await importKey(text.startsWith('whsec_') ? fromBase64(text.slice(6)) : encoder.encode(text));
  const signed = encoder.encode(`${id}.${timestamp}.${body}`);
  for (const signature of signatures) {
    const [version, value = ''] = signature.split(',');
    if (version === 'v1' && (await verify(key, fromBase64(value), signed))) return JSON.parse(body);
  }
  throw new WebhookVerificationError(INVALID_SIGNATURE);
}

/** `sha256=` and the signature of everything before it, as the last member. */
const LAST_MEMBER = /,"signature":"sha256=([0-9a-f]{64})"\}\s*$/;

/**
 * Verifies a webhook of records, whose signature is a member of its body, and returns the parsed body.
 * @throws WebhookVerificationError
 */
export async function verifyRecordWebhook<T = unknown>({
  body,
  secret,
}: Pick<ReceivedWebhook, 'body' | 'secret'>): Promise<T> {
  const text = requireSecret(secret);
  const match = LAST_MEMBER.exec(body);
  const hex = match?.[1] ?? '';
  const signed = encoder.encode(`${body.slice(0, match?.index)}}`);
  if (match === null || !(await verify(await importKey(encoder.encode(text)), fromHex(hex), signed)))
    throw new WebhookVerificationError(INVALID_SIGNATURE);
  return JSON.parse(body);
}

function requireSecret(secret: string | undefined): string {
  if (!secret) throw new TypeError('"secret" is required: pass the signing secret of the webhook.');
  return secret;
}

function headerOf(headers: ReceivedWebhook['headers'], name: string): string {
  const value = headers instanceof Headers ? headers.get(name) : headers[name];
  if (typeof value !== 'string') throw new WebhookVerificationError(`The header ${name} is missing.`);
  return value;
}

function importKey(secret: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  return crypto.subtle.importKey('raw', secret, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Compares signatures in constant time, because `crypto.subtle` does. */
function verify(
  key: CryptoKey,
  signature: Uint8Array<ArrayBuffer>,
  signed: Uint8Array<ArrayBuffer>,
): Promise<boolean> {
  return crypto.subtle.verify('HMAC', key, signature, signed);
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new WebhookVerificationError('The secret or the signature is not valid base64.');
  }
}

function fromHex(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}
