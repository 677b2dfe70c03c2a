/** The lists of a resource: by a body with filters and search, or by an address. */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { MemberContext } from '../http/context.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { FilterOperation } from './filter-sql.ts';
import { type ListRequest, listRecords, listViews } from './lists.ts';
import { Filters, Limit, type ListPage, listPage, Page, pageOf, pageOptions, Search } from './paging.ts';
import type { Resource, ResourceTypes } from './resource.ts';
import { factsOf, keyFrom, type RouteFamily, type RouteWords } from './route-parts.ts';
import { withMore } from './view.ts';

/** A list whose items show more than the record. */
export interface ListRules<T extends ResourceTypes, More extends TObject> extends RouteWords {
  /** The body must have filters, if only empty ones. */
  readonly requiresFilters?: true;
  readonly more?: More;
  /** What each of the rows shows more, in their order. */
  readonly extend?: (ctx: MemberContext, rows: readonly T['row'][]) => Promise<Static<More>[]>;
}

/** `POST <path>/list`: one page, by filters and search. */
export function listRoute<T extends ResourceTypes, More extends TObject = TObject>(
  resource: Resource<T>,
  family: RouteFamily,
  rules: ListRules<T, More> = {},
): Route {
  const { filters, search, listReply: own } = resource;
  const { more, extend } = rules;
  const item = more ? withMore(own, more.properties) : own;
  const searched = search.length > 0 ? ` \`search\` looks in ${search.join(', ')}.` : '';
  const narrowing = `Filters: ${Object.keys(filters.fields).join(', ')}. Operations: ${filters.operations.join(', ')}.`;
  return defineRoute({
    ...factsOf('list', resource, family, { description: `${narrowing}${searched}`, ...rules }),
    filters,
    search,
    body: Type.Unsafe<ListRequest>(
      Type.Object({
        page: Page,
        limit: Limit,
        ...searchOf(resource),
        filters: rules.requiresFilters ? Filters : Type.Optional(Filters),
      }),
    ),
    reply: Type.Unsafe<ListPage<T['view']>>(listPage(item)),
    handler: async (ctx, { params, body }) => {
      const request = { ...body, parent: keyFrom(resource, params) };
      const { results, ...counts } = await listRecords(ctx.db, resource, request);
      const shownMore = (await extend?.(ctx, results)) ?? [];
      const shown = results.map((row, place) => ({ ...resource.listView(row), ...shownMore[place] }));
      return { results: shown, ...counts };
    },
  });
}

/** What a list that is asked for by its address takes beside `page`, `limit` and `search`. */
export type QueryFilters = Readonly<
  Record<string, { readonly operation: FilterOperation; readonly schema: TSchema }>
>;

/** `GET <path>`: one page, 20 records unless the query says otherwise; its other parameters are filters. */
export function queryListRoute<T extends ResourceTypes>(
  resource: Resource<T>,
  family: RouteFamily,
  filters: QueryFilters = {},
  words: RouteWords = {},
): Route {
  const narrowed = Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)]);
  return defineRoute({
    ...factsOf('list', resource, family, words),
    method: 'GET',
    path: family.path,
    query: Type.Object({
      ...Object.fromEntries(narrowed),
      ...searchOf(resource),
      ...pageOptions,
    }),
    reply: Type.Unsafe<ListPage<T['view']>>(listPage(resource.listReply)),
    handler: async (ctx, { params, query }) => {
      const asked: Readonly<Record<string, unknown>> = query;
      const given = Object.entries(filters).filter(([name]) => asked[name] !== undefined);
      return listViews(ctx.db, resource, {
        ...pageOf(query),
        search: typeof asked.search === 'string' ? asked.search : undefined,
        filters: Object.fromEntries(
          given.map(([name, { operation }]) => [name, { operation, value: asked[name] }]),
        ),
        parent: keyFrom(resource, params),
      });
    },
  });
}

function searchOf({ search }: Resource): TProperties {
  return search.length === 0 ? {} : { search: Type.Optional(Search) };
}
