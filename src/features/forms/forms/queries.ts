import { expressionBuilder, type SqlBool, sql } from 'kysely';
import { NIL } from 'uuid';
import type { Gathered, IsAskedFor } from '../../../db/every-node.ts';
import type { EveryTenantDb } from '../../../db/every-tenant.ts';
import type { Tables } from '../../../db/tables.ts';
import { oncePerPlatform } from '../../../platform.ts';
import { KnownTenants } from '../../../tenancy/known-tenants.ts';
import type { ScopedDb } from '../../../tenancy/scoped-db.ts';
import { homeIn } from '../../../tenancy/tenant-home.ts';
import { signalQueue } from '../../contacts/api.ts';
import type { FormRow } from './resource.ts';
import type { FormDefinition } from './rules/definition.ts';

/** Submissions and embed views of a form, exact. */
export interface FormCounts {
  readonly submissions: number;
  readonly views: number;
}

/** How lists of submissions are counted: exactly, and at the same cost for a million as for ten. */
export const SUBMISSION_TOTALS = {
  table: 'form_counts',
  column: 'submissions',
  by: ['form_code', 'business_unit'],
} as const;

/** How many rows the counts of one form are spread over. */
const SLOTS = 16;
/** Forms that one statement looks for. */
const FORMS_AT_ONCE = 1000;

/** The counts of each form that has any. */
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

/** What counts one submission or embed view; usable as a statement or as the body of a CTE. */
export function countUp(tenantId: string, form: FormIdentity, column: keyof FormCounts) {
  const slot = Math.floor(Math.random() * SLOTS);
  const [submissions, views] = column === 'submissions' ? [1, 0] : [0, 1];
  return sql`insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
    values (${tenantId}, ${form.code}, ${slot}, ${form.owner_bu_id}, ${submissions}, ${views})
    on conflict (tenant_id, form_code, slot) do update set
      submissions = form_counts.submissions + excluded.submissions, views = form_counts.views + excluded.views`;
}

/** Takes submissions that are gone from the counts of their forms: each form is named as often as it lost one. */
export async function countDown(tx: ScopedDb, forms: readonly FormIdentity[]): Promise<void> {
  if (forms.length === 0) return;
  const owners = new Map(forms.map(({ code, owner_bu_id }) => [code, owner_bu_id]));
  const lost = [...owners].map(([form_code, owner_bu_id]) => {
    const submissions = -forms.filter(({ code }) => code === form_code).length;
    return { form_code, owner_bu_id, submissions };
  });
  // In one order, so that two of them never wait for each other.
  await tx.raw(
    (tenantId) => sql`insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
    select home.tenant_id, form_code, 0, owner_bu_id, submissions, 0
    from json_to_recordset(${JSON.stringify(lost)}::json) as lost (form_code text, owner_bu_id uuid, submissions bigint)
    cross join ${homeIn(tenantId)}
    order by form_code
    on conflict (tenant_id, form_code, slot) do update set
      submissions = form_counts.submissions + excluded.submissions`,
  );
}

/** How long the submissions of a form are kept. */
export interface FormRetention {
  readonly tenant_id: string;
  readonly code: string;
  readonly retention_days: number;
}

/**
 * Forms that do not keep their submissions for ever, in all tenants; of a deleted one what it said last still holds.
 * @throws at the end, when those of some tenants could not be read.
 */
