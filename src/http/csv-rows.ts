/**
 * Reads the rows of a CSV file with a header row (RFC 4180 and the variants of spreadsheets) while it arrives, with
 * one row in memory at a time.
 */
import type { Readable } from 'node:stream';
import type { Issue } from '../errors/app-error.ts';
import { invalidRequest } from '../errors/platform-errors.ts';
import { findSeparator, type RawRow, RowSplitter, type SeparatorMatch } from './csv-splitter.ts';
import { decodeText, type TextPiece } from './decoded-text.ts';

/** A row: its cells by header name, or the fault of the row. */
export type CsvRow = {
  /** Line of the file where the row begins, from 1. */
  readonly line: number;
  /** The names of the header, in order. */
  readonly names: readonly string[];
} & (
  | {
      /** Fewer than the names when the row ends early, never more. */
      readonly cells: readonly string[];
      /** Indexes of the quoted cells. */
      readonly quoted: readonly number[];
      /** Returns a cell by its header name, empty if it is missing. */
      readonly cell: (name: string) => string;
    }
  | { readonly fault: string; readonly column?: string }
);

/** The rules of a file. */
export interface CsvRules {
  /** Names that the header must have. */
  readonly required: readonly string[];
  /** Further known names. In the file, known names may have capitals, and blanks or hyphens instead of `_`. */
  readonly known?: readonly string[];
  /** The declared encoding of the file, by a name that TextDecoder knows. */
  readonly charset?: string | null;
  /** A row with more non-empty cells than the header is faulty; if absent, extra cells are ignored. */
  readonly isExact?: true;
  /** The header may contain a name twice: the last cell counts. */
  readonly allowsDuplicates?: true;
  /** Other names for names of the file; null ignores the column. The file must have all these columns. */
  readonly renamed?: ReadonlyMap<string, string | null>;
}

/**
 * Reads the rows below the header, without those whose cells are all empty.
 * @throws AppError INVALID_REQUEST when the header cannot be read, lacks a name or repeats one, and errors of reading
 *   the bytes.
 */
export async function* readCsvRows(bytes: Readable, rules: CsvRules): AsyncGenerator<CsvRow> {
  let header: Header | null = null;
  for await (const raw of splitRows(bytes, rules.charset ?? null)) {
    if (header === null) header = readHeader(raw, rules);
    else yield toRow(raw, header, rules);
  }
  if (header === null) readHeader({ line: 1, cells: [], quoted: [], fault: null }, rules);
}

interface Header {
  readonly names: readonly string[];
  readonly columnIndexes: ReadonlyMap<string, number>;
}

/** Blanks around a name, and invisible characters. */
const PADDING = /^[\s\u200b-\u200d\u2060\ufeff]+|[\s\u200b-\u200d\u2060\ufeff]+$/g;

function readHeader(
  { line, cells, fault }: RawRow,
  { required, known = [], allowsDuplicates, renamed }: CsvRules,
): Header {
  if (fault !== null) {
    const where = fault.cell === null ? 'The header' : `The header, in its column ${fault.cell + 1},`;
    throw invalidRequest([{ message: `${where} (line ${line}) ${fault.message}.` }]);
  }
  const inFile = headerNames(cells);
  const written = inFile.map((name) => rename(name, renamed));
  const names = written.map((name) => knownName(name, written, [...required, ...known]));
  const columnIndexes = new Map(names.map((name, index) => [name, index]));
  const missing = required.filter((name) => !columnIndexes.has(name));
  const duplicates = allowsDuplicates
    ? []
    : names.filter((name, index) => name !== '' && columnIndexes.get(name) !== index);
  const unknown = [...(renamed?.keys() ?? [])].filter((name) => !inFile.includes(name));
  const issues: Issue[] = [
    ...unknown.map((name) => ({ field: 'mapping', message: `has the column ${name}, which the file lacks` })),
    ...missing.map((field) => ({ field, message: 'is missing in the header (the first row)' })),
    ...[...new Set(duplicates)].map((field) => ({ field, message: 'appears twice in the header' })),
  ];
  if (issues.length > 0) throw invalidRequest(issues);
  return { names, columnIndexes };
}

/** Returns the names of a header row without blanks and invisible characters around them. */
export function headerNames(cells: readonly string[]): string[] {
  return cells.map((name) => name.replaceAll(PADDING, ''));
}

/** Returns the other name of a column; a column without a name is ignored. */
function rename(name: string, renamed: CsvRules['renamed']): string {
  return renamed?.has(name) ? (renamed.get(name) ?? '') : name;
}

/** Maps `First Name` and `E-Mail` to known names, unless the header contains these as well. */
function knownName(name: string, written: readonly string[], known: readonly string[]): string {
  const lower = name.toLowerCase();
  const forms = [lower, lower.replaceAll(/[\s-]+/g, '_'), lower.replaceAll(/[\s-]+/g, '')];
  return known.find((each) => forms.includes(each) && !written.includes(each)) ?? name;
}

function toRow(
  { line, cells, quoted, fault }: RawRow,
  { names, columnIndexes }: Header,
  rules: CsvRules,
): CsvRow {
  if (fault?.cell === null) return { line, names, fault: fault.message };
  if (fault !== null) {
    const column = names[fault.cell] || `column ${fault.cell + 1}`;
    return { line, names, column, fault: `${column} ${fault.message}` };
  }
  if (rules.isExact && cells.slice(names.length).some((cell) => cell !== ''))
    return { line, names, fault: `has ${cells.length} cells where the header has ${names.length}` };
  const cell = (name: string) => cells[columnIndexes.get(name) ?? -1] ?? '';
  return { line, names, cells: cells.slice(0, names.length), quoted, cell };
}

async function* splitRows(bytes: Readable, charset: string | null): AsyncGenerator<RawRow> {
  let splitter: RowSplitter | null = null;
  const head: TextPiece[] = [];
  for await (const piece of decodeText(bytes, charset)) {
    if (splitter !== null) yield* splitter.take(piece);
    else {
      head.push(piece);
      const separation = findSeparator(textOf(head), false);
      if (separation === null) continue;
      splitter = yield* begin(separation, head);
    }
  }
  const separation = findSeparator(textOf(head), true);
  if (splitter === null && separation !== null) splitter = yield* begin(separation, head);
  if (splitter !== null) yield* splitter.end();
}

function textOf(pieces: readonly TextPiece[]): string {
  return pieces.map(({ text }) => text).join('');
}

/** Splits the beginning of a file. A first line that only names the separator still counts as line 1. */
function* begin({ separator, skipped }: SeparatorMatch, head: TextPiece[]): Generator<RawRow, RowSplitter> {
  const splitter = new RowSplitter(separator, skipped > 0 ? 2 : 1);
  let toSkip = skipped;
  for (const piece of head.splice(0)) {
    yield* splitter.take({ ...piece, text: piece.text.slice(toSkip) });
    toSkip = Math.max(0, toSkip - piece.text.length);
  }
  return splitter;
}
