/**
 * The rows of a CSV file (RFC 4180, UTF-8, a header row) while it arrives, so that a file of any length takes the memory
 * of one row. Cells are separated by what separates the names of the header: commas, semicolons or tabs.
 */
import type { Readable } from 'node:stream';
import { invalidRequest } from '../errors/platform-errors.ts';

/** A row: its cells by the names of the header, or what is wrong with the row. */
export type CsvRow = {
  /** Where it begins in the file; the header is line 1. */
  readonly line: number;
  /** The names of the header, in their order. */
  readonly names: readonly string[];
} & (
  | {
      readonly cells: readonly string[];
      /** A cell by its name in the header, empty when it is not there. */
      readonly cell: (name: string) => string;
    }
  | { readonly fault: string }
);

/** What a reader expects of a file. */
export interface CsvRules {
  /** Names that the header must have. */
  readonly required: readonly string[];
  /** A row with more or fewer cells than the header is faulty; absent: what is missing is empty, and more is left out. */
  readonly isExact?: true;
}

/** Characters of one row: far more than any record of ours has, and what an unclosed quote takes at most. */
const MAX_ROW = 64 * 1024;
/** What may separate cells. */
const SEPARATORS = [',', ';', '\t'] as const;
/** What is no UTF-8 is decoded as this, and told by it. */
const NO_UTF8 = '\ufffd';
/** How a line ends. */
const LINE_END = '\n';

interface RawRow {
  readonly line: number;
  readonly cells: readonly string[];
  readonly fault: string | null;
}

/**
 * The rows below the header, empty lines left out.
 * @throws AppError INVALID_REQUEST when the header cannot be read, lacks a name or has one twice, and what reading the bytes
 *   throws.
 */
export async function* readCsvRows(bytes: Readable, rules: CsvRules): AsyncGenerator<CsvRow> {
  let header: Header | null = null;
  for await (const raw of splitRows(bytes)) {
    if (header === null) header = readHeader(raw, rules);
    else yield toRow(raw, header, rules);
  }
  if (header === null) readHeader({ line: 1, cells: [], fault: null }, rules);
}

interface Header {
  readonly names: readonly string[];
  readonly places: ReadonlyMap<string, number>;
}

function readHeader({ cells, fault }: RawRow, { required }: CsvRules): Header {
  if (fault !== null) throw invalidRequest([{ message: `The header, which is the first row: ${fault}.` }]);
  const names = cells.map((name) => name.trim());
  const places = new Map(names.map((name, place) => [name, place]));
  const missing = required.filter((name) => !places.has(name));
  const twice = names.filter((name, place) => name !== '' && places.get(name) !== place);
  const issues = [
    ...missing.map((field) => ({ field, message: 'is missing in the header, which is the first row' })),
    ...[...new Set(twice)].map((field) => ({ field, message: 'stands twice in the header' })),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
  return { names, places };
}

function toRow({ line, cells, fault }: RawRow, { names, places }: Header, { isExact }: CsvRules): CsvRow {
  if (fault !== null) return { line, names, fault };
  if (isExact && cells.length !== names.length)
    return { line, names, fault: `has ${cells.length} cells where the header has ${names.length}` };
  return { line, names, cells, cell: (name) => cells[places.get(name) ?? -1] ?? '' };
}

async function* splitRows(bytes: Readable): AsyncGenerator<RawRow> {
  // A byte order mark goes.
  const decoder = new TextDecoder();
  let splitter: RowSplitter | null = null;
  let head = '';
  for await (const chunk of bytes) {
    const text = decoder.decode(chunk, { stream: true });
    if (splitter !== null) yield* splitter.take(text);
    else {
      head += text;
      if (!head.includes(LINE_END) && head.length <= MAX_ROW) continue;
      splitter = new RowSplitter(separatorIn(head));
      yield* splitter.take(head);
    }
  }
  head = splitter === null ? head + decoder.decode() : decoder.decode();
  splitter ??= new RowSplitter(separatorIn(head));
  yield* splitter.take(head);
  yield* splitter.end();
}

/** The one that the first line has most often outside of quotes; a comma when it has none. */
function separatorIn(head: string): string {
  const line = (head.trimStart().split(LINE_END, 1)[0] ?? '').replaceAll(/"[^"]*"/g, '');
  const counts = SEPARATORS.map((separator) => line.split(separator).length);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ',';
}

/** Where a character stands: at the start of a cell, in a plain or quoted one, or behind a quote in a quoted one. */
type Place = 'start' | 'plain' | 'quoted' | 'closed';

class RowSplitter {
  readonly #separator: string;
  /** What ends a run of characters that have no meaning of their own. */
  readonly #special: RegExp;
  #place: Place = 'start';
  #cells: string[] = [];
  #cell = '';
  #length = 0;
  #fault: string | null = null;
  #line = 1;
  #beginsAt = 1;

  constructor(separator: string) {
    this.#separator = separator;
    this.#special = new RegExp(`["${LINE_END}${NO_UTF8}${separator}]`, 'g');
  }

  *take(text: string): Generator<RawRow> {
    for (let from = 0; from < text.length; ) {
      this.#special.lastIndex = from;
      const end = this.#special.exec(text)?.index ?? text.length;
      if (end > from) this.#addText(text.slice(from, end));
      if (end < text.length) yield* this.#addSpecial(text.charAt(end));
      from = end + 1;
    }
  }

  /** The last row, when no line break ends it. */
  *end(): Generator<RawRow> {
    if (this.#place === 'quoted') this.#fault ??= 'a quote is not closed';
    yield* this.#endRow();
  }

  *#addSpecial(character: string): Generator<RawRow> {
    const isQuoted = this.#place === 'quoted';
    if (character === LINE_END) this.#line += 1;
    if (character === NO_UTF8) this.#fault ??= 'is not UTF-8';
    if (character === LINE_END && !isQuoted) yield* this.#endRow();
    else if (character === this.#separator && !isQuoted) {
      this.#count(1);
      this.#endCell();
    } else if (character === '"' && this.#place !== 'plain') {
      this.#count(1);
      this.#addQuote();
    } else this.#addText(character);
  }

  #addText(text: string): void {
    this.#count(text.length);
    if (this.#place === 'closed' && text !== '\r') this.#fault ??= 'has text behind a closed quote';
    if (this.#place === 'start') this.#place = 'plain';
    if (this.#length <= MAX_ROW) this.#cell += text;
  }

  #count(characters: number): void {
    this.#length += characters;
    if (this.#length <= MAX_ROW) return;
    this.#fault = `is longer than ${MAX_ROW} characters`;
    this.#cell = '';
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
