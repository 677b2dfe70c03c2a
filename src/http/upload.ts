/** Bodies that are read while they arrive: of any size up to a bound, never held in memory as a whole. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { TObject } from 'typebox';
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE } from '../errors/platform-errors.ts';
import { bodyTooLarge } from './body-limit.ts';
import { charsetOf, decodableCharset } from './charset.ts';
import { decodedBody } from './content-coding.ts';

/** What a route takes as a streamed body. */
export interface UploadRules {
  /** Media types without parameters: `multipart/form-data`. */
  readonly contentTypes: readonly string[];
  readonly maxBytes: number;
  /** The body is text, whose declared charset must be known. */
  readonly isText?: true;
  /** For the API's documentation: the fields of a multipart form. Absent: the body is a file. */
  readonly form?: TObject;
}

/** A body on its way in. */
export class Upload {
  /** The Content-Type as it was sent, with parameters such as a boundary. */
  readonly contentType: string;
  /** What the client says it sends, bytes; null when it does not say. */
  readonly length: number | null;
  /**
   * The bytes, read from the connection as they are taken from here. It fails with PAYLOAD_TOO_LARGE beyond the
   * route's bound and with INVALID_REQUEST when the client goes away.
   */
  readonly bytes: Readable;

  constructor(request: IncomingMessage, contentType: string, length: number | null, maxBytes: number) {
    const body = decodedBody(request, request.headers['content-encoding']);
    this.contentType = contentType;
    this.length = body === request ? length : null;
    this.bytes = Readable.from(readBounded(body, maxBytes), { objectMode: false });
  }

  /** The same without parameters, in lower case. */
  get mediaType(): string {
    return mediaTypeOf(this.contentType);
  }

  /** The declared charset by its usual name; null when none is declared. */
  get charset(): string | null {
    return decodableCharset(charsetOf(this.contentType) ?? '');
  }

  /** What is known of the body before it is read: all that an Idempotency-Key can compare. */
  toJSON(): object {
    return { type: this.mediaType, length: this.length };
  }
}

/** Opens a request's body. @throws AppError UNSUPPORTED_MEDIA_TYPE or PAYLOAD_TOO_LARGE. */
export function openUpload(
  { contentTypes, maxBytes, isText }: UploadRules,
  request: IncomingMessage,
): Upload {
  const contentType = request.headers['content-type'] ?? '';
  if (!contentTypes.includes(mediaTypeOf(contentType)))
    throw new AppError(UNSUPPORTED_MEDIA_TYPE, { message: `Send the body as ${contentTypes.join(' or ')}.` });
  const charset = charsetOf(contentType);
  if (isText && charset !== null && decodableCharset(charset) === null)
    throw new AppError(UNSUPPORTED_MEDIA_TYPE, {
      message: `The charset ${charset} is not known: send UTF-8.`,
    });
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) > maxBytes) throw bodyTooLarge(maxBytes);
  return new Upload(request, contentType, length === undefined ? null : Number(length), maxBytes);
}

/** The connection stays open when its reader stops: the answer goes out on it. */
async function* readBounded(request: Readable, maxBytes: number): AsyncGenerator<Buffer> {
  let seen = 0;
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      seen += chunk.length;
      if (seen > maxBytes) throw bodyTooLarge(maxBytes);
      yield chunk;
    }
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError(INVALID_REQUEST, { message: 'The body ended before it was complete.', cause: error });
  }
}

function mediaTypeOf(contentType: string): string {
  const [type = ''] = contentType.split(';', 1);
  return type.trim().toLowerCase();
}
