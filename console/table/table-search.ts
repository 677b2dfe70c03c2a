/**
 * The parts of a list that the URL keeps. The main script contains this file: routes validate their parameters with it.
 */

/** Query parameters of a screen with a table. */
export type TableSearch = {
  readonly search?: string;
  /** Conditions as text, such as `status is failed`. */
  readonly filter?: string;
  /** A field of `x-sort`, with `-` before it for descending order. */
  readonly sort?: string;
  /** Shown columns in order, some with a width in px: `name:320,status`. */
  readonly columns?: string;
  readonly density?: 'compact';
};

const TEXTS = ['search', 'filter', 'sort', 'columns'] as const;

/** Reads the parameters of a table. What a list does not have stays in the URL, and the table says so. */
export function readTableSearch(raw: Readonly<Record<string, unknown>>): TableSearch {
  const texts = TEXTS.flatMap((name) => {
    const value = raw[name];
    return typeof value === 'string' && value !== '' ? [[name, value] as const] : [];
  });
  return { ...Object.fromEntries(texts), ...(raw.density === 'compact' ? { density: 'compact' } : {}) };
}
