/** Staged rows of a file, and their conversion to bodies of subscribers. */
import { jsonOfCell, textOfCell } from '../../../../reports/csv.ts';
import { type Definitions, kindOf } from '../additional-fields.ts';
import type { BodyFields } from '../merged-body.ts';

/** A row of the file: its cells, its JSON value, or its error. */
export type StagedRow = { readonly line: number } & (
  | {
      readonly cells: readonly string[];
      /** Indexes of quoted cells, in columns where quotes matter. */
      readonly quoted?: readonly number[];
    }
  | { readonly value: unknown }
  | { readonly fault: string; readonly column?: string }
);

/** Rows that are staged and applied together. */
export interface Part {
  /** Column names from the header; empty for JSON lines. */
  readonly columns: readonly string[];
  readonly rows: readonly StagedRow[];
}

const PREFIX = 'additional_fields_data.';
/** Prefix of additional fields in an export of Tessera, which quotes only texts that look like other values. */
const EXPORT_PREFIX = 'additional_fields.';
/** Ignored columns: only the platform writes these fields, or cells cannot express them. */
const IGNORED = new Set([
  ...['id', 'version', 'created_at', 'updated_at', 'subscription_preferences'],
  'subscription_updates',
]);
/** Fields that keep an empty cell as an empty text, which fails the check. */
const KEPT_IF_EMPTY = new Set(['email']);
/** Fields that an empty cell clears. */
const CLEARED_IF_EMPTY = new Set(['last_name', 'inactive_reason']);
const IDS = new Set(['lists', 'audiences']);
/** Fields that an empty cell leaves unchanged. */
const IGNORED_IF_EMPTY = new Set(['active', 'business_unit', 'first_name']);

/** Names of additional fields. */
const FIELD_NAME = /^[A-Za-z0-9_]{1,64}$/;
const NUMBER = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;
const BOOLEAN = /^(?:true|false)$/;
const BOOLEANS = new Map([
  ...['true', 'yes', '1'].map((text) => [text, true] as const),
  ...['false', 'no', '0'].map((text) => [text, false] as const),
]);

/** Names of columns that are not additional fields. */
export const KNOWN_COLUMNS: readonly string[] = [
  ...IGNORED,
  ...KEPT_IF_EMPTY,
  ...CLEARED_IF_EMPTY,
  ...IDS,
  ...IGNORED_IF_EMPTY,
];

/** Names of columns that an import reads; a mapping may name them. */
export const MAPPED_COLUMNS: readonly string[] = KNOWN_COLUMNS.filter((name) => !IGNORED.has(name));

/** Returns the name of the column of an additional field. */
export function additionalColumn(field: string): string {
  return `${PREFIX}${field}`;
}

/** True for the name of a column of an additional field, with its prefix. */
export function isAdditionalColumn(column: string): boolean {
  const field = nameOf(column);
  return field !== column && FIELD_NAME.test(field);
}

/** True for columns in which quotes distinguish texts from other values. */
export function isExportedColumn(column: string): boolean {
  return column.startsWith(EXPORT_PREFIX);
}

/**
 * Reads a row of cells. Missing cells leave their fields unchanged. Additional fields are read by their definitions,
 * other fields as text.
 */
export function readCells(
  columns: readonly string[],
  { cells, quoted = [] }: { readonly cells: readonly string[]; readonly quoted?: readonly number[] },
  definitions: Definitions,
): BodyFields {
  const fields: [string, unknown][] = [];
  const additional: [string, unknown][] = [];
  cells.forEach((raw, index) => {
    const column = columns[index] ?? '';
    const cell = textOfCell(raw);
    if (column === '' || IGNORED.has(column)) return;
    if (KEPT_IF_EMPTY.has(column)) fields.push([column, cell]);
    else if (CLEARED_IF_EMPTY.has(column)) fields.push([column, cell === '' ? null : cell]);
    else if (IDS.has(column)) fields.push([column, readIds(cell)]);
    else if (IGNORED_IF_EMPTY.has(column)) fields.push(...readUnlessEmpty(column, cell));
    else {
      const name = nameOf(column);
      const kind = kindOf(definitions, name);
      const isText = !isExportedColumn(column) || kind !== undefined;
      const value = isText ? readAdditional(cell, kind) : readExported(raw, quoted.includes(index));
      additional.push([name, value]);
    }
  });
  const data = additional.length === 0 ? {} : { additional_fields_data: Object.fromEntries(additional) };
  return { ...Object.fromEntries(fields), ...data };
}

/** Reads a line of JSON, or returns its error. Null values and an empty first name count as absent. */
export function readMember(value: unknown): BodyFields | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'is not a JSON object';
  return Object.fromEntries(
    Object.entries(value).filter(
      ([name, member]) =>
        CLEARED_IF_EMPTY.has(name) || (member !== null && !(name === 'first_name' && member === '')),
    ),
  );
}

/** Returns the column of a field. */
export function columnOf(columns: readonly string[], field: string): string {
  const name = field.replace(/\[\d+\].*$/, '');
  return columns.find((column) => column === name || `${PREFIX}${nameOf(column)}` === name) ?? name;
}

function nameOf(column: string): string {
  const prefix = [PREFIX, EXPORT_PREFIX].find((each) => column.startsWith(each)) ?? '';
  return column.slice(prefix.length);
}

function readAdditional(cell: string, kind: string | undefined): unknown {
  return cell === '' ? null : readValue(cell, kind);
}

/** Reads a value of an export of Tessera. */
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

function readUnlessEmpty(column: string, cell: string): [string, unknown][] {
  const text = cell.trim();
  if (text === '') return [];
  // A name keeps its leading and trailing blanks.
  if (column === 'first_name') return [[column, cell]];
  return [[column, column === 'active' ? readBoolean(text) : text]];
}

/** Reads the cell of an additional field. An unreadable value stays a text, which then fails the check. */
export function readValue(cell: string, kind: string | undefined): unknown {
  if (kind === 'boolean') return readBoolean(cell.trim());
  if (kind === 'time') return cell.trim();
  if (kind !== 'number' || !NUMBER.test(cell.trim())) return cell;
  const number = Number(cell);
  return Number.isFinite(number) ? number : cell;
}

function readBoolean(text: string): unknown {
  return BOOLEANS.get(text.toLowerCase()) ?? text;
}
