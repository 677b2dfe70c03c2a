/** List routes of a resource: by a body with filters and search, or by query parameters. */

import Type, { type Static, type TObject, type TProperties, type TSchema } from 'typebox';
import { CONTENT_BODY_BYTES } from '../http/body-limit.ts';
import type { MemberContext } from '../http/context.ts';
import { defineRoute, type ListFilters, type Route } from '../http/route.ts';
import type { FilterField } from './filter-field.ts';
import type { FilterOperation } from './filter-sql.ts';
import { limitConditions } from './filters.ts';
import { answerSortedPage } from './large-lists.ts';
import { listFacts, readSort } from './list-order.ts';
import {
  LIST_CHECKS,
  type ListBody,
  listMembers,
  listParameters,
  readListBody,
  readListQuery,
} from './list-queries.ts';
import { hasOrderOptions, type OrderOptions } from './order-options.ts';
import { readsShared } from './ownership.ts';
import { Filters, orderedPage, type PageReply, type PageRequest, Search, toListPage } from './paging.ts';
import { isOwned, type Resource, type ResourceTypes } from './resource.ts';
import { keyFrom, type RouteFamily, type RouteTexts, routeProperties } from './route-parts.ts';
import { withMore } from './view.ts';

/** Rules of a list, and additional members of its items. */
export interface ListRules<More extends TObject> extends RouteTexts {
  /** Throws unless the parent of these records, whose key is in the path, exists. */
  readonly requireParent?: (ctx: MemberContext, key: readonly string[]) => Promise<unknown>;
  /** The body must have `filters`, even if empty. */
  readonly requiresFilters?: true;
  /** Filter fields that depend on the request, in addition to those of the resource. */
  readonly fields?: {
    /** Their names and types, for the API reference. */
    readonly shown: ListFilters['fields'];
    readonly read: (
      ctx: MemberContext,
      filters: Readonly<Record<string, unknown>>,
    ) => Promise<Readonly<Record<string, FilterField>>>;
  };
  /** Returns false if the caller may see no records; the list is then empty. Default: always true. */
  readonly isVisible?: (ctx: MemberContext) => boolean;
  /** The schema of additional members of each item. */
  readonly more?: More;
  /**
   * The title of an item with these members; set it if the record's GET returns them as well. Default:
   * `<title>ListItem`.
   */
  readonly itemTitle?: string;
  /** Returns the members `more` of each record, in the order of `keys`, the last parts of the records' keys. */
  readonly extend?: (ctx: MemberContext, keys: readonly string[]) => Promise<Static<More>[]>;
}

/** `POST <path>/list`: one page, by filters and search. */
export function listRoute<T extends ResourceTypes, More extends TObject = TObject>(
  resource: Resource<T>,
  family: RouteFamily,
  rules: ListRules<More> = {},
): Route {
  const { filters, search, listReply } = resource;
  const { more, extend, fields, itemTitle = resource.title && `${resource.title}ListItem` } = rules;
  const item = more ? withMore(listReply, more.properties, itemTitle) : listReply;
  const searched = search.length > 0 ? ` \`search\` looks in ${search.join(', ')}.` : '';
  const shown = { ...filters.fields, ...fields?.shown };
  const filterNames = `Filters: ${Object.keys(shown).join(', ')}.`;
  return defineRoute({
    ...routeProperties('list', resource, family, { description: `${filterNames}${searched}`, ...rules }),
    readsOnly: true,
    filters: { ...filters, fields: shown },
    search,
    ...listFacts(resource),
    body: Type.Unsafe<ListBody>(
      Type.Object(
        {
          ...listMembers,
          ...searchOf(resource),
          filters: rules.requiresFilters ? Filters : Type.Optional(Filters),
        },
        resource.title ? { title: `${resource.title}ListQuery` } : {},
      ),
    ),
    maxBodyBytes: CONTENT_BODY_BYTES,
    checks: LIST_CHECKS,
    reply: Type.Unsafe<PageReply<T['view']>>(orderedPage(item)),
    handler: async (ctx, { params, body }) => {
      const request = readListBody(body);
      if (rules.isVisible?.(ctx) === false) return emptyPage(resource, request);
      const parent = keyFrom(resource, params);
      await rules.requireParent?.(ctx, parent);
      // Before any work on the filters: a caller without units sees nothing.
      if (!readsShared(ctx.caller)) return emptyPage(resource, request);
      limitConditions(body.filters ?? {});
      const requestFields = fields && body.filters ? { fields: await fields.read(ctx, body.filters) } : {};
      const extension = more &&
        extend && {
          names: Object.keys(more.properties),
          of: (keys: readonly string[]) => extend(ctx, keys),
        };
      return answerSortedPage(ctx.db, resource, { ...request, ...requestFields, parent }, extension);
    },
  });
}

/**
 * Returns the response to a caller who sees no records. @throws AppError INVALID_REQUEST for a sort that the list does
 * not support.
 */
function emptyPage(resource: Resource, request: PageRequest & OrderOptions): PageReply<never> {
  readSort(resource, request.sort);
  const { total, totalPages } = toListPage([], 0, request);
  return {
    results: [],
    ...(request.count === false ? {} : { total, totalPages }),
    ...(hasOrderOptions(request) ? { next: null } : {}),
  };
}

/** Filters of a list that are query parameters, by name. */
export type QueryFilters = Readonly<
  Record<
    string,
    { readonly operation: FilterOperation; readonly schema: TSchema; readonly isRequired?: true }
  >
>;

/** The query parameter that restricts a list to the records of one unit. */
export const byUnit: QueryFilters = {
  business_unit: {
    operation: 'eq',
    schema: Type.String({ description: 'Id, slug or name of the owning unit.' }),
  },
};

/** `GET <path>`: one page, 20 records by default; its other parameters are filters. */
export function queryListRoute<T extends ResourceTypes>(
  resource: Resource<T>,
  family: RouteFamily,
  filters: QueryFilters = {},
  texts: RouteTexts = {},
): Route {
  const filterParameters = Object.entries(filters).map(([name, { schema, isRequired }]) => [
    name,
    isRequired ? schema : Type.Optional(schema),
  ]);
  return defineRoute({
    ...routeProperties('list', resource, family, texts),
    method: 'GET',
    path: family.path,
    query: Type.Object({
      ...Object.fromEntries(filterParameters),
      ...searchOf(resource),
      ...listParameters,
    }),
    ...listFacts(resource),
    reply: Type.Unsafe<PageReply<T['view']>>(orderedPage(resource.listReply)),
    handler: async (ctx, { params, query }) => {
      const values: Readonly<Record<string, unknown>> = query;
      const page = readListQuery(query);
      if (!isOwned(resource) && !readsShared(ctx.caller)) return emptyPage(resource, page);
      const requested = Object.entries(filters).filter(([name]) => values[name] !== undefined);
      return answerSortedPage(ctx.db, resource, {
        ...page,
        search: typeof values.search === 'string' ? values.search : undefined,
        filters: Object.fromEntries(
          requested.map(([name, { operation }]) => [name, { operation, value: values[name] }]),
        ),
        parent: keyFrom(resource, params),
      });
    },
  });
}

function searchOf({ search }: Resource): TProperties {
  return search.length === 0 ? {} : { search: Type.Optional(Search) };
}
