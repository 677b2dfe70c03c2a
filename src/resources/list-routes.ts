/** The lists of a resource: by a body with filters and search, or by an address. */
import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import type { MemberContext } from '../http/context.ts';
import { defineRoute, type ListFilters, type Route } from '../http/route.ts';
import type { FilterOperation } from './filter-sql.ts';
import { type FilterField, limitConditions } from './filters.ts';
import { answerList } from './large-lists.ts';
import type { ListRequest } from './lists.ts';
import { readsShared } from './ownership.ts';
import {
  Filters,
  Limit,
  type ListPage,
  listPage,
  Page,
  pageOf,
  pageOptions,
  Search,
  toListPage,
} from './paging.ts';
import { isOwned, type Resource, type ResourceTypes } from './resource.ts';
import { factsOf, keyFrom, type RouteFamily, type RouteWords } from './route-parts.ts';
import { withMore } from './view.ts';

/** A list whose items show more than the record. */
export interface ListRules<More extends TObject> extends RouteWords {
  /** Throws unless there is the parent of these records, whose key the path gives. */
  readonly requireParent?: (ctx: MemberContext, key: readonly string[]) => Promise<unknown>;
  /** The body must have filters, if only empty ones. */
  readonly requiresFilters?: true;
  /** Fields that only the request knows, beside those of the resource. */
  readonly fields?: {
    /** What they are called, and what they hold, for the API's documentation. */
    readonly shown: ListFilters['fields'];
    readonly read: (
      ctx: MemberContext,
      filters: Readonly<Record<string, unknown>>,
    ) => Promise<Readonly<Record<string, FilterField>>>;
  };
  /** Whether the caller sees the records at all; to others the list is empty. Default: whoever may call. */
  readonly isVisible?: (ctx: MemberContext) => boolean;
  readonly more?: More;
  /** What each record shows more, by the last parts of the keys, in their order. */
  readonly extend?: (ctx: MemberContext, keys: readonly string[]) => Promise<Static<More>[]>;
}

/** `POST <path>/list`: one page, by filters and search. */
export function listRoute<T extends ResourceTypes, More extends TObject = TObject>(
  resource: Resource<T>,
  family: RouteFamily,
  rules: ListRules<More> = {},
): Route {
  const { filters, search, listReply: own } = resource;
  const { more, extend, fields } = rules;
  const item = more ? withMore(own, more.properties) : own;
  const searched = search.length > 0 ? ` \`search\` looks in ${search.join(', ')}.` : '';
  const shown = { ...filters.fields, ...fields?.shown };
  const narrowing = `Filters: ${Object.keys(shown).join(', ')}. Operations: ${filters.operations.join(', ')}.`;
  return defineRoute({
    ...factsOf('list', resource, family, { description: `${narrowing}${searched}`, ...rules }),
    readsOnly: true,
    filters: { ...filters, fields: shown },
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
      if (rules.isVisible?.(ctx) === false) return toListPage([], 0, body);
      const parent = keyFrom(resource, params);
      await rules.requireParent?.(ctx, parent);
      // Before any work on the filters: whoever has no unit sees nothing.
      if (!readsShared(ctx.caller)) return toListPage([], 0, body);
      limitConditions(body.filters ?? {});
      const own = fields && body.filters ? { fields: await fields.read(ctx, body.filters) } : {};
      const request = { ...body, ...own, parent };
      return answerList(ctx.db, resource, request, extend && ((keys) => extend(ctx, keys)));
    },
  });
}

/** What a list that is asked for by its address takes beside `page`, `limit` and `search`. */
export type QueryFilters = Readonly<
  Record<
    string,
    { readonly operation: FilterOperation; readonly schema: TSchema; readonly isRequired?: true }
  >
>;

/** The query parameter that narrows a list to the records of one unit. */
export const byUnit: QueryFilters = {
  business_unit: {
    operation: 'eq',
    schema: Type.String({ description: 'Id, slug or name of the owning business unit.' }),
  },
};

/** `GET <path>`: one page, 20 records unless the query says otherwise; its other parameters are filters. */
export function queryListRoute<T extends ResourceTypes>(
  resource: Resource<T>,
  family: RouteFamily,
  filters: QueryFilters = {},
  words: RouteWords = {},
): Route {
  const narrowed = Object.entries(filters).map(([name, { schema, isRequired }]) => [
    name,
    isRequired ? schema : Type.Optional(schema),
  ]);
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
      if (!isOwned(resource) && !readsShared(ctx.caller)) return toListPage([], 0, pageOf(query));
      const asked: Readonly<Record<string, unknown>> = query;
      const given = Object.entries(filters).filter(([name]) => asked[name] !== undefined);
      return answerList(ctx.db, resource, {
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
