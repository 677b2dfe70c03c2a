/** Splits the text of a CSV file into rows of cells (RFC 4180 and the variants of spreadsheets). */
import { type TextPiece, UNDECODABLE } from './decoded-text.ts';

/** A row as written in the file. */
export interface RawRow {
  /** The line where it begins, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Indexes of the quoted cells. */
  readonly quoted: readonly number[];
  readonly fault: RowFault | null;
}

/** The fault of a row, and the cell that has it. */
export interface RowFault {
  readonly message: string;
  /** Null if the fault concerns the whole row. */
  readonly cell: number | null;
}

/** The most characters of a row: far more than any of our records has. An unclosed quote can take at most this many. */
export const MAX_ROW = 64 * 1024;
/** Possible separators of cells, the most usual first. */
const SEPARATORS = [',', ';', '\t', '|'] as const;
const [LINE_FEED, CARRIAGE_RETURN] = ['\n', '\r'];

/** The separator of a file, and the length of a leading `sep=` line. */
export interface SeparatorMatch {
  readonly separator: string;
  readonly skipped: number;
}

/**
 * Finds the separator of a file: that of a first line such as `sep=;`, else the one that occurs most often outside
 * quotes in the header, else a comma. Null while the first line is incomplete.
 */
export function findSeparator(head: string, isAll: boolean): SeparatorMatch | null {
  const declared =
    /^"?sep=([^\r\n])"?[ \t]*(?:\r\n|\n|\r(?!$))/i.exec(head) ??
    (isAll ? /^"?sep=([^\r\n])"?\r?$/i.exec(head) : null);
  if (declared?.[1] !== undefined) return { separator: declared[1], skipped: declared[0].length };
  if (!isAll && /^"?sep=.?"?[ \t]*\r?$/i.test(head)) return null;
  const counts = new Map<string, number>(SEPARATORS.map((separator) => [separator, 0]));
  let isQuoted = false;
  let hasText = false;
  let isHeaderComplete = isAll;
  for (const character of head) {
    if (character === '"') isQuoted = !isQuoted;
    if (isQuoted) continue;
    const isBreak = character === LINE_FEED || character === CARRIAGE_RETURN;
    if (isBreak && hasText) {
      isHeaderComplete = true;
      break;
    }
    if (!isBreak) hasText = true;
    const count = counts.get(character);
    if (count !== undefined) counts.set(character, count + 1);
  }
  if (!isHeaderComplete && head.length <= MAX_ROW) return null;
  const [best] = [...counts].toSorted(([, a], [, b]) => b - a);
  return { separator: best?.[0] ?? ',', skipped: 0 };
}

/**
 * The position of a character: at the start of a cell, inside a plain or quoted cell, or after a quote in a quoted one.
 */
type CellState = 'start' | 'plain' | 'quoted' | 'closed';

/** Splits pieces of text into rows, without those whose cells are all empty. */
export class RowSplitter {
  readonly #separator: string;
  /** Matches the next character that has a meaning. */
  readonly #special: RegExp;
  #cellState: CellState = 'start';
  #cells: string[] = [];
  #quoted: number[] = [];
  #cell = '';
  #length = 0;
  #fault: RowFault | null = null;
  #line: number;
  #beginsAt: number;
  /** True after a carriage return, so that a following line feed is skipped. */
  #isAfterReturn = false;
  #charset: string | null = null;

  /** `line` is the number of the first line. */
  constructor(separator: string, line: number) {
    this.#separator = separator;
    this.#line = line;
    this.#beginsAt = line;
    const literal = /[\w\s]/.test(separator) ? separator : `\\${separator}`;
    this.#special = new RegExp(`["\r\n${UNDECODABLE}]|${literal}`, 'g');
  }

  *take({ text, charset, isFaulty }: TextPiece): Generator<RawRow> {
    this.#charset = isFaulty ? charset : null;
    for (let from = 0; from < text.length; ) {
      this.#special.lastIndex = from;
      const end = this.#special.exec(text)?.index ?? text.length;
      if (end > from) this.#addText(text.slice(from, end));
      if (end < text.length) yield* this.#addSpecial(text.charAt(end));
      from = end + 1;
    }
  }

  /** Returns the last row if no line break ends it. */
  *end(): Generator<RawRow> {
    if (this.#cellState === 'quoted') this.#fail('has an unclosed quote');
    yield* this.#endRow();
  }

  *#addSpecial(character: string): Generator<RawRow> {
    const isQuoted = this.#cellState === 'quoted';
    if (character === LINE_FEED || character === CARRIAGE_RETURN) {
      const isSecondHalf = character === LINE_FEED && this.#isAfterReturn;
      if (!isSecondHalf) this.#line += 1;
      if (isQuoted) this.#addText(character);
      else if (isSecondHalf) this.#beginsAt = this.#line;
      else yield* this.#endRow();
      this.#isAfterReturn = character === CARRIAGE_RETURN;
      return;
    }
    this.#isAfterReturn = false;
    if (character === this.#separator && !isQuoted) {
      this.#count(1);
      this.#endCell();
    } else if (character === '"' && (this.#cellState !== 'plain' || this.#cell.trim() === '')) {
      this.#count(1);
      this.#addQuote();
    } else {
      if (character === UNDECODABLE && this.#charset !== null) this.#fail(`is not ${this.#charset}`);
      this.#addText(character);
    }
  }

  #addText(text: string): void {
    this.#isAfterReturn = false;
    this.#count(text.length);
    if (this.#cellState === 'closed') {
      if (text.trim() !== '') this.#fail('has text after a closing quote');
      return;
    }
    if (this.#cellState === 'start') this.#cellState = 'plain';
    if (this.#length <= MAX_ROW) this.#cell += text;
  }

  #fail(message: string): void {
    this.#fault ??= { message, cell: this.#cells.length };
  }

  #count(characters: number): void {
    this.#length += characters;
    if (this.#length <= MAX_ROW) return;
    this.#fault = { message: `is longer than ${MAX_ROW} characters`, cell: null };
    this.#cell = '';
  }

  #addQuote(): void {
    if (this.#cellState === 'closed') this.#cell += '"';
    // Blanks before a quote do not belong to the cell.
    if (this.#cellState === 'plain') this.#cell = '';
    this.#cellState = this.#cellState === 'quoted' ? 'closed' : 'quoted';
  }

  #endCell(): void {
    const isPlain = this.#cellState === 'start' || this.#cellState === 'plain';
    if (!isPlain) this.#quoted.push(this.#cells.length);
    if (this.#length <= MAX_ROW) this.#cells.push(isPlain ? this.#cell.trim() : this.#cell);
    this.#cell = '';
    this.#cellState = 'start';
  }

  *#endRow(): Generator<RawRow> {
    this.#endCell();
    const isEmpty = this.#fault === null && this.#cells.every((cell) => cell === '');
    if (!isEmpty)
      yield { line: this.#beginsAt, cells: this.#cells, quoted: this.#quoted, fault: this.#fault };
    this.#cells = [];
    this.#quoted = [];
    this.#length = 0;
    this.#fault = null;
    this.#beginsAt = this.#line;
  }
}
