/** The lists of a resource: by a body with filters and search, or by an address. */
import Type, { type Static, type TObject, type TSchema } from 'typebox';
import type { MemberContext } from '../http/context.ts';
import { defineRoute, type Route } from '../http/route.ts';
import type { FilterOperation } from './filters.ts';
import { type ListRequest, listRecords } from './lists.ts';
import { Filters, Limit, type ListPage, listReply, Page, pageOf, Search } from './paging.ts';
import type { ResourceTypes, TypedResource } from './resource.ts';
import { common, keyFrom, parametersOf, type RouteFamily, type RouteWords } from './route-parts.ts';

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
  resource: TypedResource<T>,
  family: RouteFamily,
  rules: ListRules<T, More> = {},
): Route {
  return defineRoute({
    ...common(family, 'read', rules, `Lists ${family.noun}s, newest first`),
    ...listWords(resource, rules),
    filters: resource.filters,
    search: resource.search,
    id: `${family.id}.list`,
    method: 'POST',
    path: `${family.path}/list`,
    access: 'member',
    ...parametersOf(family.path),
    body: Type.Unsafe<ListRequest>(
      Type.Object({
        page: Page,
        limit: Limit,
        ...(resource.search.length === 0 ? {} : { search: Type.Optional(Search) }),
        filters: rules.requiresFilters ? Filters : Type.Optional(Filters),
      }),
    ),
    reply: listOf(resource, rules),
    handler: async (ctx, { params, body }) => {
      const request = { ...body, parent: keyFrom(resource, params) };
      return toViews(ctx, resource, rules, await listRecords(ctx.db, resource, request));
    },
  });
}

/** What a list that is asked for by its address takes beside `page`, `limit` and `search`. */
export type QueryFilters = Readonly<
  Record<string, { readonly operation: FilterOperation; readonly schema: TSchema }>
>;

/** `GET <path>`: one page, 20 records unless the query says otherwise; its other parameters are filters. */
export function queryListRoute<T extends ResourceTypes>(
  resource: TypedResource<T>,
  family: RouteFamily,
  filters: QueryFilters = {},
  words: RouteWords = {},
): Route {
  const searched = resource.search.length === 0 ? {} : { search: Type.Optional(Search) };
  const narrowed = Object.entries(filters).map(([name, { schema }]) => [name, Type.Optional(schema)]);
  return defineRoute({
    ...common(family, 'read', words, `Lists ${family.noun}s, newest first`),
    id: `${family.id}.list`,
    method: 'GET',
    path: family.path,
    access: 'member',
    ...parametersOf(family.path),
    query: Type.Object({
      ...Object.fromEntries(narrowed),
      ...searched,
      page: Type.Optional(Page),
      limit: Type.Optional(Limit),
    }),
    reply: listOf(resource, {}),
    handler: async (ctx, { params, query }) => {
      const request = { ...pageOf(query), ...narrowingOf(filters, query), parent: keyFrom(resource, params) };
      return toViews(ctx, resource, {}, await listRecords(ctx.db, resource, request));
    },
  });
}

function listOf<T extends ResourceTypes, More extends TObject>(
  resource: TypedResource<T>,
  { more }: ListRules<T, More>,
) {
  const own = resource.listReply;
  const item = more
    ? Type.Object({ ...('properties' in own ? Object(own.properties) : {}), ...more.properties })
    : own;
  return Type.Unsafe<ListPage<T['view']>>(listReply(item));
}

async function toViews<T extends ResourceTypes, More extends TObject>(
  ctx: MemberContext,
  resource: TypedResource<T>,
  { extend }: ListRules<T, More>,
  { results, ...counts }: ListPage<T['row']>,
): Promise<ListPage<T['view']>> {
  const more = (await extend?.(ctx, results)) ?? [];
  return { ...counts, results: results.map((row, place) => ({ ...resource.listView(row), ...more[place] })) };
}

function listWords<T extends ResourceTypes>(
  { filters, search }: TypedResource<T>,
  { description }: RouteWords,
) {
  const fields = Object.keys(filters.fields).join(', ');
  const searched = search.length > 0 ? ` \`search\` looks in ${search.join(', ')}.` : '';
  const usual = `Filters: ${fields}. Operations: ${filters.operations.join(', ')}.${searched}`;
  return { description: description ?? usual };
}

function narrowingOf(filters: QueryFilters, query: Readonly<Record<string, unknown>>) {
  const given = Object.entries(filters).filter(([name]) => query[name] !== undefined);
  return {
    search: typeof query.search === 'string' ? query.search : undefined,
    filters: Object.fromEntries(
      given.map(([name, { operation }]) => [name, { operation, value: query[name] }]),
    ),
  };
}
