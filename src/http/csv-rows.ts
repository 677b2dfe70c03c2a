/**
 * The rows of a CSV file (RFC 4180, UTF-8, a header row) while it arrives, so that a file of any length takes the memory
 * of one row.
 */
import type { Readable } from 'node:stream';
import { invalidRequest } from '../errors/platform-errors.ts';

/** A row: a cell by its name in the header, empty when it is not there; or what is wrong with the row. */
export type CsvRow = {
  /** Where it begins in the file; the header is line 1. */
  readonly line: number;
} & ({ readonly cell: (name: string) => string } | { readonly fault: string });

/** Characters of one row: far more than any record of ours has, and what an unclosed quote takes at most. */
const MAX_ROW = 64 * 1024;

interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault: string | null;
}

/**
 * The rows below the header, empty lines left out.
 * @throws AppError INVALID_REQUEST when the header lacks a `required` name, and what reading the bytes throws.
 */
export async function* readCsvRows(bytes: Readable, required: readonly string[]): AsyncGenerator<CsvRow> {
  let places: ReadonlyMap<string, number> | null = null;
  for await (const { line, cells, fault } of splitRows(bytes)) {
    if (places === null) {
      places = new Map(cells.map((name, place) => [name.trim(), place]));
      requireNames(places, required);
    } else if (fault !== null) yield { line, fault };
    else {
      const named = places;
      yield { line, cell: (name) => cells[named.get(name) ?? -1] ?? '' };
    }
  }
  if (places === null) requireNames(new Map(), required);
}

function requireNames(names: ReadonlyMap<string, number>, required: readonly string[]): void {
  const issues = required
    .filter((name) => !names.has(name))
    .map((name) => ({ field: name, message: 'is missing in the header, which is the first row' }));
  if (issues.length > 0) throw invalidRequest(issues);
}

async function* splitRows(bytes: Readable): AsyncGenerator<RawRow> {
  // What is no UTF-8 becomes U+FFFD and is told by it; a byte order mark goes.
  const decoder = new TextDecoder();
  const splitter = new RowSplitter();
  for await (const chunk of bytes) yield* splitter.take(decoder.decode(chunk, { stream: true }));
  yield* splitter.take(decoder.decode());
  yield* splitter.end();
}

/** Where a character stands: at the start of a cell, in a plain or quoted one, or behind a quote in a quoted one. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

class RowSplitter {
  #place: Place = 'start';
  #cells: string[] = [];
  #cell = '';
  #length = 0;
  #fault: string | null = null;
  #line = 1;
  #beginsAt = 1;

  *take(text: string): Generator<RawRow> {
    for (const character of text) {
      if (character === '\n') this.#line += 1;
      if (character === '\n' && this.#place !== 'quoted') yield* this.#endRow();
      else this.#add(character);
    }
  }

  /** The last row, when no line break ends it. */
  *end(): Generator<RawRow> {
    if (this.#place === 'quoted') this.#fault ??= 'a quote is not closed';
    yield* this.#endRow();
  }

  #add(character: string): void {
    this.#length += 1;
    if (this.#length > MAX_ROW) {
      this.#fault = `is longer than ${MAX_ROW} characters`;
      this.#cell = '';
    }
    if (character === '\ufffd') this.#fault ??= 'is not UTF-8';
    if (character === '"' && this.#place !== 'plain') this.#addQuote();
    else if (character === ',' && this.#place !== 'quoted') this.#endCell();
    else {
      if (this.#place === 'closed' && character !== '\r') this.#fault ??= 'has text behind a closed quote';
      if (this.#place === 'start') this.#place = 'plain';
      this.#cell += character;
    }
  }

  #addQuote(): void {
    if (this.#place === 'closed') this.#cell += '"';
    this.#place = this.#place === 'quoted' ? 'closed' : 'quoted';
  }

  #endCell(): void {
    if (this.#length <= MAX_ROW) this.#cells.push(this.#cell);
    this.#cell = '';
    this.#place = 'start';
  }

  *#endRow(): Generator<RawRow> {
    // The first half of a line break.
    if (this.#cell.endsWith('\r')) this.#cell = this.#cell.slice(0, -1);
    this.#endCell();
    const isEmpty = this.#cells.length === 1 && this.#cells[0] === '' && this.#fault === null;
    if (!isEmpty) yield { line: this.#beginsAt, cells: this.#cells, fault: this.#fault };
    this.#cells = [];
    this.#length = 0;
    this.#fault = null;
    this.#beginsAt = this.#line;
  }
}
