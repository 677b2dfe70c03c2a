/** Options of sortable lists: `sort`, `after`, `fields` and `count` (docs/specification/conventions.md#lists). */
import Type from 'typebox';
import type { Issue } from '../errors/app-error.ts';

/** Options of a request to a sortable list. */
export interface OrderOptions {
  readonly sort?: string | undefined;
  readonly after?: string | undefined;
  /** The members that the results show. */
  readonly members?: readonly string[] | undefined;
  readonly count?: boolean | undefined;
}

/** True if a request uses one of the options; only then does the response have `next`. */
export function hasOrderOptions({ sort, after, members, count }: OrderOptions): boolean {
  return [sort, after, members, count].some((option) => option !== undefined);
}

/** The cursor of a page. */
export const After = Type.String({
  title: 'ListCursor',
  maxLength: 4000,
  description: '`next` of the previous page; replaces `page`.',
});
const FieldNames = Type.Array(Type.String({ maxLength: 100 }), {
  title: 'ListFields',
  minItems: 1,
  maxItems: 100,
  description: 'Fields of the results. Default: all.',
});

const Sort = Type.String({
  title: 'ListSort',
  maxLength: 100,
  description: 'A field of `x-sort`; `-` before it means descending. Default: `-created_at`.',
});

/** The options as members of a body. */
export const orderMembers = {
  sort: Type.Optional(Sort),
  after: Type.Optional(After),
  fields: Type.Optional(FieldNames),
  count: Type.Optional(
    Type.Boolean({ title: 'ListCount', description: 'False omits `total` and `totalPages`.' }),
  ),
};

/** The options as query parameters. */
export const orderParameters = {
  sort: Type.Optional(Sort),
  after: Type.Optional(After),
  'fields[]': Type.Optional(FieldNames),
  count: Type.Optional(
    Type.Enum(['true', 'false'], {
      title: 'ListCountText',
      description: '`false` omits `total` and `totalPages`.',
    }),
  ),
};

/** Reads the options from a checked query. */
export function readOrderParameters(query: Readonly<Record<string, unknown>>): OrderOptions {
  const { sort, after, 'fields[]': fields, count } = query;
  return {
    ...(typeof sort === 'string' ? { sort } : {}),
    ...(typeof after === 'string' ? { after } : {}),
    ...(Array.isArray(fields) ? { members: fields.map(String) } : {}),
    ...(count === undefined ? {} : { count: count === 'true' }),
  };
}

/** Returns the faults of `page` and `after`: a request may use only one of them. */
export function findPageIssues(
  { page, after }: { readonly page?: number | undefined; readonly after?: string | undefined },
  isPageRequired: boolean,
): Issue[] {
  if (after === undefined)
    return isPageRequired && page === undefined ? [{ field: 'page', message: 'is required' }] : [];
  return page === undefined || page === 1
    ? []
    : [{ field: 'page', message: 'is not allowed with after; omit it' }];
}
