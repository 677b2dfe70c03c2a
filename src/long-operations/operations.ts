/** The table of long operations. */
import { sql } from 'kysely';
import Type, { type Static } from 'typebox';
import { NOT_FOUND } from '../errors/platform-errors.ts';
import { defineRetention } from '../jobs/retention.ts';
import type { RowOf, TableOf } from '../resources/field-types.ts';
import { boolean, hidden, id, integer, json, text, time, uuid } from '../resources/fields.ts';
import { ofColumn } from '../resources/filter-sql.ts';
import { uuidKey } from '../resources/keys.ts';
import { defineResource } from '../resources/resource.ts';

/** Most problems that an operation stores. */
export const MAX_PROBLEMS = 1000;
/** How long operations are kept after they were started, in days. */
export const KEPT_DAYS = 30;

/** Status of an operation. */
export const OperationStatus = Type.Enum(['queued', 'running', 'completed', 'failed', 'cancelled']);
/** Status of an operation. */
export type OperationStatus = Static<typeof OperationStatus>;

/** Statuses of operations that have not ended. */
export const UNFINISHED: readonly OperationStatus[] = ['queued', 'running'];

/** Numbers of results by name. */
export const OperationCounts = Type.Record(Type.String(), Type.Integer(), {
  description: 'Results by name, such as `created`, `updated` and `failed`.',
});
/** Numbers of results by name. */
export type OperationCounts = Readonly<Static<typeof OperationCounts>>;

/** An item that was not processed, and why. */
export const OperationProblem = Type.Object(
  {
    line: Type.Optional(Type.Integer({ description: 'First line of the row in an imported file.' })),
    column: Type.Optional(Type.String({ description: 'Column or field at fault.' })),
    key: Type.Optional(Type.String({ description: 'Key of the record.' })),
    message: Type.String(),
  },
  { title: 'OperationProblem' },
);
/** An item that was not processed, and why. */
export type OperationProblem = Static<typeof OperationProblem>;

const Moment = Type.String({ format: 'date-time' });
const internal = { writes: 'platform', listed: false } as const;

const fields = {
  id,
  kind: text(Type.String({ description: 'What it does, such as `subscriber_import`.' }), {
    writes: 'platform',
    filter: true,
  }),
  title: text(Type.String({ description: 'Name of what it works on, such as a list, or of its action.' }), {
    writes: 'platform',
    nullable: true,
  }),
  status: text(OperationStatus, { writes: 'platform', filter: true }),
  done: integer(Type.Integer({ description: 'Processed items.' }), { writes: 'platform' }),
  total: integer(Type.Integer({ description: 'All items; null if unknown.' }), {
    writes: 'platform',
    nullable: true,
  }),
  error: text(Type.String({ description: 'Why it failed.' }), { writes: 'platform', nullable: true }),
  created_at: time(Moment, { writes: 'platform', filter: true }),
  finished_at: time(Moment, { writes: 'platform', nullable: true }),
  reverts: uuid(Type.String({ description: 'Id of the operation that it reverts.' }), {
    writes: 'platform',
    nullable: true,
  }),
  reverted_by: uuid(Type.String({ description: 'Id of the operation that reverts it.' }), {
    writes: 'platform',
    nullable: true,
  }),
  counts: json(OperationCounts, { ...internal, declared: true }),
  problems: json(Type.Array(OperationProblem, { description: `The first ${MAX_PROBLEMS}.` }), {
    ...internal,
    declared: true,
  }),
  params: hidden(json(Type.Unknown(), internal)),
  /** Start of the next part. */
  state: hidden(json(Type.Unknown(), internal)),
  /** The unit in which its starter acts; null: the whole tenant. */
  unit_id: hidden(uuid(Type.String(), { ...internal, nullable: true })),
  membership_id: hidden(uuid(Type.String(), internal)),
  active_unit_id: hidden(uuid(Type.String(), { ...internal, nullable: true })),
  /** Number of the job that may do parts. */
  turn: hidden(integer(Type.Integer(), internal)),
  /** Number of broken runs. */
  faults: hidden(integer(Type.Integer(), internal)),
  /** True if its changes are stored, so that it can be reverted. */
  has_changes: hidden(boolean(Type.Boolean(), internal)),
};

declare module '../db/tables.ts' {
  interface Tables {
    operations: TableOf<typeof fields>;
  }
}

/** A row of `operations`. */
export type OperationRow = RowOf<typeof fields>;

/** Long operations. They belong to the member who started them (docs/specification/operations.md#operation). */
export const operations = defineResource({
  title: 'Operation',
  table: 'operations',
  key: uuidKey('id'),
  notFound: NOT_FOUND,
  fields,
  filters: { started_by: { type: 'id', sql: ofColumn('membership_id') } },
});

/** Retention of finished operations. */
export const operationRetention = defineRetention({
  description: 'finished operations',
  keptHours: KEPT_DAYS * 24,
  table: 'operations',
  isOld: (before) => sql`r.created_at < ${before} and r.finished_at is not null`,
  byTenant: true,
});

/** True if an operation has not ended. */
export function isUnfinished({ status }: Pick<OperationRow, 'status'>): boolean {
  return UNFINISHED.includes(status);
}
