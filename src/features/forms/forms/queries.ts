import { expressionBuilder, type SqlBool, sql } from 'kysely';
import { NIL } from 'uuid';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import type { Gathered, TenantCondition } from '../../../db/gathered-rows.ts';
import type { Tables } from '../../../db/tables.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { KnownTenants } from '../../../tenancy/known-tenants.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { tenantRow } from '../../../tenancy/tenant-row.ts';
import { signalQueue } from '../../contacts/api.ts';
import type { FormRow } from './resource.ts';
import type { FormDefinition } from './rules/definition.ts';

/** Exact numbers of submissions and embed views of a form. */
export interface FormCounts {
  readonly submissions: number;
  readonly views: number;
}

/** Totals for lists of submissions: exact, at the same cost for ten or a million. */
export const SUBMISSION_TOTALS = {
  table: 'form_counts',
  column: 'submissions',
  by: ['form_code', 'business_unit'],
} as const;

/** Rows over which the counts of one form are spread, so that concurrent submissions rarely lock the same row. */
const SLOTS = 16;
/** Forms per query. */
const FORMS_PER_PAGE = 1000;

/** Returns the counts of each form that has any. */
export async function sumCounts(db: ScopedDb, codes: readonly string[]): Promise<Map<string, FormCounts>> {
  if (codes.length === 0) return new Map();
  const rows = await db.query
    .selectFrom('form_counts')
    .select([
      'form_code',
      sql<number>`sum(submissions)::bigint`.as('submissions'),
      sql<number>`sum(views)::bigint`.as('views'),
    ])
    .where('form_code', '=', sql<string>`any(${codes})`)
    .groupBy('form_code')
    .execute();
  return new Map(rows.map(({ form_code, ...counts }) => [form_code, counts]));
}

/** Returns the SQL that counts one submission or embed view; usable as a statement or in a CTE. */
export function countUp(tenantId: string, form: FormIdentity, column: keyof FormCounts) {
  const slot = Math.floor(Math.random() * SLOTS);
  const [submissions, views] = column === 'submissions' ? [1, 0] : [0, 1];
  return sql`insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
    values (${tenantId}, ${form.code}, ${slot}, ${form.owner_bu_id}, ${submissions}, ${views})
    on conflict (tenant_id, form_code, slot) do update set
      submissions = form_counts.submissions + excluded.submissions, views = form_counts.views + excluded.views`;
}

/** Subtracts deleted submissions from the counts of their forms. A form is listed once per deleted submission. */
export async function countDown(tx: ScopedDb, forms: readonly FormIdentity[]): Promise<void> {
  if (forms.length === 0) return;
  const owners = new Map(forms.map(({ code, owner_bu_id }) => [code, owner_bu_id]));
  const changes = [...owners].map(([form_code, owner_bu_id]) => {
    const submissions = -forms.filter(({ code }) => code === form_code).length;
    return { form_code, owner_bu_id, submissions };
  });
  // A fixed order avoids deadlocks.
  await tx.raw(
    (tenantId) => sql`insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
    select tenant_row.tenant_id, form_code, 0, owner_bu_id, submissions, 0
    from json_to_recordset(${JSON.stringify(changes)}::json) as changes (form_code text, owner_bu_id uuid, submissions bigint)
    cross join ${tenantRow(tenantId)}
    order by form_code
    on conflict (tenant_id, form_code, slot) do update set
      submissions = form_counts.submissions + excluded.submissions`,
  );
}

/** Retention period of a form's submissions. */
export interface FormRetention {
  readonly tenant_id: string;
  readonly code: string;
  readonly retention_days: number;
}

/**
 * Yields the forms of all tenants that have a retention period. For a deleted form its last setting applies. @throws
 * at the end if some tenants could not be read.
 */
export async function* formsWithRetention(all: EveryTenantDb): AsyncGenerator<FormRetention> {
  let last: FormOfTenant | undefined = { tenant_id: NIL, code: '' };
  let failure: unknown;
  while (last !== undefined) {
    const page: Gathered<FormRetention> = await all.gather(formsAfter(last));
    failure ??= page.failure;
    const rows = page.rows.toSorted(byTenantAndCode).slice(0, FORMS_PER_PAGE);
    yield* rows;
    last = rows.at(-1);
  }
  if (failure !== undefined) throw failure;
}

type FormOfTenant = Pick<FormRetention, 'tenant_id' | 'code'>;

function byTenantAndCode(a: FormOfTenant, b: FormOfTenant): number {
  const [one, other] = a.tenant_id === b.tenant_id ? [a.code, b.code] : [a.tenant_id, b.tenant_id];
  return one < other ? -1 : 1;
}

/** Condition for the next forms, in byte order of their codes, so that all databases sort them alike. */
function formsAfter(last: FormOfTenant) {
  return (inTenants: TenantCondition) => sql<FormRetention>`
    select tenant_id, code, retention_days from (
      select tenant_id, code, retention_days from forms where retention_days is not null and ${inTenants('tenant_id')}
      union all
      select tenant_id, sort_key, (data->>'retention_days')::int from record_history
      where entity_type = 'form' and deleted and data->>'retention_days' is not null and ${inTenants('tenant_id')}
    ) retention
    where (tenant_id, code collate "C") > (${last.tenant_id}::uuid, ${last.code})
    order by tenant_id, code collate "C" limit ${FORMS_PER_PAGE}`;
}

