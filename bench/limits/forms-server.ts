/**
 * The limit of `submissions` and `reads`: bare Fastify and `pg` with handwritten copies of Tessera's statements,
 * without tenant isolation, validation, checks of form data and metrics.
 */
import Fastify from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { openPool } from '../harness/bench-database.ts';
import { callerFinder } from './bare-caller.ts';

const { pool, close } = await openPool(process.env);
const findCaller = callerFinder(pool);
const server = Fastify();

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const integer = { type: 'integer' };
const yesOrNo = { type: 'boolean' };
const anything = {};

interface SubmissionRequest {
  form_code: string;
  email_address: string;
  form_data: unknown;
}

server.post<{ Body: SubmissionRequest }>(
  '/api/form_submissions',
  { schema: { response: { 200: { type: 'object', properties: { submission_id: text } } } } },
  async (request) => {
    const { tenant_id } = await findCaller(request);
    const { body } = request;
    const { rows } = await pool.query({
      name: 'form',
      text: 'select code, owner_bu_id, name, version, active from forms where code = $1 and tenant_id = $2',
      values: [body.form_code, tenant_id],
    });
    const [form] = rows;
    const now = new Date().toISOString();
    const events = [
      { type: 'received', message: 'The submission was accepted.', isError: false, timestamp: now },
    ];
    const record = {
      id: uuidv7(),
      version: 1,
      created_at: now,
      updated_at: null,
      form_code: form.code,
      form_name: form.name,
      email_address: body.email_address,
      submission_date: now,
      form_data: body.form_data,
      subscriber_created: false,
      journey_triggered: false,
      ip_address: request.ip,
      user_agent: request.headers['user-agent'] ?? null,
      events,
    };
    await pool.query({
      name: 'submission',
      text: `with submission as (
          insert into form_submissions (tenant_id, id, form_code, form_name, owner_bu_id, version, created_at,
            email_address, address_key, form_data, subscriber_created, journey_triggered, ip_address, user_agent, events)
          values ($1, $2, $3, $4, $5, 1, $6, $7, lower($7), $8, false, false, $9, $10, $11)
        ), history as (
          insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data)
          values ($1, 'form_submission', $12, 1, false, $5, $6, $13)
        ), counted as (
          insert into form_counts (tenant_id, form_code, slot, owner_bu_id, submissions, views)
          values ($1, $3, $14, $5, 1, 0)
          on conflict (tenant_id, form_code, slot) do update set
            submissions = form_counts.submissions + excluded.submissions, views = form_counts.views + excluded.views
        ), deliveries as (
          insert into webhook_deliveries
            (tenant_id, id, target_id, submission_id, state, due_at, attempts, created_at)
          select tenant_id, tessera_uuidv7($6), id, $2, 'pending', $6, 0, $6
          from webhooks where tenant_id = $1 and form_code = $3 and active
        ) select 1`,
      values: [
        tenant_id,
        record.id,
        form.code,
        form.name,
        form.owner_bu_id,
        now,
        record.email_address,
        JSON.stringify(record.form_data),
        record.ip_address,
        record.user_agent,
        JSON.stringify(events),
        record.id,
        JSON.stringify(record),
        Math.floor(Math.random() * 16),
      ],
    });
    return { submission_id: record.id };
  },
);

const formSchema = {
  type: 'object',
  properties: {
    code: text,
    public_code: text,
    name: text,
    allowed_origins: { type: 'array', items: text },
    active: yesOrNo,
    form_type: text,
    business_unit: text,
    formBuilderOptions: anything,
    theme_code: textOrNull,
    email_question: textOrNull,
    post_submit_actions: anything,
    subscriber_mapping: anything,
    version: integer,
    created_at: text,
    updated_at: text,
  },
};

server.get<{ Params: { code: string } }>(
  '/api/forms/:code',
  { schema: { response: { 200: formSchema } } },
  async (request) => {
    const { tenant_id } = await findCaller(request);
    const { rows } = await pool.query({
      name: 'whole form',
      text: 'select * from forms where code = $1 and tenant_id = $2',
      values: [request.params.code, tenant_id],
    });
    const [form] = rows;
    return { ...form, business_unit: form.owner_bu_id };
  },
);

const submissionSchema = {
  type: 'object',
  properties: {
    id: text,
    version: integer,
    created_at: text,
    updated_at: textOrNull,
    form_code: text,
    form_name: text,
    email_address: text,
    submission_date: text,
    form_data: anything,
    subscriber_created: yesOrNo,
    journey_triggered: yesOrNo,
    ip_address: textOrNull,
    user_agent: textOrNull,
    events: {
      type: 'array',
      items: {
        type: 'object',
        properties: { type: text, message: text, isError: yesOrNo, timestamp: text },
      },
    },
  },
};

interface ListRequest {
  page: number;
  limit: number;
  filters: { form_code: { value: string } };
}

server.post<{ Body: ListRequest }>(
  '/api/form_submissions/list',
  {
    schema: {
      response: {
        200: {
          type: 'object',
          properties: {
            results: { type: 'array', items: submissionSchema },
            total: integer,
            totalPages: integer,
          },
        },
      },
    },
  },
  async (request) => {
    const { tenant_id } = await findCaller(request);
    const { page, limit, filters } = request.body;
    const { rows } = await pool.query({
      name: 'submissions',
      text: `select id, version, created_at, updated_at, form_code, form_name, email_address,
          created_at as submission_date, form_data, subscriber_created, journey_triggered, ip_address, user_agent, events
        from form_submissions where form_code = $1 and tenant_id = $2
        order by created_at desc, id desc limit $3 offset $4`,
      values: [filters.form_code.value, tenant_id, limit, (page - 1) * limit],
    });
    const counted = await pool.query<{ total: number }>({
      name: 'count',
      text: `select coalesce(sum(submissions), 0)::bigint as total from form_counts
        where form_code = $1 and tenant_id = $2`,
      values: [filters.form_code.value, tenant_id],
    });
    const total = counted.rows[0]?.total ?? 0;
    return { results: rows, total, totalPages: Math.ceil(total / limit) };
  },
);

console.log(`runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', async () => {
  await server.close();
  await close();
  process.exit(0);
});
