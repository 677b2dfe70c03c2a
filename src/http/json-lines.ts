/** JSON lines (one JSON value a line, UTF-8) while they arrive, in the memory of one line. */
import type { Readable } from 'node:stream';
import { toAppError } from './error-reply.ts';
import { parseJsonBody } from './json-body.ts';

/** A line, the first of which is 1: its value, or what is wrong with it. */
export type JsonLine = { readonly line: number } & ({ readonly value: unknown } | { readonly fault: string });

/** Bytes of one line: as much as a record of ours can have. */
const MAX_LINE = 1024 * 1024;
const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];

/** The lines, empty ones left out. @throws what reading the bytes throws. */
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

  /** The line that was begun, if it is not empty. */
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
    // A line that is too long is not kept.
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
