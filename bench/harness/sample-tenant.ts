/** Tenants for benchmarks, created through the API and then filled by SQL. */
import type pg from 'pg';
import { createClient } from '../../test/harness/client.ts';
import type { BenchDatabase } from './bench-database.ts';
import { startTessera } from './children.ts';

/** A tenant with forms of six questions. */
export interface SampleTenant {
  readonly code: string;
  readonly tenantId: string;
  readonly unitId: string;
  readonly apiKey: string;
  readonly formCodes: readonly string[];
  /** Webhook of the first form; null if none was requested. */
  readonly webhookId: string | null;
}

/** Contents of a tenant to create. */
export interface SampleTenantRequest {
  readonly forms: number;
  readonly webhookUrl?: string;
}

const sixQuestions = {
  title: 'Tell us about your visit',
  pages: [
    {
      name: 'you',
      elements: [
        { type: 'text', name: 'full_name', title: 'Your name', isRequired: true, maxLength: 100 },
        { type: 'text', name: 'email', title: 'Your email', inputType: 'email', isRequired: true },
        { type: 'dropdown', name: 'country', title: 'Country', choices: ['de', 'fr', 'nl', 'ch', 'at'] },
      ],
    },
    {
      name: 'visit',
      elements: [
        { type: 'rating', name: 'rating', title: 'How was it?', rateMin: 1, rateMax: 5, isRequired: true },
        { type: 'checkbox', name: 'topics', title: 'What about?', choices: ['price', 'service', 'speed'] },
        { type: 'comment', name: 'comment', title: 'What went wrong?', visibleIf: '{rating} <= 3' },
      ],
    },
  ],
};

/** Answers to the six questions that the form accepts. */
export const sampleAnswers = {
  full_name: 'Ada Lovelace',
  email: 'ada@example.com',
  country: 'nl',
  rating: 3,
  topics: ['price', 'speed'],
  comment: 'The queue at the desk was long, and nobody could tell us when it would be our turn.',
};

/** The body of a submission of the sample form. */
export function submissionBody(formCode: string): string {
  return JSON.stringify({
    form_code: formCode,
    email_address: sampleAnswers.email,
    form_data: sampleAnswers,
  });
}

/** Creates tenants through the API of a Tessera process, which is stopped afterwards. */
export async function createSampleTenants(
  database: BenchDatabase,
  requests: readonly SampleTenantRequest[],
): Promise<SampleTenant[]> {
  const tessera = await startTessera(database.env);
  try {
    const tenants: SampleTenant[] = [];
    for (const [index, request] of requests.entries())
      tenants.push(
        await createSampleTenant(tessera.url, database.env.ADMIN_TOKEN ?? '', `bench${index}`, request),
      );
    return tenants;
  } finally {
    await tessera.stop();
  }
}

async function createSampleTenant(
  url: string,
  adminToken: string,
  code: string,
  { forms, webhookUrl }: SampleTenantRequest,
): Promise<SampleTenant> {
  const owner = { email: `owner@${code}.test`, name: 'Owner', password: 'correct horse battery staple' };
  const operator = createClient(url, { authorization: `Bearer ${adminToken}` });
  const { body: tenant } = await operator.post('/admin/tenants', { code, name: code, owner });
  const api = createClient(url, { 'x-api-key': tenant.api_key });
  const formCodes: string[] = [];
  for (let index = 0; index < forms; index += 1) {
    const form = {
      name: `Visit ${index}`,
      allowed_origins: ['*'],
      active: true,
      form_type: 'embedded_form',
      formBuilderOptions: sixQuestions,
    };
    formCodes.push((await api.post('/api/forms', form)).body.code);
  }
  let webhookId: string | null = null;
  if (webhookUrl !== undefined) {
    const event = { event_type: 'form.submission', form_code: formCodes[0] };
    webhookId = (await api.post('/api/webhooks', { event, name: 'Receiver', target: { url: webhookUrl } }))
      .body.id;
  }
  return {
    code,
    tenantId: tenant.tenant_id,
    unitId: tenant.default_business_unit_id,
    apiKey: tenant.api_key,
    formCodes,
    webhookId,
  };
}

/** SQL of submissions of the sample form, spread evenly over the tenant's forms and `count / 10` addresses. */
const SUBMISSIONS = `
  select n, tessera_uuidv7(at) as id, at, ($1::text[])[1 + n % cardinality($1::text[])] as form_code,
    'visitor' || n % greatest($2::int / 10, 1) || '@example.com' as email_address,
    json_build_object('full_name', 'Visitor ' || n, 'email', 'visitor' || n || '@example.com',
      'country', (array['de', 'fr', 'nl', 'ch', 'at'])[1 + n % 5], 'rating', 1 + n % 3,
      'topics', json_build_array('price', 'speed'), 'comment', repeat('The queue was long. ', 1 + n % 8)) as form_data,
    json_build_array(json_build_object('type', 'received', 'message', 'The submission was accepted.',
      'isError', false, 'timestamp', to_json(at))) as events
  from (select n, now() - ($2::int - n) * interval '20 seconds' as at from generate_series(1, $2::int) n) numbered`;

