import { type RawBuilder, type SqlBool, sql } from 'kysely';
import { firstIdOf } from '../../db/time-ordered-id.ts';
import {
  conditionSql,
  FILTER_OPERATIONS,
  type FilterCondition,
  ofColumn,
} from '../../resources/filter-sql.ts';
import { type FilterDefinition, readFilters } from '../../resources/filters.ts';
import { DELIVERY_KINDS } from '../../work-queue/delivery-source.ts';

const STATUSES = ['pending', 'success', 'failed'];

/**
 * Filters of deliveries. Their SQL is over `k` (the kind), `w` (the webhook), `g` (a range of deliveries with the same
 * outcome) and `d` (a delivery).
 */
export const DELIVERY_FILTERS: FilterDefinition = {
  fields: {
    status: { type: 'text', values: STATUSES, sql: ofColumn('g.state') },
    kind: { type: 'text', values: DELIVERY_KINDS, sql: ofColumn('k.kind') },
    webhook_id: { type: 'id', sql: ofColumn('w.id') },
    status_code: {
      type: 'integer',
      sql: (compare) => compare(sql`g.code::double precision`),
    },
    created_at: { type: 'time', sql: ofColumn('d.created_at') },
    id: { type: 'id', sql: ofColumn('d.id') },
  },
  operations: FILTER_OPERATIONS,
};

/** Checked filters of deliveries, by the rows that they limit. */
export interface DeliveryConditions {
  readonly ofKind: readonly RawBuilder<SqlBool>[];
  readonly ofWebhook: readonly RawBuilder<SqlBool>[];
  readonly ofOutcome: readonly RawBuilder<SqlBool>[];
  readonly ofDelivery: readonly RawBuilder<SqlBool>[];
  /** The only webhooks that can match; null: any. */
  readonly webhookIds: readonly string[] | null;
}

/** Reads filters. @throws AppError INVALID_REQUEST for unknown fields and operations, and for invalid values. */
export function readDeliveryFilters(filters: Readonly<Record<string, unknown>>): DeliveryConditions {
  const conditions = readFilters(DELIVERY_FILTERS, filters);
  const of = (...names: readonly string[]) =>
    conditions
      .filter(({ name }) => names.includes(name))
      .map((condition) => sql<SqlBool>`${conditionSql(condition, condition.operands)}`);
  return {
    ofKind: of('kind'),
    ofWebhook: of('webhook_id'),
    ofOutcome: of('status', 'status_code'),
    ofDelivery: conditions.filter(({ name }) => name === 'id' || name === 'created_at').flatMap(ofDelivery),
    webhookIds: conditions.flatMap(namedWebhooks).at(0) ?? null,
  };
}

/** Returns the ids in a condition that only these webhooks meet. */
function namedWebhooks({ name, operation, operands }: FilterCondition): (readonly string[])[] {
  if (name !== 'webhook_id' || (operation !== 'eq' && operation !== 'in')) return [];
  return [operands.flat().map(String)];
}

/**
 * Returns the conditions on a delivery. Ranges of times become ranges of ids, which begin with the time in ms: the
 * indexes have ids.
 */
function ofDelivery(condition: FilterCondition): RawBuilder<SqlBool>[] {
  const range = condition.name === 'created_at' ? idRange(condition) : null;
  if (range === null) return [sql<SqlBool>`${conditionSql(condition, condition.operands)}`];
  const { from, before } = range;
  return [
    ...(from === undefined ? [] : [sql<SqlBool>`d.id >= ${from}::uuid`]),
    ...(before === undefined ? [] : [sql<SqlBool>`d.id < ${before}::uuid`]),
  ];
}

/** Returns the ids of a range of times; null for another operation. */
function idRange({ operation, operands }: FilterCondition): { from?: string; before?: string } | null {
  const [first = 0, last = first] = operands.map((operand) => Date.parse(String(operand)));
  switch (operation) {
    case 'eq':
    case 'between':
      return { from: idAt(first), before: idAt(last + 1) };
    case 'gt':
      return { from: idAt(first + 1) };
    case 'gte':
      return { from: idAt(first) };
    case 'lt':
      return { before: idAt(first) };
    case 'lte':
      return { before: idAt(first + 1) };
    default:
      return null;
  }
}

/** Returns the first id of a time in ms. No delivery is older than 1970, the first time of ids. */
function idAt(ms: number): string {
  return firstIdOf(new Date(Math.max(0, ms)));
}
