import Type, { type TSchema } from 'typebox';

/** Maximum number of items per page (docs/specification/conventions.md#lists). */
export const MAX_LIMIT = 100;

/** Default number of items per page. */
export const DEFAULT_LIMIT = 20;

/** 1-based page number. Its maximum keeps the offset within PostgreSQL's range. */
export const Page = Type.Integer({
  title: 'PageNumber',
  minimum: 1,
  maximum: Number.MAX_SAFE_INTEGER,
  description: '1-based page.',
});
/** Items per page. */
export const Limit = Type.Integer({
  title: 'PageLimit',
  minimum: 1,
  maximum: MAX_LIMIT,
  description: 'Items per page.',
});
/** The page options of a query. */
export const pageOptions = { page: Type.Optional(Page), limit: Type.Optional(Limit) };
/** Words to search for. The limit keeps the condition within what PostgreSQL can plan. */
export const Search = Type.String({
  title: 'SearchText',
  maxLength: 1000,
  description: 'All words must occur, in any letter case.',
});
/** Filters by field; the list's description names its fields and operations. */
export const Filters = Type.Record(Type.String(), Type.Unknown(), {
  title: 'Filters',
  description:
    'Conditions by field, ANDed, with the operations in `x-filters`: `{operation, value}` or operations with values: `{"gte": 1, "lt": 5}`. At most 50 conditions.',
});

/** The position of a page in a list. */
export interface PageRequest {
  readonly page: number;
  readonly limit: number;
}

/** Returns the page that a query requests. Default: the first page, with `DEFAULT_LIMIT` items. */
export function pageOf({ page = 1, limit = DEFAULT_LIMIT }: { page?: number; limit?: number }): PageRequest {
  return { page, limit };
}

/** The response with one page of a list. */
export interface ListPage<T> {
  results: T[];
  total: number;
  totalPages: number;
}

/** The reply schema of a list. Pass a title if a sortable list has the same items. */
export function listPage<T extends TSchema>(item: T, title = 'title' in item ? `${item.title}Page` : null) {
  return Type.Object(
    {
      results: Type.Array(item),
      total: Type.Integer({ description: 'Matching items on all pages.' }),
      totalPages: Type.Integer(),
    },
    title === null ? {} : { title },
  );
}

/** A page of a sortable list: members that depend on options of the request are optional. */
export interface PageReply<T> {
  results: T[];
  total?: number;
  totalPages?: number;
  next?: string | null;
}

/** The cursor of the next page. */
export const nextSchema = Type.Union([Type.String(), Type.Null()], {
  title: 'NextCursor',
  description:
    '`after` for the next page; null on the last one. Only with `sort`, `after`, `fields` or `count`.',
});

/** The reply schema of a sortable list. */
export function orderedPage<T extends TSchema>(item: T) {
  return Type.Object(
    {
      results: Type.Array(item),
      total: Type.Optional(
        Type.Integer({
          title: 'ListTotal',
          description: 'Matching items on all pages. Absent with `count: false`.',
        }),
      ),
      totalPages: Type.Optional(
        Type.Integer({ title: 'ListPages', description: 'Absent with `count: false`.' }),
      ),
      next: Type.Optional(nextSchema),
    },
    'title' in item ? { title: `${item.title}Page` } : {},
  );
}

/** Builds the response with one page. */
export function toListPage<T>(results: T[], total: number, { limit }: PageRequest): ListPage<T> {
  return { results, total, totalPages: Math.ceil(total / limit) };
}

/** The number of items before a page. */
export function offsetOf({ page, limit }: PageRequest): number {
  return (page - 1) * limit;
}

/** Returns the number of matching items. It runs `count` only if the page does not determine the number. */
export async function totalOf(
  request: PageRequest,
  rowsOnPage: number,
  count: () => Promise<number>,
): Promise<number> {
  const isLast = rowsOnPage < request.limit && (rowsOnPage > 0 || request.page === 1);
  return isLast ? offsetOf(request) + rowsOnPage : count();
}
