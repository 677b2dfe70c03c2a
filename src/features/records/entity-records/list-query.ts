/** Parses the query of a list or of a single record. Issues name the parameter. */

import type { Issue } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import type { FilterCondition } from '../../../resources/filter-sql.ts';
import { limitConditions, searchWords } from '../../../resources/filters.ts';
import { type PageRequest, pageOf } from '../../../resources/paging.ts';
import { type EntityModel, type EntityModels, searchQuery } from '../entities/index.ts';
import { cut } from './conditions.ts';
import { type Include, readInclude } from './include.ts';
import { readFilter } from './related-conditions.ts';
import { filteredFields, type ShownField, shownFields } from './shown-fields.ts';

/** Maximum length of a search, which limits the size of its condition. */
const MAX_SEARCH = 1000;

/** Parts of a record to return. */
export interface Selection {
  /** Null for all fields. In the order of the definition. */
  readonly fields: readonly string[] | null;
  readonly include: readonly Include[];
}

/** A field to sort by. */
export interface OrderStep {
  readonly field: ShownField;
  readonly descends: boolean;
}

/** A list request. */
export interface ListQuery extends Selection, PageRequest {
  readonly conditions: readonly FilterCondition[];
  /** The search as a PostgreSQL `tsquery`. */
  readonly search: string | null;
  readonly order: readonly OrderStep[];
}

/** A query that the route has validated: page parameters are parsed, all others are texts or arrays of texts. */
export interface RecordQuery {
  readonly page?: number;
  readonly per_page?: number;
  readonly [name: string]: unknown;
}

/** List parameters that are not filters; no field may have such a name. */
const PARAMETERS: ReadonlySet<string> = new Set(['sort', 'fields', 'include', 'search']);

/** Parses the query of a list. @throws AppError INVALID_REQUEST naming each invalid parameter. */
export function readListQuery(models: EntityModels, model: EntityModel, query: RecordQuery): ListQuery {
  const issues: Issue[] = [];
  const { page, per_page, ...others } = query;
  const parameters = onceEach(others, issues);
  const fields = filteredFields(model);
  const filters = [...parameters].filter(([name]) => !PARAMETERS.has(name));
  limitConditions(Object.fromEntries(filters));
  const conditions = filters.flatMap(([key, value]) => {
    const read = readFilter(models, model, key, value);
    if (!('message' in read)) return [read];
    issues.push(read);
    return [];
  });
  const request = {
    conditions,
    ...selectionOf(models, model, parameters, issues),
    ...pageOf({ ...(page && { page }), ...(per_page && { limit: per_page }) }),
    order: readSort(fields, parameters.get('sort'), issues),
    search: readSearch(model, parameters.get('search'), issues),
  };
  if (issues.length > 0) throw invalidRequest(issues);
  return request;
}

/** Parses the query of a single record. @throws the errors of `readListQuery`. */
export function readSelection(models: EntityModels, model: EntityModel, query: RecordQuery): Selection {
  const issues: Issue[] = [];
  const parameters = onceEach({ fields: query.fields ?? '', include: query.include ?? '' }, issues);
  const selection = selectionOf(models, model, parameters, issues);
  if (issues.length > 0) throw invalidRequest(issues);
  return selection;
}

function selectionOf(
  models: EntityModels,
  model: EntityModel,
  parameters: ReadonlyMap<string, string>,
  issues: Issue[],
): Selection {
  const include = parameters.get('include') ?? '';
  return {
    fields: readFields(shownFields(model), parameters.get('fields'), issues),
    include: include === '' ? [] : readInclude(models, model, include, issues),
  };
}

function onceEach(query: object, issues: Issue[]): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    if (typeof value === 'string') parameters.set(name, value);
    else issues.push({ field: cut(name), message: 'must be given once' });
  }
  return parameters;
}

function readSort(
  fields: ReadonlyMap<string, ShownField>,
  text: string | undefined,
  issues: Issue[],
): readonly OrderStep[] {
  const steps = new Map<string, OrderStep>();
  for (const word of namesIn(text)) {
    const descends = word.startsWith('-');
    const name = descends ? word.slice(1) : word;
    const field = fields.get(name);
    if (!field) issues.push({ field: 'sort', message: `there is no field ${cut(name)}` });
    else if (field.type === 'json')
      issues.push({ field: 'sort', message: `${name} is a JSON field, which cannot be sorted` });
    // Sorting by the same field again has no effect.
    else if (!steps.has(name)) steps.set(name, { field, descends });
  }
  return [...steps.values()];
}

function readFields(
  fields: ReadonlyMap<string, ShownField>,
  text: string | undefined,
  issues: Issue[],
): readonly string[] | null {
  const selected = new Set(namesIn(text));
  if (selected.size === 0) return null;
  for (const name of selected)
    if (!fields.has(name)) issues.push({ field: 'fields', message: `there is no field ${cut(name)}` });
  return [...fields.keys()].filter((name) => name === 'id' || selected.has(name));
}

function namesIn(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}

/** Returns the `tsquery` of a search; null if there is none. */
function readSearch({ name, fields }: EntityModel, text: string | undefined, issues: Issue[]): string | null {
  if (text === undefined || searchWords(text).length === 0) return null;
  if (text.length > MAX_SEARCH)
    issues.push({ field: 'search', message: `must have at most ${MAX_SEARCH} characters` });
  if (![...fields.values()].some(({ searchable }) => searchable))
    issues.push({ field: 'search', message: `${name} has no searchable field` });
  return searchQuery(text);
}
