/**
 * List of a project's slices with facets, in one statement. It reads the project's rows once, without their variations,
 * and evaluates each filter. The page, the total and each facet then use the filters that apply to them.
 */
import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely';
import { JsonText } from '../../../http/json-text.ts';
import { LargeResponse, toChunks } from '../../../http/large-response.ts';
import { withMembersOnly } from '../../../resources/chosen-members.ts';
import { type AnyQuery, type AnyTables, runCompiled } from '../../../resources/compiled-statements.ts';
import { containing } from '../../../resources/filter-values.ts';
import { searchWords } from '../../../resources/filters.ts';
import {
  isAfter,
  type ListOrder,
  ORDER_VALUE,
  orderBy,
  orderValueSql,
  readCursor,
  readSort,
} from '../../../resources/list-order.ts';
import { type CheckedQuery, type ListQuery, readListQuery } from '../../../resources/list-queries.ts';
import { nextOf } from '../../../resources/lists.ts';
import { offsetOf } from '../../../resources/paging.ts';
import type { Resource } from '../../../resources/resource.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { sliceModels } from './resource.ts';

/** Facet fields, with their columns. */
const FACETS = {
  category: { column: 'category', isList: false },
  tags: { column: 'tag_values', isList: true },
  media: { column: 'media_values', isList: true },
  origin: { column: 'origin', isList: false },
  status: { column: 'status', isList: false },
} as const;
type Facet = keyof typeof FACETS;
const FACET_NAMES: readonly Facet[] = ['category', 'tags', 'media', 'origin', 'status'];
/** Maximum number of values of a facet. */
const MAX_VALUES = 1000;
/** Largest variations (bytes) of an item that is read with its page. */
const MAX_BATCHED_BYTES = 16 * 1024;

/** The validated query of the list. */
export interface SliceListQuery extends CheckedQuery {
  readonly searchText?: string;
  readonly sortBy?: 'created_at' | 'updated_at';
  readonly 'kind[]'?: readonly string[];
  readonly 'category[]'?: readonly string[];
  readonly 'tags[]'?: readonly string[];
  readonly 'media[]'?: readonly string[];
  readonly 'origin[]'?: readonly string[];
  readonly 'status[]'?: readonly string[];
  readonly 'availableSliceIds[]'?: readonly string[];
}

/** The only result row. Large items are missing in `items`, which is the text of an array. */
interface ListRow {
  readonly total: number;
  readonly facets: string;
  readonly items: string | null;
  readonly places: readonly ItemKey[] | null;
}

/** Key of an item of the page, the size of its returned variations in bytes, and the value by which it is sorted. */
type ItemKey = readonly [projectId: string, id: string, bytes: number, value: string];

/** Lists one page of a project's slices, with facets. @throws AppError INVALID_REQUEST. */
export async function listSlices(
  db: ScopedDb,
  projectId: string,
  query: SliceListQuery,
): Promise<JsonText | LargeResponse> {
  const request = readListQuery(query);
  const { sortBy } = query;
  const order = readSort(sliceModels, request.sort ?? (sortBy && `-${sortBy}`));
  const after = request.after === undefined ? [] : readCursor(sliceModels, order, request.after, 1);
  const { members } = request;
  const shown = members === undefined ? sliceModels : withMembersOnly(sliceModels, members, []);
  const words = searchWords(query.searchText, 'searchText');
  const ids = query['availableSliceIds[]'];
  const kinds = query['kind[]'];
  const filteredFacets = FACET_NAMES.filter((name) => query[`${name}[]`] !== undefined);
  const shape = JSON.stringify([
    'list',
    order,
    after.length,
    words.length,
    ids !== undefined,
    kinds !== undefined,
    filteredFacets,
  ]);
  const values = [
    projectId,
    request.limit,
    offsetOf(request),
    ...after,
    ids ?? [],
    kinds ?? [],
    ...filteredFacets.map((name) => query[`${name}[]`]),
    ...words.map(containing),
  ];
  const [row] = await runCompiled<ListRow>(db, shown, shape, values, (all, slots) => {
    const [project, limit, offset, ...others] = slots;
    const cursor = others.splice(0, after.length);
    const [wantedIds, wantedKinds, ...rest] = others;
    const facetValues = new Map(filteredFacets.map((name) => [name, rest.shift()]));
    const conditions = [
      ...(ids ? [sql<SqlBool>`id = any(${wantedIds}::text[])`] : []),
      ...(kinds ? [sql<SqlBool>`kind = any(${wantedKinds}::text[])`] : []),
      ...rest.map((pattern) => sql<SqlBool>`name ilike ${pattern}`),
    ];
    const evaluated = withEvaluatedFilters(withSlices(all, project, order), conditions, facetValues, order);
    return answerOf(evaluated, { limit, offset, filteredFacets, order, cursor, shown });
  });
  if (row === undefined) throw new Error('The statement returned no row.');
  const last = (row.places ?? []).map(([project_id, id, , value]) => ({
    project_id,
    id,
    [ORDER_VALUE]: value,
  }));
  const next = nextOf(sliceModels, order, request, last, 1);
  return toAnswer(db, projectId, shown, row, { ...countsOf(row, request), ...next });
}

