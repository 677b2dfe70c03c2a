/** Rows as CSV (docs/specification/reports.md#file): RFC 4180, and no cell is taken for a formula by a spreadsheet. */
import type { ReportRow } from './report.ts';

/** How spreadsheets tell a formula: an apostrophe in front makes it text, and is shown. */
const FORMULA = /^[=+\-@\t\r]/;
const QUOTED = /[",\r\n]/;

/** One line, with its end. */
export function csvLine(row: ReportRow): string {
  let line = '';
  for (let place = 0; place < row.length; place += 1)
    line += `${place === 0 ? '' : ','}${toCell(row[place])}`;
  return `${line}\r\n`;
}

function toCell(value: unknown): string {
  if (typeof value === 'string') return quoted(FORMULA.test(value) ? `'${value}` : value);
  if (value === null || value === undefined) return '';
  // A negative number is no formula.
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return quoted(JSON.stringify(value));
}

function quoted(text: string): string {
  return QUOTED.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
