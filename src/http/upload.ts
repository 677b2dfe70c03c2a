/** Bodies that are read while they arrive: of any size up to a limit, never in memory as a whole. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { TObject } from 'typebox';
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE } from '../errors/platform-errors.ts';
import { bodyTooLarge } from './body-limit.ts';
import { charsetOf, decodableCharset } from './charset.ts';
import { decodedBody } from './content-coding.ts';

/** The bodies that a route accepts as a stream. */
export interface UploadRules {
  /** Media types without parameters: `multipart/form-data`. */
  readonly contentTypes: readonly string[];
  readonly maxBytes: number;
  /** The body is text, whose declared charset must be known. */
  readonly isText?: true;
  /** Fields of a multipart form, for the API reference. Absent: the body is a file. */
  readonly form?: TObject;
}

/** A body that is still arriving. */
export class Upload {
  /** The Content-Type as sent, with parameters such as a boundary. */
  readonly contentType: string;
  /** The declared size in bytes; null if it is not declared. */
  readonly length: number | null;
  /**
   * The bytes, read from the connection as they are consumed. The stream fails with PAYLOAD_TOO_LARGE over the route's
   * limit and with INVALID_REQUEST when the client disconnects.
   */
  readonly bytes: Readable;

  constructor(request: IncomingMessage, contentType: string, length: number | null, maxBytes: number) {
    const body = decodedBody(request, request.headers['content-encoding']);
    this.contentType = contentType;
    this.length = body === request ? length : null;
    this.bytes = Readable.from(readBounded(body, maxBytes), { objectMode: false });
  }

  /** The content type without parameters, in lower case. */
  get mediaType(): string {
    return mediaTypeOf(this.contentType);
  }

  /** The usual name of the declared charset; null when none is declared. */
  get charset(): string | null {
    return decodableCharset(charsetOf(this.contentType) ?? '');
  }

  /** Facts about the body that are known before it is read: all that an Idempotency-Key can compare. */
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
      message: `The charset ${charset} is unknown. Send UTF-8.`,
    });
  const length = request.headers['content-length'];
  if (length !== undefined && Number(length) > maxBytes) throw bodyTooLarge(maxBytes);
  return new Upload(request, contentType, length === undefined ? null : Number(length), maxBytes);
}

/** Leaves the connection open when its reader stops: the response is sent on it. */
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