function countsOf({ total }: ListRow, { count, limit }: ListQuery): object {
  return count === false ? {} : { total, totalPages: Math.ceil(total / limit) };
}

/** Columns for the page and the facets; few, because materializing them is half of the cost. */
const EVALUATED_COLUMNS = ['project_id', 'id', ...FACET_NAMES.map((name) => FACETS[name].column)];

/**
 * Adds the table expression `slices`: slices of the project, and core slices of the tenant that it does not override.
 */
function withSlices(query: AnyQuery, project: unknown, { column: sorted }: ListOrder): AnyQuery {
  const columns = (table: string) =>
    [...new Set([...EVALUATED_COLUMNS, sorted, 'name', 'kind'])].map((column) =>
      sql.ref(`${table}.${column}`).as(column),
    );
  return query.with('slices', (q) =>
    q
      .selectFrom('slice_models as own')
      .select(columns('own'))
      .where('own.project_id', '=', project)
      .unionAll(
        q
          .selectFrom('slice_models as core')
          .select(columns('core'))
          .where('core.shared', '=', true)
          .where('core.project_id', '<>', project)
          .where((eb) =>
            eb.not(
              eb.exists(
                eb
                  .selectFrom('slice_models as override')
                  .select('override.id')
                  .where('override.project_id', '=', project)
                  .whereRef('override.id', '=', 'core.id'),
              ),
            ),
          ),
      ),
  );
}

/** Adds the table expression `evaluated`: slices that match the other filters, with the result of each facet filter. */
function withEvaluatedFilters(
  query: AnyQuery,
  conditions: readonly Expression<SqlBool>[],
  facetValues: ReadonlyMap<Facet, unknown>,
  { column: sorted }: ListOrder,
): AnyQuery {
  const matches = [...facetValues].map(([name, values]) => {
    const column = sql.ref(FACETS[name].column);
    const isMatch = FACETS[name].isList
      ? sql<boolean>`${column} && ${values}::text[]`
      : sql<boolean>`coalesce(${column} = any(${values}::text[]), false)`;
    return isMatch.as(`is_${name}`);
  });
  return query.with('evaluated', (q) =>
    conditions.reduce(
      (rows, condition) => rows.where(condition),
      q
        .selectFrom('slices')
        .select([...EVALUATED_COLUMNS, sorted])
        .select(matches),
    ),
  );
}

/** Options of the statement. */
interface ListOptions {
  readonly limit: unknown;
  readonly offset: unknown;
  readonly filteredFacets: readonly Facet[];
  readonly order: ListOrder;
  /** The values of the cursor; absent if the page is requested by number. */
  readonly cursor: readonly unknown[];
  /** Slices with the members that the request selects. */
  readonly shown: Resource;
}

const rows = expressionBuilder<AnyTables, never>();

function answerOf(query: AnyQuery, options: ListOptions) {
  const { filteredFacets, order } = options;
  const facets = FACET_NAMES.map((name) => {
    const others = filteredFacets.filter((other) => other !== name);
    return sql`${sql.lit(name)}::text, ${facetOf(others, name)}`;
  });
  const inOrder = sql`order by ${orderBy(sliceModels, order, '', 1)}`;
  return query
    .with('grouped', () => groupsOf(filteredFacets))
    .with('items', () => itemsOf(options))
    .selectNoFrom([
      selectMatching(filteredFacets, 'grouped')
        .select(sql<number>`coalesce(sum(slices), 0)::bigint`.as('n'))
        .as('total'),
      sql<string>`json_build_object(${sql.join(facets)})::text`.as('facets'),
      rows
        .selectFrom('items')
        .select(sql<string | null>`'[' || string_agg(item, ',' ${inOrder}) || ']'`.as('all'))
        .as('items'),
      rows
        .selectFrom('items')
        .select(
          sql<
            ItemKey[] | null
          >`json_agg(json_build_array(project_id, id, bytes, ${sql.ref(ORDER_VALUE)}) ${inOrder})`.as('all'),
        )
        .as('places'),
    ]);
}

