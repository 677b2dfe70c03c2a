/** Content codings of bodies (RFC 9110, section 8.4.1): what comes compressed is read as what it was. */
import { pipeline, Readable, type Transform } from 'node:stream';
import { constants, createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { AppError } from '../errors/app-error.ts';
import { INVALID_REQUEST, UNSUPPORTED_MEDIA_TYPE } from '../errors/platform-errors.ts';

/** The codings that are read, as `Accept-Encoding` names them. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

/** What is there of a body that was cut off is decoded too. */
const PARTLY = { finishFlush: constants.Z_SYNC_FLUSH };
const PARTLY_BROTLI = { finishFlush: constants.BROTLI_OPERATION_FLUSH };
/** The low bits of the first byte of zlib's format; senders of `deflate` leave that format out now and then. */
const ZLIB_MARK = 8;

/** The codings that a header names, the last one applied last; without `identity`. */
function codingsIn(header: string | undefined): string[] {
  const names = (header ?? '').split(',').map((name) => name.trim().toLowerCase());
  return names.filter((name) => name !== '' && name !== 'identity');
}

function decoderOf(coding: string, isCut: boolean, firstByte = ZLIB_MARK): Transform | null {
  if (coding === 'gzip' || coding === 'x-gzip') return createGunzip(isCut ? PARTLY : {});
  if (coding === 'br') return createBrotliDecompress(isCut ? PARTLY_BROTLI : {});
  if (coding !== 'deflate') return null;
  const isZlib = (firstByte & 0x0f) === ZLIB_MARK;
  return isZlib ? createInflate(isCut ? PARTLY : {}) : createInflateRaw(isCut ? PARTLY : {});
}

/**
 * The body of a request as it was before it was encoded, or the stream itself when it is not.
 * @throws AppError UNSUPPORTED_MEDIA_TYPE for a coding that is not known, or more than one. The stream fails with INVALID_REQUEST when
 *   it is not what its coding says.
 */
export function decodedBody(payload: Readable, header: string | undefined): Readable {
  const [coding, ...others] = codingsIn(header);
  if (coding === undefined) return payload;
  const decoder = others.length === 0 ? decoderOf(coding, false) : null;
  if (decoder === null)
    throw new AppError(UNSUPPORTED_MEDIA_TYPE, {
      message: `The body has the Content-Encoding ${[coding, ...others].join(', ').slice(0, 100)}: send it plain, or by one of ${ACCEPTED_CODINGS}.`,
    });
  const counted = { receivedEncodedLength: 0 };
  payload.on('data', (chunk: Buffer) => {
    counted.receivedEncodedLength += chunk.length;
  });
  payload.on('error', (error) => decoder.destroy(error));
  // Whoever reads the body gets the error. Nobody may: then it must not end the process.
  decoder.on('error', () => undefined);
  payload.pipe(decoder);
  const body = Readable.from(readDecoded(payload, decoder, coding), { objectMode: false });
  // Fastify compares this with the Content-Length.
  return Object.defineProperty(body, 'receivedEncodedLength', { get: () => counted.receivedEncodedLength });
}

async function* readDecoded(payload: Readable, decoder: Transform, coding: string): AsyncGenerator<Buffer> {
  try {
    yield* decoder;
  } catch (error) {
    // The connection stays open for the answer.
    payload.unpipe(decoder);
    payload.resume();
    throw new AppError(INVALID_REQUEST, { message: `The body is not valid ${coding}.`, cause: error });
  }
}

/** Bytes of an answer, and whether some are missing at their end. */
export interface CodedBytes {
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

/** An answer as it was before it was encoded, at most `maxBytes` of it; as it came where its coding is unknown or untrue. */
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
  const decoder = decoderOf(coding, isCut, bytes[0]);
  if (decoder === null) return null;
  // An answer to HEAD has the header alone.
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
 * Decodes an answer while it arrives; as it comes where a coding is unknown. What reads it bounds its size.
 * @throws the error of zlib for an answer that is not what its coding says.
 */
export async function* decodeStream(
  body: AsyncIterable<Buffer>,
  header: string | undefined,
): AsyncGenerator<Buffer> {
  const codings = codingsIn(header).toReversed();
  if (codings.length === 0) return yield* body;
  let decoded = Readable.from(body, { objectMode: false });
  for (const coding of codings) {
    const decoder = decoderOf(coding, false, coding === 'deflate' ? await firstByteOf(decoded) : undefined);
    if (decoder === null) break;
    decoded = pipeline(decoded, decoder, () => undefined);
  }
  yield* decoded;
}

async function firstByteOf(stream: Readable): Promise<number | undefined> {
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    stream.unshift(chunk);
    return chunk[0];
  }
  return undefined;
}
