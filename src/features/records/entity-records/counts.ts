/** Counts records by the values of a field (docs/specification/records.md#counts). */
import { sql } from 'kysely';
import type { Issue } from '../../../errors/app-error.ts';
import { invalidRequest } from '../../../errors/platform-errors.ts';
import { JsonText } from '../../../http/json-text.ts';
import { runCompiled } from '../../../resources/compiled-statements.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import type { EntityModel } from '../entities/index.ts';
import { cut } from './conditions.ts';
import type { EntityContext } from './entity-context.ts';
import { type RecordQuery, readListQuery } from './list-query.ts';
import { seesRecords } from './permissions.ts';
import { findMatches, type Narrowing, narrowed, narrowingShape, valuesOf } from './read-queries.ts';
import { shownValue } from './row-json.ts';
import { ROWS, type ShownField, shownFields } from './shown-fields.ts';

/** Maximum number of values in a response. */
const MAX_VALUES = 1000;

interface CountsRequest extends RecordQuery {
  readonly by: string;
  readonly sum?: string;
}

/** The field to count by, and the field to add up. */
interface Counting {
  readonly by: ShownField;
  readonly sum: ShownField | null;
}

/** Counts records by the values of a field. @throws AppError INVALID_REQUEST naming each invalid parameter. */
export async function countRecords(ctx: EntityContext, query: CountsRequest): Promise<JsonText> {
  const { db, models, model } = ctx;
  const { by, sum, ...filters } = query;
  const counting = readCounting(model, by, sum);
  const list = readListQuery(models, model, filters);
  const found = list.search === null || !seesRecords(ctx) ? null : await findMatches(db, model, list.search);
  const rows = seesRecords(ctx)
    ? await readCounts(db, model, counting, found === null ? list : { ...list, found })
    : [];
  const results = rows.map(({ json }) => json).join(',');
  const added = counting.sum === null ? '' : `,"sum":${rows[0]?.sum ?? 0}`;
  return new JsonText(`{"results":[${results}],"total":${rows[0]?.total ?? 0}${added}}`);
}

/** A value and its count as JSON, with the sums over all values in each row. */
interface CountRow {
  readonly json: string;
  readonly total: string;
  readonly sum: string;
}

function readCounts(
  db: ScopedDb,
  model: EntityModel,
  { by, sum }: Counting,
  narrowing: Narrowing,
): Promise<CountRow[]> {
  const shape = JSON.stringify(['counts', by.name, sum?.name ?? null, narrowingShape(narrowing)]);
  return runCompiled<CountRow>(db, model, shape, valuesOf(narrowing), (query, slots) => {
    const value = sql`${sql.ref(`${ROWS}.${by.column}`)}`;
    const added = sum === null ? sql`0` : sql`coalesce(sum(${sql.ref(`${ROWS}.${sum.column}`)}), 0)`;
    const groups = narrowed(query.selectFrom(`${model.table} as ${ROWS}`), narrowing, slots)
      .select([value.as('value'), sql`count(*)`.as('count'), added.as('sum')])
      .groupBy(value);
    const shown = shownValue('counted.value', by.type === 'time');
    const sums = sum === null ? sql`` : sql`, 'sum', counted.sum`;
    return query
      .selectFrom(groups.as('counted'))
      .select([
        sql`json_build_object('value', ${shown}, 'count', counted.count${sums})::text`.as('json'),
        sql`(sum(counted.count) over ())::text`.as('total'),
        sql`(sum(counted.sum) over ())::text`.as('sum'),
      ])
      .orderBy(sql`counted.count desc, counted.value`)
      .limit(MAX_VALUES);
  });
}

function readCounting(model: EntityModel, by: string, sum: string | undefined): Counting {
  const fields = shownFields(model);
  const [counted, added] = [fields.get(by), sum === undefined ? null : (fields.get(sum) ?? undefined)];
  const issues: Issue[] = [];
  const isLong = counted?.type === 'json' || model.fields.get(by)?.type === 'text';
  if (!counted) issues.push({ field: 'by', message: `there is no field ${cut(by)}` });
  else if (isLong) issues.push({ field: 'by', message: `${by} has long values, which cannot be counted` });
  if (added === undefined) issues.push({ field: 'sum', message: `there is no field ${cut(sum ?? '')}` });
  else if (added && added.type !== 'number' && added.type !== 'integer')
    issues.push({ field: 'sum', message: `${added.name} must be a number field` });
  if (!counted || added === undefined || issues.length > 0) throw invalidRequest(issues);
  return { by: counted, sum: added };
}
