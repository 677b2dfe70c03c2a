/**
 * Tokens in sent messages that identify the message: tenant id, message id, MAC and an optional text that the MAC
 * covers, as base64url. Verifying a token needs no database. Tokens never expire, because people read old mail. Each
 * purpose has a key of its own, so a token is valid for one purpose only.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import { decodeBase64Url } from '../secrets/base64url.ts';

const IDS_BYTES = 32;

/** Identifies a message. */
export interface MessageRef {
  readonly tenantId: string;
  readonly messageId: string;
}

/**
 * Placeholder message id for the links of previews and test mail. Such links look real but have no effect.
 */
export const PREVIEW_MESSAGE_ID = '00000000-0000-7000-8000-000000000000';

/** Keys and MAC length of one purpose. */
export interface TokenSigner {
  /** The first key signs; signatures of all keys are accepted. */
  readonly keys: readonly [KeyObject, ...KeyObject[]];
  readonly macBytes: number;
}

/** Returns the length of a token without a text, in characters. */
export function tokenLength(macBytes: number): number {
  return Math.ceil(((IDS_BYTES + macBytes) * 8) / 6);
}

/** Creates a token for a message; deterministic. @throws RangeError when an id is not a UUID. */
export function signMessage(signer: TokenSigner, { tenantId, messageId }: MessageRef, text = ''): string {
  const ids = Buffer.concat([uuidBytes(tenantId), uuidBytes(messageId)]);
  const signed = Buffer.from(text);
  return Buffer.concat([ids, macOf(signer.keys[0], signer, ids, signed), signed]).toString('base64url');
}

/** Returns the message and text of a token, or null if its signature is not valid for this purpose. Never throws. */
export function readMessageToken(
  signer: TokenSigner,
  token: string,
): { readonly message: MessageRef; readonly text: string } | null {
  const bytes = decodeBase64Url(token);
  const macEnd = IDS_BYTES + signer.macBytes;
  if (bytes === null || bytes.length < macEnd) return null;
  const ids = bytes.subarray(0, IDS_BYTES);
  const signed = bytes.subarray(macEnd);
  const mac = bytes.subarray(IDS_BYTES, macEnd);
  if (!signer.keys.some((key) => timingSafeEqual(mac, macOf(key, signer, ids, signed)))) return null;
  const message = { tenantId: uuidText(ids.subarray(0, 16)), messageId: uuidText(ids.subarray(16)) };
  return { message, text: signed.toString() };
}

function macOf(key: KeyObject, { macBytes }: TokenSigner, ids: Buffer, signed: Buffer): Buffer {
  return createHmac('sha256', key).update(ids).update(signed).digest().subarray(0, macBytes);
}

function uuidBytes(text: string): Buffer {
  const bytes = Buffer.from(text.replaceAll('-', ''), 'hex');
  if (bytes.length !== 16 || text.length !== 36) throw new RangeError(`${text} is not a UUID`);
  return bytes;
}

function uuidText(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
