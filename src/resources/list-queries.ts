/** Sortable lists: common parts of their queries and bodies, and responses with one page or all records. */
import Type from 'typebox';
import { invalidRequest } from '../errors/platform-errors.ts';
import { check } from '../http/body-checks.ts';
import { JsonText } from '../http/json-text.ts';
import type { ScopedDb } from '../tenancy/scoped-db.ts';
import { pickMembers, requireMembers } from './chosen-members.ts';
import { answerAll, answerSortedPage, type Extension } from './large-lists.ts';
import type { ListSelection } from './list-conditions.ts';
import type { OrderedPage } from './lists.ts';
import {
  findPageIssues,
  type OrderOptions,
  orderMembers,
  orderParameters,
  readOrderParameters,
} from './order-options.ts';
import { Limit, Page, type PageReply, type PageRequest, pageOf, pageOptions } from './paging.ts';
import type { Resource, ResourceTypes } from './resource.ts';

/** Query parameters of a sortable list. */
export const listParameters = { ...pageOptions, ...orderParameters };

/** The page, order and members that a list request selects. */
export type ListQuery = PageRequest & OrderOptions;

/** Members that the bodies of lists share. */
export const listMembers = { page: Type.Optional(Page), limit: Limit, ...orderMembers };

/** Checks of a body with `listMembers`. */
export const LIST_CHECKS = [check(['page', 'after'], (body: PagedBody) => findPageIssues(body, true))];

interface PagedBody extends Omit<OrderOptions, 'members'> {
  readonly page?: number;
  readonly limit: number;
  readonly fields?: readonly string[];
}

/** A checked body of a list. */
export interface ListBody extends PagedBody {
  readonly search?: string;
  readonly filters?: Readonly<Record<string, unknown>>;
}

/** Reads page and order from a checked body; returns its other members unchanged. */
export function readListBody<B extends PagedBody>({ page = 1, fields: members, ...others }: B) {
  return { ...others, page, members };
}

/** A checked query with the parameters of a list, and possibly others. */
export type CheckedQuery = Readonly<Record<string, unknown>> & {
  readonly page?: number;
  readonly limit?: number;
};

/** Reads page and order from a checked query. @throws AppError INVALID_REQUEST if it has both `page` and `after`. */
export function readListQuery(query: CheckedQuery): ListQuery {
  const options = readOrderParameters(query);
  const issues = findPageIssues({ ...query, after: options.after }, false);
  if (issues.length > 0) throw invalidRequest(issues);
  return { ...pageOf(query), ...options };
}

/** True if a query requests a page. Otherwise the list returns all records. */
export function requestsPage(query: CheckedQuery): boolean {
  return Object.keys(listParameters).some((name) => query[name] !== undefined);
}

/** Returns the page that a query requests, or all records, newest first. @throws AppError as `answerSortedPage`. */
export function answerPageOrAll<T extends ResourceTypes>(
  db: ScopedDb,
  resource: Resource<T>,
  query: CheckedQuery,
  selection: ListSelection,
  extension?: Extension,
) {
  return requestsPage(query)
    ? answerSortedPage(db, resource, { ...readListQuery(query), ...selection }, extension)
    : answerAll(db, resource, selection);
}

/** Items of a page, with the total and the cursor of the next page. */
export interface PageResult<T> extends Omit<OrderedPage<unknown>, 'rows'> {
  readonly results: readonly T[];
}

/**
 * Returns a page of a list whose items are not records of a resource; `allowed` are the members of an item.
 * @throws AppError INVALID_REQUEST for members that the items do not have.
 */
export function toPageReply<T extends object>(
  { results, total, next }: PageResult<T>,
  { limit, members }: ListQuery,
  allowed: readonly string[],
): PageReply<T> | JsonText {
  const counts = {
    ...(total === undefined ? {} : { total, totalPages: Math.ceil(total / limit) }),
    ...(next === undefined ? {} : { next }),
  };
  if (members === undefined) return { results: [...results], ...counts };
  requireMembers(members, allowed);
  return new JsonText(
    JSON.stringify({ results: results.map((item) => pickMembers(item, members)), ...counts }),
  );
}
