import { type Expression, type SqlBool, sql } from 'kysely';
import type { Static } from 'typebox';
import { compileFilters, type FilterDefinition, FORM_OPERATIONS } from '../../resources/filters.ts';
import { type ListPage, offsetOf, type PageRequest, toListPage, totalOf } from '../../resources/paging.ts';
import { uuidKeys } from '../../resources/records.ts';
import { type JsonColumn, OWNER_FILTER } from '../../resources/resource.ts';
import type { ScopedDb } from '../../tenancy/scoped-db.ts';
import { countUp, type FormForSubmission } from '../forms/index.ts';
import { insertDeliveries } from '../webhooks/index.ts';
import type { Submission } from './schema.ts';

/** A submission as it is read everywhere. */
export type SubmissionRecord = Static<typeof Submission>;

interface SubmissionTable extends Omit<SubmissionRecord, 'form_data' | 'events' | 'submission_date'> {
  tenant_id: string;
  owner_bu_id: string;
  form_data: JsonColumn<SubmissionRecord['form_data']>;
  events: JsonColumn<SubmissionRecord['events']>;
}

declare module '../../db/tables.ts' {
  interface Tables {
    form_submissions: SubmissionTable;
  }
}

const COLUMNS = [
  'id',
  'version',
  'created_at',
  'updated_at',
  'form_code',
  'form_name',
  'email_address',
  'created_at as submission_date',
  'form_data',
  'subscriber_created',
  'journey_triggered',
  'ip_address',
  'user_agent',
  'events',
] as const;

const FILTERS: FilterDefinition = {
  fields: {
    form_code: { type: 'text' },
    email_address: { type: 'text' },
    created_at: { type: 'time' },
    ...OWNER_FILTER,
  },
  operations: FORM_OPERATIONS,
};

/**
 * Stores an accepted submission with its history, its count and a delivery for every webhook of the form, in one
 * statement and so in one round trip.
 */
export async function insertSubmission(
  db: ScopedDb,
  form: FormForSubmission,
  record: SubmissionRecord,
): Promise<void> {
  await db.raw(
    (tenantId) => sql`
    with submission as (
      insert into form_submissions (tenant_id, id, form_code, form_name, owner_bu_id, version, created_at,
        email_address, form_data, subscriber_created, journey_triggered, ip_address, user_agent, events)
      values (${tenantId}, ${record.id}, ${form.code}, ${form.name}, ${form.owner_bu_id}, ${record.version},
        ${record.created_at}, ${record.email_address}, ${JSON.stringify(record.form_data)},
        ${record.subscriber_created}, ${record.journey_triggered}, ${record.ip_address}, ${record.user_agent},
        ${JSON.stringify(record.events)})
    ), history as (
      insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data)
      values (${tenantId}, 'form_submission', ${record.id}, ${record.version}, false, ${form.owner_bu_id},
        ${record.created_at}, ${JSON.stringify(record)})
    ), counted as (
      ${countUp(tenantId, form, 'submissions')}
    ), deliveries as (
      ${insertDeliveries({ tenantId, formCode: form.code, submissionId: record.id, now: record.created_at })}
    )
    select 1`,
  );
}

/** The submission, or null when there is none to see. */
export async function findSubmission(db: ScopedDb, id: string): Promise<SubmissionRecord | null> {
  if (!uuidKeys.isKey(id)) return null;
  const row = await db.query
    .selectFrom('form_submissions')
    .select(COLUMNS)
    .where('id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

/** What a list of submissions is asked for. */
export interface SubmissionListRequest extends PageRequest {
  readonly filters: Readonly<Record<string, unknown>>;
}

/** One page of submissions, newest first. */
export async function listSubmissions(
  db: ScopedDb,
  request: SubmissionListRequest,
): Promise<ListPage<SubmissionRecord>> {
  const conditions = compileFilters(FILTERS, request.filters);
  const all = db.query.selectFrom('form_submissions').select(COLUMNS);
  const results = await conditions
    .reduce((query, condition) => query.where(condition), all)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(request.limit)
    .offset(offsetOf(request))
    .execute();
  const total = await totalOf(request, results.length, () =>
    countSubmissions(db, request.filters, conditions),
  );
  return toListPage(results, total, request);
}

/** Counted from the rows, unless the filters are ones that the forms' own counts answer at no cost. */
async function countSubmissions(
  db: ScopedDb,
  filters: Readonly<Record<string, unknown>>,
  conditions: readonly Expression<SqlBool>[],
): Promise<number> {
  const isCounted = Object.keys(filters).every((name) => name === 'form_code' || name === 'business_unit');
  const total = isCounted ? sql<number>`coalesce(sum(submissions), 0)::bigint` : sql<number>`count(*)`;
  const all = db.query.selectFrom(isCounted ? 'form_counts' : 'form_submissions').select(total.as('total'));
  const counted = await conditions
    .reduce((query, condition) => query.where(condition), all)
    .executeTakeFirstOrThrow();
  return counted.total;
}