export async function* formsWithRetention(all: EveryTenantDb): AsyncGenerator<FormRetention> {
  let last: FormOfTenant | undefined = { tenant_id: NIL, code: '' };
  let failure: unknown;
  while (last !== undefined) {
    const page: Gathered<FormRetention> = await all.gather(keptAfter(last));
    failure ??= page.failure;
    const rows = page.rows.toSorted(byTenantAndCode).slice(0, FORMS_AT_ONCE);
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

/** The next forms, in the order of the bytes of their codes: whoever puts parts together has the same. */
function keptAfter(last: FormOfTenant) {
  return (isAskedFor: IsAskedFor) => sql<FormRetention>`
    select tenant_id, code, retention_days from (
      select tenant_id, code, retention_days from forms where retention_days is not null and ${isAskedFor('tenant_id')}
      union all
      select tenant_id, sort_key, (data->>'retention_days')::int from record_history
      where entity_type = 'form' and deleted and data->>'retention_days' is not null and ${isAskedFor('tenant_id')}
    ) kept
    where (tenant_id, code collate "C") > (${last.tenant_id}::uuid, ${last.code})
    order by tenant_id, code collate "C" limit ${FORMS_AT_ONCE}`;
}

/** What names a form and its owner. */
export interface FormIdentity {
  readonly code: string;
  readonly owner_bu_id: string;
}

/** What accepting a submission needs of a form; the definition is read apart, since it is cached by version. */
export type FormForSubmission = Pick<
  FormRow,
  'code' | 'owner_bu_id' | 'name' | 'version' | 'active' | 'notify' | 'subscriber_mapping'
> & {
  /** Whether a journey is set off by its submissions, or may wait for one. */
  readonly is_heard: boolean;
  /** The journeys that its actions name. */
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

/** What journeys have to do with its submissions. */
const JOURNEYS_OF_FORM = [
  sql<boolean>`${signalQueue.watchedAs(['form_submission', 'form_awaited'], sql.ref('forms.code'))}`.as(
    'is_heard',
  ),
  expressionBuilder<Tables, never>()
    .selectFrom((eb) =>
      eb.fn<{ action: unknown }>('json_array_elements', [sql.ref('forms.post_submit_actions')]).as('action'),
    )
    .select(sql<string[] | null>`array_agg(action ->> 'journey_id')`.as('ids'))
    .where(sql<SqlBool>`action ->> 'type' = 'trigger_journey'`)
    .as('journey_ids'),
] as const;

/** The form by its code, without its definition; null when there is none to see. */
export async function findFormByCode(db: ScopedDb, code: string): Promise<FormForSubmission | null> {
  const form = db.query
    .selectFrom('forms')
    .select([...FOR_SUBMISSION, ...JOURNEYS_OF_FORM])
    .where('forms.code', '=', code);
  return (await form.executeTakeFirst()) ?? null;
}

/** Those of these codes that are codes of forms which the scope sees. They stay until the transaction ends. */
export async function holdForms(tx: ScopedDb, codes: readonly string[]): Promise<string[]> {
  const found = tx.query
    .selectFrom('forms')
    .select('code')
    .where('code', '=', sql<string>`any(${codes}::text[])`)
    .orderBy('code')
    .forKeyShare();
  return (await found.execute()).map(({ code }) => code);
}

/** The definition of the version that `form` was read at: from history, as the form may have changed meanwhile. */
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

/** The tenants of embedded forms, by public code: all that a visitor's request starts with. */
export const tenantsOfForms = oncePerPlatform(
  ({ database }) =>
    new KnownTenants((publicCode) =>
      database.everyTenant('form-tenant').gather(
        (isAskedFor) => sql<{ tenant_id: string }>`
          select f.tenant_id from forms f
          where f.public_code = ${publicCode} and ${isAskedFor('f.tenant_id')} limit 1`,
      ),
    ),
);

/** What a visitor's submission needs of a form. */
export type EmbeddedForm = FormForSubmission &
  Pick<FormRow, 'allowed_origins' | 'post_submit_actions' | 'challenge'>;

/** What the page of a form needs besides: its definition may have megabytes. */
export type FormOfPage = EmbeddedForm &
  Pick<FormRow, 'public_code' | 'formBuilderOptions' | 'theme_code' | 'email_question'>;

/** An active form by its public code; null when there is none. */
export async function findEmbeddedForm(db: ScopedDb, publicCode: string): Promise<EmbeddedForm | null> {
  return (await activeForm(db, publicCode).executeTakeFirst()) ?? null;
}

/** An active form by its public code, with all that its page needs; null when there is none. */
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
 * `db` reaches the whole tenant: records of archived units, gone from reads
 * (docs/specification/tenants.md#business-units), are left out here.
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