/** Identifies a form and its owner. */
export interface FormIdentity {
  readonly code: string;
  readonly owner_bu_id: string;
}

/** Data of a form for accepting a submission. The definition is read separately, because it is cached by version. */
export type FormForSubmission = Pick<
  FormRow,
  'code' | 'owner_bu_id' | 'name' | 'version' | 'active' | 'notify' | 'subscriber_mapping'
> & {
  /** True if submissions start an active journey or end a wait in one. */
  readonly affects_journeys: boolean;
  /** Journeys in the form's actions. */
  readonly journey_ids: readonly string[] | null;
};

const FOR_SUBMISSION = [
  'forms.code',
  'forms.owner_bu_id',
  'forms.name',
  'forms.version',
  'forms.active',
  'forms.notify',
  'forms.subscriber_mapping',
] as const;

/** Columns about journeys that depend on the form's submissions. */
const JOURNEYS_OF_FORM = [
  sql<boolean>`${signalQueue.isAnyWatched(['form_submission', 'form_awaited'], sql.ref('forms.code'))}`.as(
    'affects_journeys',
  ),
  expressionBuilder<Tables, never>()
    .selectFrom((eb) =>
      eb.fn<{ action: unknown }>('json_array_elements', [sql.ref('forms.post_submit_actions')]).as('action'),
    )
    .select(sql<string[] | null>`array_agg(action ->> 'journey_id')`.as('ids'))
    .where(sql<SqlBool>`action ->> 'type' = 'trigger_journey'`)
    .as('journey_ids'),
] as const;

/** Returns a form without its definition; null if the scope reaches none with this code. */
export async function findFormByCode(db: ScopedDb, code: string): Promise<FormForSubmission | null> {
  const form = db.query
    .selectFrom('forms')
    .select([...FOR_SUBMISSION, ...JOURNEYS_OF_FORM])
    .where('forms.code', '=', code);
  return (await form.executeTakeFirst()) ?? null;
}

/** Returns the names of forms in the scope, by their codes. */
export async function formNames(
  db: ScopedDb,
  codes: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await db.query
    .selectFrom('forms')
    .select(['code', 'name'])
    .where('code', '=', sql<string>`any(${codes}::text[])`)
    .execute();
  return new Map(rows.map(({ code, name }) => [code, name]));
}

/** Returns which of these codes are forms in the scope, and locks them against deletion until the transaction ends. */
export async function lockForms(tx: ScopedDb, codes: readonly string[]): Promise<string[]> {
  const found = tx.query
    .selectFrom('forms')
    .select('code')
    .where('code', '=', sql<string>`any(${codes}::text[])`)
    .orderBy('code')
    .forKeyShare();
  return (await found.execute()).map(({ code }) => code);
}

/** Returns the definition of the version in `form`. It reads the history, because the form may have changed since. */
export async function getDefinition(db: ScopedDb, form: FormForSubmission): Promise<FormDefinition> {
  const row = await db.query
    .selectFrom('record_history')
    .select(sql<FormDefinition>`data->'formBuilderOptions'`.as('definition'))
    .where('entity_type', '=', 'form')
    .where('sort_key', '=', form.code)
    .where('version', '=', form.version)
    .where('deleted', '=', false)
    .executeTakeFirstOrThrow();
  return row.definition;
}

/** Tenants of embedded forms by public code, which is all that a visitor's request contains. */
export const tenantsOfForms = oncePerPlatform(
  ({ database }) =>
    new KnownTenants((publicCode) =>
      database.everyTenant('form-tenant').gather(
        (inTenants) => sql<{ tenant_id: string }>`
          select f.tenant_id from forms f
          where f.public_code = ${publicCode} and ${inTenants('f.tenant_id')} limit 1`,
      ),
    ),
);

/** Data of a form for a visitor's submission. */
export type EmbeddedForm = FormForSubmission &
  Pick<FormRow, 'allowed_origins' | 'post_submit_actions' | 'challenge'>;

/** Additional data for the page of a form; its definition may have megabytes. */
export type FormOfPage = EmbeddedForm &
  Pick<FormRow, 'public_code' | 'formBuilderOptions' | 'theme_code' | 'email_question'>;

/** Returns an active form by its public code, or null. */
export async function findEmbeddedForm(db: ScopedDb, publicCode: string): Promise<EmbeddedForm | null> {
  return (await activeForm(db, publicCode).executeTakeFirst()) ?? null;
}

/** Returns an active form by its public code with the data of its page, or null. */
export async function findFormOfPage(db: ScopedDb, publicCode: string): Promise<FormOfPage | null> {
  const form = activeForm(db, publicCode).select([
    'forms.public_code',
    'forms.formBuilderOptions',
    'forms.theme_code',
    'forms.email_question',
  ]);
  return (await form.executeTakeFirst()) ?? null;
}

/**
 * `db` reaches the whole tenant, so this excludes forms of archived units
 * (docs/specification/tenants.md#business-units).
 */
function activeForm(db: ScopedDb, publicCode: string) {
  return db.query
    .selectFrom('forms')
    .innerJoin('business_units', 'business_units.bu_id', 'forms.owner_bu_id')
    .select([
      ...FOR_SUBMISSION,
      ...JOURNEYS_OF_FORM,
      ...(['forms.allowed_origins', 'forms.post_submit_actions', 'forms.challenge'] as const),
    ])
    .where('forms.public_code', '=', publicCode)
    .where('forms.active', '=', true)
    .where('business_units.archived_at', 'is', null);
}
