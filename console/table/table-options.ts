import { loadTableTexts } from './load-texts.ts';
import { readTableSearch } from './table-search.ts';

/** Texts that a screen needs. */
interface LoadedTexts {
  load(): Promise<void>;
}

/** Returns the options of the route of a list: its parameters are those of a table, and its texts are loaded first. */
export function tableOptions(...texts: readonly LoadedTexts[]) {
  return {
    validateSearch: readTableSearch,
    loader: () => Promise.all([loadTableTexts(), ...texts.map((each) => each.load())]),
  };
}
