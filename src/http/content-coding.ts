/** Content codings of bodies (RFC 9110, section 8.4.1): compressed bodies are decompressed before they are read. */
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE } from '../errors/platform-errors.ts';

/** The supported codings, as in `Accept-Encoding`. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';
const KNOWN_CODINGS = ['gzip', 'x-gzip', 'deflate', 'br'];

/** Also decodes the available part of a body that was cut off. */
const TRUNCATED = { finishFlush: constants.Z_SYNC_FLUSH };
const TRUNCATED_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
/** How the zlib format begins. */
const ZLIB_HEAD = Buffer.from([0x78, 0x9c]);

/** Returns the codings that a header names, in the order they were applied, without `identity`. */
function codingsIn(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity');
}

function decoderOf(coding: string, isTruncated: boolean, head: Uint8Array = ZLIB_HEAD): Transform | null {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(isTruncated ? TRUNCATED : {});
  if (coding === 'br') return createBrotliDecompress(isTruncated ? TRUNCATED_BROTLI : {});
  if (coding !== 'deflate') return null;
  return isZlib(head)
    ? createInflate(isTruncated ? TRUNCATED : {})
    : createInflateRaw(isTruncated ? TRUNCATED : {});
}

/** True for the head of the zlib format (RFC 1950, section 2.2), which some senders of `deflate` omit. */
function isZlib([method = 0, flags = 0]: Uint8Array): boolean {
  return (method & 0x0f) === 8 && (method * 256 + flags) % 31 === 0;
}

/**
 * Returns the decoded body of a request, or the stream itself if it is not encoded.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for an unknown coding or more than one. The stream fails with INVALID_REQUEST
 *   when the bytes do not match the coding.
 */
export function decodedBody(payload: Readable, header: string | undefined): Readable {
  const [coding, ...others] = codingsIn(header);
  if (coding === undefined) return payload;
  if (others.length > 0 || !KNOWN_CODINGS.includes(coding))
    throw new AppError(UNSUPPORTED_MEDIA_TYPE, {
      message: `The body has the Content-Encoding ${[coding, ...others].join(', ').slice(0, 100)}, which is not supported. Send it without encoding, or with one of ${ACCEPTED_CODINGS}.`,
    });
  const counted = { receivedEncodedLength: 0 };
  const body = Readable.from(readDecoded(payload, coding, counted), { objectMode: false });
  // Fastify compares this with the Content-Length.
  return Object.defineProperty(body, 'receivedEncodedLength', { get: () => counted.receivedEncodedLength });
}

async function* readDecoded(
  payload: Readable,
  coding: string,
  counted: { receivedEncodedLength: number },
): AsyncGenerator<Buffer> {
  try {
    const { head, chunks } = await withHead(countedChunks(payload, counted));
    const decoder = decoderOf(coding, false, head);
    // The reader gets the error.
    if (decoder !== null) yield* pipeline(chunks, decoder, () => undefined);
  } catch (error) {
    // Keep the connection open for the response.
    payload.resume();
    throw new AppError(INVALID_REQUEST, { message: `The body is not valid ${coding}.`, cause: error });
  }
}

async function* countedChunks(
  payload: Readable,
  counted: { receivedEncodedLength: number },
): AsyncGenerator<Buffer> {
  for await (const chunk of payload.iterator({ destroyOnReturn: false })) {
    counted.receivedEncodedLength += chunk.length;
    yield chunk;
  }
}

/** Bytes of a response. `isCut` is true if the end is missing. */
export interface CodedBytes {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/**
 * Decodes at most `maxBytes` of a response; returned unchanged if its coding is unknown or does not match the bytes.
 */
export async function decodeBytes(
  coded: CodedBytes,
  header: string | undefined,
  maxBytes: number,
): Promise<CodedBytes> {
  let decoded = coded;
  for (const coding of codingsIn(header).toReversed()) {
    const next = await decodeOnce(decoded, coding, maxBytes);
    if (next === null) return coded;
    decoded = next;
  }
  return decoded;
}

async function decodeOnce(
  { bytes, isCut }: CodedBytes,
  coding: string,
  maxBytes: number,
): Promise<CodedBytes | null> {
  // Decode a truncated body as far as possible.
  const decoder = decoderOf(coding, true, bytes);
  if (decoder === null) return null;
  // A response to HEAD has only headers.
  if (bytes.length === 0) return { bytes, isCut };
  const chunks: Buffer[] = [];
  let length = 0;
  decoder.end(bytes);
  try {
    for await (const chunk of decoder) {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes) break;
    }
  } catch {
    return null;
  }
  const all = Buffer.concat(chunks);
  return { bytes: all.subarray(0, maxBytes), isCut: isCut || all.length > maxBytes };
}

/**
 * Decodes a response while it arrives; passes it through if a coding is unknown. The reader must limit its size.
 * @throws the zlib error for a response that does not match its coding.
 */
export async function* decodeStream(
  body: AsyncIterable<Buffer>,
  header: string | undefined,
): AsyncGenerator<Buffer> {
  const codings = codingsIn(header).toReversed();
  if (codings.length === 0) return yield* body;
  let decoded: AsyncIterable<Buffer> = body;
  for (const coding of codings) {
    const { head, chunks } = await withHead(decoded);
    decoded = chunks;
    const decoder = decoderOf(coding, false, head);
    if (decoder === null) break;
    decoded = pipeline(chunks, decoder, () => undefined);
  }
  yield* decoded;
}

/** Reads the first two bytes, or fewer if there are no more. The returned chunks are all, from the first byte on. */
async function withHead(
  source: AsyncIterable<Buffer>,
): Promise<{ readonly head: Uint8Array; readonly chunks: AsyncIterable<Buffer> }> {
  const iterator = source[Symbol.asyncIterator]();
  let next = await iterator.next();
  let head: Buffer = next.done ? Buffer.alloc(0) : next.value;
  while (!next.done && head.length < 2) {
    next = await iterator.next();
    if (!next.done) head = Buffer.concat([head, next.value]);
  }
  async function* chunks() {
    if (head.length > 0) yield head;
    yield* { [Symbol.asyncIterator]: () => iterator };
  }
  return { head, chunks: chunks() };
}
