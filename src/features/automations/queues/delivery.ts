/** Converts a broker delivery into a message, from Tessera or another program. */
import { randomUUID } from 'node:crypto';
import type { AsyncMessage } from 'rabbitmq-client';
import { AppError } from '../../../errors/app-error.ts';
import { CONTENT_BODY_BYTES } from '../../../http/body-limit.ts';
import { checkText, parseJsonBody } from '../../../http/json-body.ts';
import type { TokenSigner } from '../../../secrets/signed-tokens.ts';
import { CHAIN_HEADER, readChain } from './chain-token.ts';
import type { Message } from './queries.ts';

/** The header with the time at which a message became a dead letter. */
export const BURIED_HEADER = 'x-tessera-buried-at';
const MAX_BURIED_CHARS = 30;
const JSON_TYPE = 'application/json';
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns the message of a delivery, or why it is invalid. Deliveries with the same `message-id` are the same message.
 * Without one, each delivery gets a new id.
 */
export function readDelivery(
  delivery: AsyncMessage,
  { queue, tokens, now }: { readonly queue: string; readonly tokens: TokenSigner; readonly now: Date },
): Message | string {
  try {
    const id = delivery.messageId || randomUUID();
    checkText(id, 'message-id');
    const body = JSON.stringify(readBody(delivery));
    const cause = readChain(tokens, delivery.headers?.[CHAIN_HEADER], id, now);
    return { id, queue, body, cause, buriedAt: readBuried(delivery) };
  } catch (error) {
    return error instanceof AppError ? (error.issues?.[0]?.message ?? error.message) : String(error);
  }
}

/** Returns the time at which a republished message became a dead letter; empty for other messages. */
function readBuried({ headers }: AsyncMessage): string {
  const buried: unknown = headers?.[BURIED_HEADER];
  return typeof buried === 'string' ? buried.slice(0, MAX_BURIED_CHARS) : '';
}

/** Returns the delivered bytes; the client has already parsed JSON. @throws RangeError for JSON that is too deep. */
export function bytesOf({ body, contentType }: AsyncMessage): Buffer {
  if (Buffer.isBuffer(body)) return body;
  return Buffer.from(contentType === JSON_TYPE ? JSON.stringify(body) : String(body));
}

/**
 * Parses declared JSON. Without a type, tries JSON and falls back to text. @throws AppError, TypeError or RangeError.
 */
function readBody(delivery: AsyncMessage): unknown {
  const { contentType } = delivery;
  const bytes = bytesOf(delivery);
  if (bytes.length > CONTENT_BODY_BYTES) throw new RangeError('The body is larger than 10 MiB.');
  if (contentType === JSON_TYPE) return parseJsonBody(bytes) ?? null;
  if (contentType === undefined || contentType === '') {
    try {
      return parseJsonBody(bytes) ?? '';
    } catch {
      // Not JSON: use the text.
    }
  }
  const text = utf8.decode(bytes);
  checkText(text, 'body');
  return text;
}