/** Inserts `count` submissions of a tenant with their counts and updates the planner's statistics. */
export async function seedSubmissions(
  client: pg.PoolClient,
  tenant: SampleTenant,
  count: number,
): Promise<void> {
  await client.query(
    `insert into form_submissions (tenant_id, id, form_code, form_name, owner_bu_id, version, created_at, email_address,
       address_key, form_data, subscriber_created, journey_triggered, ip_address, user_agent, events)
     select $3::uuid, id, form_code, 'Visit', $4::uuid, 1, at, email_address,
       lower(email_address), form_data, false, false,
       '192.0.2.' || n % 255, 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', events
     from (${SUBMISSIONS}) submitted`,
    [tenant.formCodes, count, tenant.tenantId, tenant.unitId],
  );
  await client.query(
    `insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
     select tenant_id, form_code, slot, owner_bu_id, count / 16 + (slot < count % 16)::int, 0
     from (select tenant_id, form_code, owner_bu_id, count(*) from form_submissions
       where tenant_id = $1 group by tenant_id, form_code, owner_bu_id) counted
     cross join generate_series(0, 15) slot`,
    [tenant.tenantId],
  );
  await client.query('vacuum analyze');
}

/** Inserts `count` submissions with their history and a pending delivery of each to the tenant's webhook. */
export async function seedDeliveries(
  client: pg.PoolClient,
  tenant: SampleTenant,
  count: number,
): Promise<void> {
  await client.query(`create temporary table seeded as ${SUBMISSIONS}`, [tenant.formCodes, count]);
  await client.query(
    `insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data)
     select $1::uuid, 'form_submission', id::text, 1, false, $2::uuid, at, json_build_object('id', id, 'version', 1,
       'created_at', at, 'updated_at', null, 'form_code', form_code, 'form_name', 'Visit', 'email_address',
       email_address, 'submission_date', at, 'form_data', form_data, 'subscriber_created', false,
       'journey_triggered', false, 'ip_address', '192.0.2.1', 'user_agent', 'bench', 'events', events)
     from seeded`,
    [tenant.tenantId, tenant.unitId],
  );
  await client.query(
    `insert into webhook_deliveries (tenant_id, id, target_id, submission_id, state, due_at, attempts, created_at)
     select $1::uuid, tessera_uuidv7(at), $2::uuid, id, 'pending', at, 0, at from seeded`,
    [tenant.tenantId, tenant.webhookId],
  );
  await client.query('drop table seeded');
  await client.query('vacuum analyze');
}

/** Inserts tenants with only a default unit. */
export async function seedTenants(client: pg.PoolClient, count: number): Promise<void> {
  await client.query(
    `insert into tenants (tenant_id, code, name, brand_settings, created_at)
     select tessera_uuidv7(now()), 'seed' || n, 'Seed', '{}', now() from generate_series(1, $1::int) n`,
    [count],
  );
  await client.query(
    `insert into business_units (tenant_id, bu_id, name, slug, is_default, version, created_at)
     select tenant_id, tessera_uuidv7(now()), 'Default', 'default', true, 1, now() from tenants where code like 'seed%'`,
  );
  await client.query('vacuum analyze');
}

/** Inserts a delivery that is due tomorrow for `count` of those tenants. */
export async function seedWaiting(client: pg.PoolClient, count: number): Promise<void> {
  await client.query(
    `insert into webhook_deliveries (tenant_id, id, target_id, submission_id, state, due_at, attempts, created_at)
     select tenant_id, tessera_uuidv7(now()), tessera_uuidv7(now()), tessera_uuidv7(now()), 'pending', now() + interval '1 day', 0,
       now()
     from tenants where code like 'seed%' order by tenant_id limit $1`,
    [count],
  );
  await client.query('vacuum analyze webhook_deliveries');
}

/** Returns a record as a delivery contains it. */
export function deliveryRecord(number: number): object {
  const now = new Date().toISOString();
  return {
    id: `019a0000-0000-7000-8000-${String(number).padStart(12, '0')}`,
    version: 1,
    created_at: now,
    updated_at: null,
    form_code: 'visit',
    form_name: 'Visit',
    email_address: sampleAnswers.email,
    submission_date: now,
    form_data: sampleAnswers,
    subscriber_created: false,
    journey_triggered: false,
    ip_address: '192.0.2.1',
    user_agent: 'bench',
    events: [{ type: 'received', message: 'The submission was accepted.', isError: false, timestamp: now }],
  };
}
