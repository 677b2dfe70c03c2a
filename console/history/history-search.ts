/**
 * The part of a screen's URL that opens the history. The main script contains this file: routes validate their
 * parameters with it.
 */

/** Query parameters of a screen with a history: `true` for all versions, a number for one of them. */
export type HistorySearch = { readonly history?: true | number };

/** Reads the parameter of the history. */
export function readHistorySearch({ history }: Readonly<Record<string, unknown>>): HistorySearch {
  return history === true || (typeof history === 'number' && Number.isSafeInteger(history))
    ? { history }
    : {};
}
