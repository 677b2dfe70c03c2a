import type { Column } from '../ui/column.ts';

/** Properties of a column besides its cells. */
export interface ColumnFacts {
  readonly id: string;
  readonly title: string;
  /** Field of `x-sort` that the column sorts by. */
  readonly sort?: string;
  /** Smallest width in px; columns share what is left. */
  readonly width?: number;
  /** Shown only if the URL chooses it. */
  readonly isOptional?: boolean;
}

/** A column of a {@link DataTable}. The first one names the row and is always shown. */
export interface TableColumn<Row> extends Column<Row>, ColumnFacts {}

/** The user's choices for a column. */
export interface ColumnChoice {
  readonly id: string;
  /** Width that the user has set, in px. */
  readonly chosenWidth: number | null;
}

/** A column that is shown. */
export interface ShownColumn<Row> extends TableColumn<Row>, ColumnChoice {}

/** Limits of a column's width in px. */
export const WIDTHS = { min: 64, max: 800, usual: 140 } as const;

/** The columns that a URL chooses. */
export interface ChosenColumns<Row> {
  readonly shown: readonly ShownColumn<Row>[];
  /** Names of columns that the list does not have. */
  readonly unknown: readonly string[];
}

/** Reads `columns` of the URL. */
export function readColumns<Row>(
  text: string | undefined,
  columns: readonly TableColumn<Row>[],
): ChosenColumns<Row> {
  if (text === undefined) return { shown: defaultColumns(columns), unknown: [] };
  const names = [...new Set(text.split(','))].filter((name) => name !== '');
  const found = names.map((name) => ({ name, column: findColumn(name, columns) }));
  const chosen = found.flatMap(({ column }) => column ?? []);
  const unique = chosen.filter(({ id }, index) => chosen.findIndex((each) => each.id === id) === index);
  const [first] = columns;
  const isNamed = first === undefined || unique.some(({ id }) => id === first.id);
  return {
    shown: isNamed ? unique : [{ ...first, chosenWidth: null }, ...unique],
    unknown: found.flatMap(({ name, column }) => (column === null ? name.replace(/:.*$/, '') : [])),
  };
}

function findColumn<Row>(text: string, columns: readonly TableColumn<Row>[]): ShownColumn<Row> | null {
  const [id, width] = text.split(':');
  const column = columns.find((each) => each.id === id);
  if (column === undefined) return null;
  const chosenWidth = width !== undefined && /^\d+$/.test(width) ? clampWidth(Number(width)) : null;
  return { ...column, chosenWidth };
}

function defaultColumns<Facts extends ColumnFacts>(
  columns: readonly Facts[],
): (Facts & { readonly chosenWidth: null })[] {
  const usual = columns.filter(({ isOptional = false }) => !isOptional);
  return usual.map((column) => ({ ...column, chosenWidth: null }));
}

/** Prints `columns` for the URL; undefined if they are the default ones. */
export function printColumns(
  shown: readonly ColumnChoice[],
  columns: readonly ColumnFacts[],
): string | undefined {
  const print = (each: readonly ColumnChoice[]) =>
    each.map(({ id, chosenWidth }) => (chosenWidth === null ? id : `${id}:${chosenWidth}`)).join(',');
  const text = print(shown);
  return text === print(defaultColumns(columns)) ? undefined : text;
}

/** Returns a width within {@link WIDTHS}. */
export function clampWidth(width: number): number {
  return Math.round(Math.min(WIDTHS.max, Math.max(WIDTHS.min, width)));
}

/** The order that a URL chooses. */
export interface ChosenSort {
  /** A field of the list, with `-` before it for descending order. */
  readonly sort: string;
  /** A field that the list cannot be sorted by. */
  readonly unknown: string | null;
}

/** Reads `sort` of the URL. */
export function readSort(text: string | undefined, sorts: readonly string[], usual: string): ChosenSort {
  if (text === undefined) return { sort: usual, unknown: null };
  return sorts.includes(fieldOf(text))
    ? { sort: text, unknown: null }
    : { sort: usual, unknown: fieldOf(text) };
}

/** Returns the field of a sort. */
export function fieldOf(sort: string): string {
  return sort.replace(/^-/, '');
}
