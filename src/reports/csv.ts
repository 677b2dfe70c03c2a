/** CSV of report rows (docs/specification/reports.md#file): RFC 4180, and safe from formulas in spreadsheets. */
import type { ReportRow } from './report.ts';

/**
 * Matches a text that a spreadsheet may read as a formula: also after characters that some spreadsheets skip, and with
 * full-width signs. Leading apostrophes match too, so that they differ from the apostrophe added for safety.
 */
const FORMULA = /^'*(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠])/u;
/** Matches a formula after a separator within a cell: a spreadsheet may be set to split there, or may ignore quotes. */
const FORMULA_INSIDE = /([;\t\r\n][\s\p{Cc}\p{Cf}"]*)(?='*[=+\-@＝＋－＠])/gu;
/** Matches the same with the apostrophe added for safety. */
const ESCAPED_INSIDE = /([;\t\r\n][\s\p{Cc}\p{Cf}"]*)'(?='*[=+\-@＝＋－＠])/gu;
/** Matches texts that readers would parse as a number, a boolean or JSON, or would trim; quotes mark them as text. */
const NEEDS_QUOTES = /^(?:[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$|true$|false$|\s|$)|\s$/i;
/**
 * Matches a formula in JSON. It can begin only after a semicolon: JSON escapes line breaks and tabs and starts with a
 * bracket.
 */
const FORMULA_IN_JSON = /(;(?:\s|\p{Cf}|\\")*)([=+\-@＝＋－＠])/gu;
const QUOTED = /[",\r\n]/;

/** First character of a file, so that Excel reads it as UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/** Returns one line with its line break. */
export function csvLine(row: ReportRow): string {
  let line = '';
  for (let index = 0; index < row.length; index += 1)
    line += `${index === 0 ? '' : ','}${toCell(row[index])}`;
  return `${line}\r\n`;
}

function toCell(value: unknown): string {
  if (typeof value === 'string') return quoteText(escapeFormula(value));
  if (value === null || value === undefined) return '';
  // A negative number is not a formula.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoteIfNeeded(JSON.stringify(value).replace(FORMULA_IN_JSON, escapeSign));
}

/** Adds a leading apostrophe, so that spreadsheets treat the cell as text; most of them show the apostrophe. */
function escapeFormula(value: string): string {
  const text = value.replace(FORMULA_INSIDE, "$1'");
  return needsApostrophe(value) ? `'${text}` : text;
}

/** Returns the original text of a cell, without its escapes. */
export function textOfCell(cell: string): string {
  const value = cell.replace(ESCAPED_INSIDE, '$1');
  return value.startsWith("'") && needsApostrophe(value) ? value.slice(1) : value;
}

/** Returns the JSON object or array of a cell; undefined if it contains none. */
export function jsonOfCell(cell: string): object | undefined {
  if (!/^[[{]/.test(cell)) return undefined;
  try {
    const value: unknown = JSON.parse(cell);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

/**
 * True for texts that need a leading apostrophe; includes texts in JSON form, as cells of objects and arrays have it.
 */
function needsApostrophe(text: string): boolean {
  return FORMULA.test(text) || jsonOfCell(text.replace(/^'+/, '')) !== undefined;
}

/** Returns the JSON with the sign as an escape sequence. */
function escapeSign(_match: string, before: string, sign: string): string {
  return `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function quoteText(text: string): string {
  return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : quoteIfNeeded(text);
}

function quoteIfNeeded(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
