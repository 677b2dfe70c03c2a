import Type, { type Static } from 'typebox';
import { Limit, listReply, Page, Search } from '../../resources/paging.ts';

/** What callers write of a snippet. */
export const SnippetBody = Type.Object({
  name: Type.String({
    minLength: 1,
    maxLength: 200,
    pattern: '^[^"\'{}\\[\\]\\s](?:[^"\'{}\\[\\]\\r\\n]*[^"\'{}\\[\\]\\s])?$',
    description:
      'How templates name it: `{{{snippet name}}}`; in quotes when it has other signs than letters, digits, - and _.',
  }),
  content: Type.String({ description: 'HTML; may use variables and other snippets.' }),
  description: Type.Optional(Type.Union([Type.String(), Type.Null()])),
});

/** A snippet as it is read. */
export const Snippet = Type.Object({
  id: Type.String(),
  version: Type.Integer(),
  created_at: Type.String(),
  updated_at: Type.String(),
  name: Type.String(),
  content: Type.String(),
  description: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  business_unit: Type.String(),
});

/** Narrows the list. */
export const SnippetQuery = Type.Object({
  search: Type.Optional(Search),
  page: Type.Optional(Page),
  limit: Type.Optional(Limit),
});

/** One page of snippets. */
export const SnippetList = listReply(Snippet);
/** Names a snippet. */
export const SnippetParams = Type.Object({ id: Type.String() });
/** Acknowledges a write. */
export const IdReply = Type.Object({ id: Type.String() });

export type SnippetBody = Static<typeof SnippetBody>;
export type Snippet = Static<typeof Snippet>;
export type SnippetQuery = Static<typeof SnippetQuery>;
