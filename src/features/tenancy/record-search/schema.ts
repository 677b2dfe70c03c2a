import Type, { type Static } from 'typebox';
import { nullable } from '../../../http/schemas.ts';
import { SEARCH_KINDS } from '../../../resources/search-kinds.ts';

/** The name of a kind of record that the search finds. */
const SearchKindName = Type.Enum([...SEARCH_KINDS], {
  title: 'SearchKindName',
  description: 'Type of record.',
});

/** Records of one kind in a response. */
export const MAX_PER_KIND = 5;

/** The body of a search. */
export const SearchBody = Type.Object(
  {
    query: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'An id, code, key or email address, or the beginning of a name.',
    }),
    types: Type.Optional(
      Type.Array(SearchKindName, { maxItems: 50, description: 'Kinds to search. Default: all.' }),
    ),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'Default: 20.' })),
  },
  { title: 'Search' },
);
/** The text to search for, and where. */
export type SearchBody = Static<typeof SearchBody>;

/** A record that was found. */
const SearchResult = Type.Object(
  {
    entity_type: SearchKindName,
    key: Type.String({ description: 'The `entitySortKey`; of kinds without history the id or name.' }),
    title: Type.String(),
    subtitle: nullable(Type.String({ description: 'An address or code.' })),
    business_unit: nullable(Type.String({ description: 'Id of the owning unit; null for the tenant.' })),
  },
  { title: 'SearchResult' },
);

/** The records that were found. */
export const SearchResults = Type.Object({ results: Type.Array(SearchResult) }, { title: 'SearchResults' });
/** The records that were found. */
export type SearchResults = Static<typeof SearchResults>;
