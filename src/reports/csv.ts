/** Rows as CSV (docs/specification/reports.md#file): RFC 4180, and no cell is taken for a formula by a spreadsheet. */
import type { ReportRow } from './report.ts';

/** A formula, or what some spreadsheets shift or drop the first sign of. Japanese and Chinese ones know full-width signs. */
const FORMULA = /^(?:[\t\r\n]|[\s\p{Cc}\p{Cf}"]*[=+\-@＝＋－＠])/u;
/** A formula behind what a spreadsheet splits lines at, as it may be set to, or as it does not know quotes within a cell. */
const FORMULA_INSIDE = /([;\t\r\n][\s\p{Cc}\p{Cf}"]*)(?=[=+\-@＝＋－＠])/gu;
/** In JSON the only place: line breaks and tabs are escaped there, and the text begins with a bracket. */
const FORMULA_IN_JSON = /(;(?:\s|\p{Cf}|\\")*)([=+\-@＝＋－＠])/gu;
const QUOTED = /[",\r\n]/;

/** One line, with its end. */
export function csvLine(row: ReportRow): string {
  let line = '';
  for (let place = 0; place < row.length; place += 1)
    line += `${place === 0 ? '' : ','}${toCell(row[place])}`;
  return `${line}\r\n`;
}

function toCell(value: unknown): string {
  if (typeof value === 'string') return quoted(asText(value));
  if (value === null || value === undefined) return '';
  // A negative number is no formula.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoted(JSON.stringify(value).replace(FORMULA_IN_JSON, escaped));
}

/** An apostrophe in front makes what follows text, and is shown by most. */
function asText(value: string): string {
  const text = value.replace(FORMULA_INSIDE, "$1'");
  return FORMULA.test(value) ? `'${text}` : text;
}

/** The same JSON without the sign itself. */
function escaped(_match: string, before: string, sign: string): string {
  return `${before}\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

function quoted(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
