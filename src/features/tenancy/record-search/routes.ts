import { defineRoute, type Route } from '../../../http/route.ts';
import type { RecordSearch } from '../../../resources/record-search.ts';
import { SearchBody, SearchResults } from './schema.ts';
import { searchRecords } from './service.ts';

/** The search in all kinds of record (docs/specification/search.md#find-records). */
export const searchRoutes = (searches: readonly RecordSearch[]): readonly Route[] => [
  defineRoute({
    id: 'search.records',
    method: 'POST',
    path: '/api/search',
    summary: 'Finds records of all kinds by id, code, address or name',
    description: 'At most 5 records of a kind, first those that `query` identifies.',
    tag: 'Search',
    access: 'member',
    readsOnly: true,
    body: SearchBody,
    reply: SearchResults,
    handler: (ctx, { body }) => searchRecords(ctx, searches, body),
  }),
];
