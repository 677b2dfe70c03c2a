/** Reads JSON lines (one JSON value per line, UTF-8) while they arrive, in the memory of one line. */
import type { Readable } from 'node:stream';
import { toAppError } from './error-reply.ts';
import { parseJsonBody } from './json-body.ts';

/** A line, numbered from 1: its value or its fault. */
export type JsonLine = { readonly line: number } & ({ readonly value: unknown } | { readonly fault: string });

/** The most bytes of one line: as large as the largest record. */
const MAX_LINE = 1024 * 1024;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** Reads the lines, skipping empty ones. @throws errors of reading the bytes. */
export async function* readJsonLines(bytes: Readable): AsyncGenerator<JsonLine> {
  const splitter = new LineSplitter();
  for await (const chunk of bytes) yield* splitter.take(chunk);
  yield* splitter.end();
}

class LineSplitter {
  #pieces: Buffer[] = [];
  #length = 0;
  #line = 1;

  *take(chunk: Buffer): Generator<JsonLine> {
    let from = 0;
    for (let end = chunk.indexOf(LINE_FEED); end !== -1; end = chunk.indexOf(LINE_FEED, from)) {
      this.#add(chunk.subarray(from, end));
      yield* this.end();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  /** Returns the incomplete last line, if it is not empty. */
  *end(): Generator<JsonLine> {
    const [length, pieces, line] = [this.#length, this.#pieces, this.#line];
    this.#pieces = [];
    this.#length = 0;
    this.#line += 1;
    if (length > MAX_LINE) yield { line, fault: `is longer than ${MAX_LINE} bytes` };
    else {
      const bytes = Buffer.concat(pieces);
      const isEmpty = bytes.length === 0 || (bytes.length === 1 && bytes[0] === CARRIAGE_RETURN);
      if (!isEmpty) yield parseLine(line, bytes);
    }
  }

  #add(piece: Buffer): void {
    this.#length += piece.length;
    // A line that is too long is discarded.
    if (this.#length <= MAX_LINE) this.#pieces.push(piece);
    else this.#pieces = [];
  }
}

function parseLine(line: number, bytes: Buffer): JsonLine {
  try {
    return { line, value: parseJsonBody(bytes) };
  } catch (error) {
    const [issue] = toAppError(error).issues ?? [];
    if (issue === undefined) throw error;
    const { field, message } = issue;
    return { line, fault: field === undefined ? message : `${field} ${message}` };
  }
}
