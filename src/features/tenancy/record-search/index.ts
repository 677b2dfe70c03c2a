import type { RecordSearch } from '../../../resources/record-search.ts';
import type { Feature } from '../../feature.ts';
import { examples } from './examples.ts';
import { searchRoutes } from './routes.ts';

/** The search in all kinds of record that features declare. */
export function recordSearch(searches: readonly RecordSearch[]): Feature {
  return {
    name: 'record-search',
    examples,
    tags: { Search: 'Records of all kinds, by id, code, address or name.' },
    routes: searchRoutes(searches),
  };
}
