/** Rows of a file, as they are staged, and the bodies of subscribers that they become. */
import { jsonOfCell, textOfCell } from '../../../reports/csv.ts';
import { type Definitions, kindOf } from '../additional-fields.ts';
import type { Given } from '../merged-body.ts';

/** A row as it arrived: its cells, its JSON, or what is wrong with it. */
export type StagedRow = { readonly line: number } & (
  | {
      readonly cells: readonly string[];
      /** Places of the cells that are quoted, where that makes a difference. */
      readonly quoted?: readonly number[];
    }
  | { readonly value: unknown }
  | { readonly fault: string; readonly column?: string }
);

/** Rows that are staged and applied together. */
export interface Part {
  /** The names of the header; of JSON lines none. */
  readonly columns: readonly string[];
  readonly rows: readonly StagedRow[];
}

const PREFIX = 'additional_fields_data.';
/** What our own export calls additional fields: it quotes texts that look like other values, and no others. */
const EXPORTED = 'additional_fields.';
/** Fields that only the platform writes, or of which a cell cannot tell: they are left out. */
const UNREAD = new Set([
  ...['id', 'version', 'created_at', 'updated_at', 'subscription_preferences'],
  'subscription_updates',
]);
/** What is written when its cell is empty: nobody has it then. */
const TEXTS = new Set(['email']);
/** What an empty cell takes away. */
const CLEARED = new Set(['last_name', 'inactive_reason']);
const IDS = new Set(['lists', 'audiences']);
/** What an empty cell says nothing of. */
const UNSAID = new Set(['active', 'business_unit', 'first_name']);

const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/;
const BOOLEANS = new Map([
  ...['true', 'yes', '1'].map((word) => [word, true] as const),
  ...['false', 'no', '0'].map((word) => [word, false] as const),
]);

/** Names of columns that are no additional fields. */
export const KNOWN_COLUMNS: readonly string[] = [...UNREAD, ...TEXTS, ...CLEARED, ...IDS, ...UNSAID];

/** True for columns in which quotes tell texts from other values. */
export function isExportedColumn(column: string): boolean {
  return column.startsWith(EXPORTED);
}

/**
 * What a row of cells says; of columns that it ends before it says nothing. Cells of additional fields are read as these are
 * defined, others as text.
 */
export function readCells(
  columns: readonly string[],
  { cells, quoted = [] }: { readonly cells: readonly string[]; readonly quoted?: readonly number[] },
  definitions: Definitions,
): Given {
  const fields: [string, unknown][] = [];
  const additional: [string, unknown][] = [];
  cells.forEach((written, place) => {
    const column = columns[place] ?? '';
    const cell = textOfCell(written);
    if (column === '' || UNREAD.has(column)) return;
    if (TEXTS.has(column)) fields.push([column, cell]);
    else if (CLEARED.has(column)) fields.push([column, cell === '' ? null : cell]);
    else if (IDS.has(column)) fields.push([column, readIds(cell)]);
    else if (UNSAID.has(column)) fields.push(...readSaid(column, cell));
    else {
      const name = nameOf(column);
      const kind = kindOf(definitions, name);
      const isText = !isExportedColumn(column) || kind !== undefined;
      const value = isText ? readAdditional(cell, kind) : readExported(written, quoted.includes(place));
      additional.push([name, value]);
    }
  });
  const data = additional.length === 0 ? {} : { additional_fields_data: Object.fromEntries(additional) };
  return { ...Object.fromEntries(fields), ...data };
}

/** What a line of JSON says, or what is wrong with it. Null is as good as nothing, and so is an empty first name. */
export function readMember(value: unknown): Given | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not a JSON object';
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, member]) => CLEARED.has(name) || (member !== null && !(name === 'first_name' && member === '')),
    ),
  );
}

/** The column that a field of a body comes from. */
export function columnOf(columns: readonly string[], field: string): string {
  const name = field.replace(/\[\d+\].*$/, '');
  return columns.find((column) => column === name || `${PREFIX}${nameOf(column)}` === name) ?? name;
}

function nameOf(column: string): string {
  const prefix = [PREFIX, EXPORTED].find((each) => column.startsWith(each)) ?? '';
  return column.slice(prefix.length);
}

function readAdditional(cell: string, kind: string | undefined): unknown {
  return cell === '' ? null : readValue(cell, kind);
}

/** A value as our own export writes it. */
function readExported(cell: string, isQuoted: boolean): unknown {
  if (cell === '' && !isQuoted) return null;
  const value = jsonOfCell(cell);
  if (value !== undefined) return value;
  if (isQuoted) return textOfCell(cell);
  if (BOOLEAN.test(cell)) return cell === 'true';
  return NUMBER.test(cell) ? Number(cell) : textOfCell(cell);
}

function readIds(cell: string): unknown {
  return jsonOfCell(cell) ?? splitIds(cell);
}

function splitIds(cell: string): string[] {
  return cell
    .split(';')
    .map((id) => id.trim())
    .filter((id) => id !== '');
}

function readSaid(column: string, cell: string): [string, unknown][] {
  const said = cell.trim();
  if (said === '') return [];
  // A name keeps the blanks that are quoted with it.
  if (column === 'first_name') return [[column, cell]];
  return [[column, column === 'active' ? readBoolean(said) : said]];
}

/** The value of a cell of an additional field. What cannot be read stays a text, which the check of the value refuses. */
export function readValue(cell: string, kind: string | undefined): unknown {
  if (kind === 'boolean') return readBoolean(cell.trim());
  if (kind === 'time') return cell.trim();
  if (kind !== 'number' || !NUMBER.test(cell.trim())) return cell;
  const number = Number(cell);
  return Number.isFinite(number) ? number : cell;
}

function readBoolean(word: string): unknown {
  return BOOLEANS.get(word.toLowerCase()) ?? word;
}