/** Selects the slices, or groups of slices, that match these filters. */
function selectMatching(names: readonly Facet[], source: 'evaluated' | 'grouped' = 'evaluated') {
  return names.reduce((query, name) => query.where(`is_${name}`, '=', true), rows.selectFrom(source));
}

/**
 * Counts slices per value and filter result. Arrays are not grouped by, because their combinations form many groups.
 */
function groupsOf(filteredFacets: readonly Facet[]) {
  const columns = ['category', 'origin', 'status', ...filteredFacets.map((name) => `is_${name}`)];
  return rows
    .selectFrom('evaluated')
    .select(columns)
    .select(sql<number>`count(*)`.as('slices'))
    .groupBy(columns);
}

/** Selects the page, with each slice as JSON unless it is large. */
function itemsOf({ limit, offset, filteredFacets, order, cursor, shown }: ListOptions) {
  const { column } = order;
  const page = selectMatching(filteredFacets)
    .$if(cursor.length > 0, (rows) => rows.where(isAfter(sliceModels, order, cursor, 1, 'evaluated')))
    .select([...new Set(['project_id', 'id', column])])
    .orderBy(orderBy(sliceModels, order, '', 1))
    .limit(sql<number>`${limit}::bigint`)
    .offset(sql<number>`${offset}::bigint`);
  const bytes = shown.listColumns.includes('variations')
    ? sql<number>`octet_length(target.variations::text)`
    : sql<number>`0`;
  return rows
    .selectFrom(page.as('page'))
    .innerJoin('slice_models as target', (join) =>
      join.onRef('target.project_id', '=', 'page.project_id').onRef('target.id', '=', 'page.id'),
    )
    .select([`page.${column}`, 'page.id', 'page.project_id', bytes.as('bytes')])
    .select(orderValueSql(sliceModels, order, 'page'))
    .select(
      sql<string | null>`case when ${bytes} <= ${sql.lit(MAX_BATCHED_BYTES)}
        then (${shown.sqlListView('target')})::text end`.as('item'),
    );
}

/** Selects the counts of a facet's values among slices that match the other filters, as a JSON object. */
function facetOf(others: readonly Facet[], name: Facet) {
  const { column, isList } = FACETS[name];
  const values = isList
    ? selectMatching(others).select([sql`unnest(${sql.ref(column)})`.as('value'), sql`1`.as('slices')])
    : selectMatching(others, 'grouped')
        .where(column, '<>', '')
        .select([`${column} as value`, 'slices']);
  const counted = rows
    .selectFrom(values.as('found'))
    .select(['value', sql<number>`sum(slices)`.as('n')])
    .groupBy('value')
    .orderBy(sql`n desc, value`)
    .limit(sql.lit(MAX_VALUES));
  return rows
    .selectFrom(counted.as('counted'))
    .select(sql`coalesce(json_object_agg(value, n), '{}')`.as('facet'));
}

/** Returns the response: as one JSON text if its items are small, otherwise item by item. */
function toAnswer(
  db: ScopedDb,
  projectId: string,
  shown: Resource,
  { facets, items, places }: ListRow,
  counts: object,
): JsonText | LargeResponse {
  const others = [
    ...Object.entries(counts).map(([name, value]) => `"${name}":${JSON.stringify(value)}`),
    `"facets":${facets}`,
  ].join();
  if (!places?.some(([, , bytes]) => bytes > MAX_BATCHED_BYTES))
    return new JsonText(`{"results":${items ?? '[]'},${others}}`);
  const chunks = toChunks(
    places,
    ([, , bytes]) => bytes,
    (chunk) => readItems(db, projectId, shown, chunk),
  );
  return new LargeResponse(db.tenantId, chunks, JSON.parse(`{${others}}`));
}

/** Reads slices as list items; slices deleted meanwhile are omitted. */
async function readItems(
  db: ScopedDb,
  projectId: string,
  shown: Resource,
  places: readonly ItemKey[],
): Promise<string[]> {
  const ids = places.map(([, id]) => id);
  const found = await runCompiled<{ project_id: string; id: string; item: string }>(
    db,
    shown,
    'items of a page',
    [projectId, ids],
    (all, [project, wanted]) =>
      all
        .selectFrom('slice_models as target')
        .select(['target.project_id', 'target.id'])
        .select(sql<string>`(${shown.sqlListView('target')})::text`.as('item'))
        .where((eb) => eb.or([eb('target.project_id', '=', project), eb('target.shared', '=', true)]))
        .where(sql<SqlBool>`target.id = any(${wanted}::text[])`),
  );
  const texts = new Map(found.map(({ project_id, id, item }) => [`${project_id}#${id}`, item]));
  return places.flatMap(([project, id]) => texts.get(`${project}#${id}`) ?? []);
}
