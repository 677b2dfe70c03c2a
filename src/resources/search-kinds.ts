import { ENTITY_TYPES } from './entity-types.ts';

/** Kinds of record in searches: all with history, and some without (docs/specification/search.md#find-records). */
export const SEARCH_KINDS = [...ENTITY_TYPES, 'asset', 'sending_domain', 'webhook_delivery'] as const;

/** A kind of record that the search finds. */
export type SearchKind = (typeof SEARCH_KINDS)[number];
