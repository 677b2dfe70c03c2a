/** Rows as CSV (docs/specification/reports.md#file): RFC 4180, and no cell is taken for a formula by a spreadsheet. */
import type { ReportRow } from './report.ts';

/**
 * A formula, or what some spreadsheets shift or drop the first sign of. Japanese and Chinese ones know full-width signs.
 * Apostrophes in front are the text's own, which must be told from the one that is written for safety.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠])/u;
/** A formula behind what a spreadsheet splits lines at, as it may be set to, or as it does not know quotes within a cell. */
const FORMULA_INSIDE = /([;\t\r\n][\s\p{Cc}\p{Cf}"]*)(?='*[=+\-@＝＋－＠])/gu;
/** The same with the apostrophe that was written for safety. */
const ESCAPED_INSIDE = /([;\t\r\n][\s\p{Cc}\p{Cf}"]*)'(?='*[=+\-@＝＋－＠])/gu;
/** Texts that a reader would take for a number, a truth value or JSON, or would cut blanks from: quotes say that it is text. */
const NEEDS_QUOTES = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$|true$|false$|\s|$)|\s$/i;
/** In JSON the only place: line breaks and tabs are escaped there, and the text begins with a bracket. */
const FORMULA_IN_JSON = /(;(?:\s|\p{Cf}|\\")*)([=+\-@＝＋－＠])/gu;
const QUOTED = /[",\r\n]/;

/** What a file begins with so that Excel reads it as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** One line, with its end. */
export function csvLine(row: ReportRow): string {
  let line = '';
  for (let place = 0; place < row.length; place += 1)
    line += `${place === 0 ? '' : ','}${toCell(row[place])}`;
  return `${line}\r\n`;
}

function toCell(value: unknown): string {
  if (typeof value === 'string') return quotedText(asText(value));
  if (value === null || value === undefined) return '';
  // A negative number is no formula.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoted(JSON.stringify(value).replace(FORMULA_IN_JSON, escaped));
}

/** An apostrophe in front makes what follows text, and is shown by most. */
function asText(value: string): string {
  const text = value.replace(FORMULA_INSIDE, "$1'");
  return isEscaped(value) ? `'${text}` : text;
}

/** The text that a cell was written for: the opposite of what makes it safe. */
export function textOfCell(cell: string): string {
  const value = cell.replace(ESCAPED_INSIDE, '$1');
  return value.startsWith("'") && isEscaped(value) ? value.slice(1) : value;
}

/** The JSON object or array of a cell; undefined when it holds none. */
export function jsonOfCell(cell: string): object | undefined {
  if (!/^[[{]/.test(cell)) return undefined;
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/** True for texts that get an apostrophe in front: also those that are JSON, which cells of objects and arrays are. */
function isEscaped(text: string): boolean {
  return FORMULA.test(text) || jsonOfCell(text.replace(/^'+/, '')) !== undefined;
}

/** The same JSON without the sign itself. */
function escaped(_match: string, before: string, sign: string): string {
  return `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function quotedText(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : quoted(text);
}

function quoted(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
