/**
 * Decodes the text of a file while it arrives. Spreadsheets write UTF-8, UTF-16 or Windows-1252 and rarely declare it.
 * The encoding is taken from a byte order mark, else from zero bytes, else from the declared charset, else from the
 * first non-ASCII bytes.
 */
import { isUtf8 } from 'node:buffer';
import type { Readable } from 'node:stream';
import { charsetOfMark } from './charset.ts';

/** A piece of the text. */
export interface TextPiece {
  readonly text: string;
  /** The detected charset: `UTF-8`, `UTF-16LE`. */
  readonly charset: string;
  /** True if some bytes were invalid in that charset; U+FFFD replaces them. */
  readonly isFaulty: boolean;
}

/** Replaces bytes that cannot be decoded. */
export const UNDECODABLE = '\ufffd';

const UTF8 = 'utf-8';
/** Number of bytes, from the first non-ASCII one on, by which UTF-8 is distinguished from Windows-1252. */
const SAMPLE_BYTES = 8 * 1024;
/** A byte order mark has at most three bytes, and UTF-16 shows its zeros in the first four. */
const HEAD_BYTES = 4;

/** Decodes bytes piece by piece, without the byte order mark. @throws errors of reading the bytes. */
export async function* decodeText(bytes: Readable, declared: string | null): AsyncGenerator<TextPiece> {
  const decoder = new DetectingDecoder(declared);
  for await (const chunk of bytes) yield* decoder.take(chunk);
  yield* decoder.end();
}

class DetectingDecoder {
  readonly #declared: string | null;
  #decode: Decode | null = null;
  /** Bytes that are not decoded yet. */
  #waiting = Buffer.alloc(0);
  /** True once the head contains neither a byte order mark nor UTF-16. */
  #isSingleByte = false;

  constructor(declared: string | null) {
    this.#declared = declared === UTF8 ? null : declared;
  }

  *take(chunk: Buffer, isEnd = false): Generator<TextPiece> {
    if (this.#decode !== null) return yield* this.#decode(chunk, isEnd);
    this.#waiting = Buffer.concat([this.#waiting, chunk]);
    const charset = this.#charset(isEnd);
    if (charset !== null) {
      this.#decode = decoderOf(charset);
      yield* this.#decode(this.#waiting, isEnd);
    } else if (this.#isSingleByte) {
      // ASCII bytes are the same in every possible charset.
      const end = firstNonAscii(this.#waiting);
      const text = this.#waiting.toString('latin1', 0, end);
      this.#waiting = this.#waiting.subarray(end);
      if (text !== '') yield { text, charset: UTF8.toUpperCase(), isFaulty: false };
    }
  }

  *end(): Generator<TextPiece> {
    yield* this.take(Buffer.alloc(0), true);
  }

  /** Returns the charset as soon as it is certain. */
  #charset(isEnd: boolean): string | null {
    const waiting = this.#waiting;
    if (!this.#isSingleByte) {
      if (waiting.length < HEAD_BYTES && !isEnd) return null;
      const detected = charsetOfHead(waiting) ?? this.#declared;
      if (detected !== null) return detected;
      this.#isSingleByte = true;
    }
    const sample = waiting.subarray(firstNonAscii(waiting));
    if (sample.length < SAMPLE_BYTES && !isEnd) return null;
    return isMostlyUtf8(sample) ? UTF8 : 'windows-1252';
  }
}

function charsetOfHead(head: Buffer): string | null {
  const marked = charsetOfMark(head);
  if (marked !== null) return marked;
  const [a, b, c, d] = head;
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le';
  return a === 0 && b !== 0 && c === 0 && d !== 0 ? 'utf-16be' : null;
}

function firstNonAscii(bytes: Buffer): number {
  const index = bytes.findIndex((byte) => byte >= 0x80);
  return index === -1 ? bytes.length : index;
}

/**
 * True if most sequences are valid, so that one broken byte in UTF-8, or one accidental match in Windows-1252, does not
 * decide.
 */
function isMostlyUtf8(sample: Buffer): boolean {
  let [valid, invalid] = [0, 0];
  for (const character of sample.subarray(0, wholeLength(sample)).toString())
    if (character === UNDECODABLE) invalid += 1;
    else if (character > '\x7f') valid += 1;
  return invalid <= valid;
}

/** Decodes the next bytes; `isEnd` marks the last ones. */
type Decode = (bytes: Buffer, isEnd: boolean) => Generator<TextPiece>;

function decoderOf(encoding: string): Decode {
  const decoder = new TextDecoder(encoding);
  const charset = encoding.toUpperCase();
  let rest = Buffer.alloc(0);
  return function* (bytes, isEnd) {
    const all = Buffer.concat([rest, bytes]);
    // UTF-8 is cut between characters, so that U+FFFD in the file differs from invalid bytes.
    const length = encoding === UTF8 && !isEnd ? wholeLength(all) : all.length;
    const whole = all.subarray(0, length);
    rest = all.subarray(length);
    const text = decoder.decode(whole, { stream: !isEnd });
    const isFaulty = encoding === UTF8 ? !isUtf8(whole) : text.includes(UNDECODABLE);
    if (text !== '') yield { text, charset, isFaulty };
  };
}

/** Returns the length without an incomplete last character. */
function wholeLength(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) break;
    if (byte < 0xc0) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
    return needed > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
