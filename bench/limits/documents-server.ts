/**
 * The limit of `documents`: bare Fastify and `pg` with handwritten copies of Tessera's statements, without tenant
 * isolation, validation, tags and metrics.
 */
import Fastify from 'fastify';
import { openPool } from '../harness/bench-database.ts';
import { callerFinder } from './bare-caller.ts';

const { pool, close } = await openPool(process.env);
const findCaller = callerFinder(pool);
const server = Fastify();

const SHOWN = `json_build_object('id', d.id, 'uid', d.uid, 'name', d.name, 'document_model_id', d.document_model_id,
  'status', d.status, 'data', d.data, 'created_by_id', d.created_by_id, 'updated_by_id', d.updated_by_id,
  'project_id', d.project_id, 'version', d.version,
  'created_at', to_char(d.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
  'updated_at', to_char(d.updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))::text as shown`;

server.get<{ Params: { project: string }; Querystring: Record<string, string> }>(
  '/api/pages/:project/document',
  async (request, reply) => {
    const { tenant_id } = await findCaller(request);
    const columns = Object.keys(request.query);
    const conditions = columns.map((column, place) => ` and d.${column} = $${place + 3}`).join('');
    const { rows } = await pool.query({
      name: `get ${columns.join()}`,
      text: `select ${SHOWN} from documents d join page_projects p on p.tenant_id = d.tenant_id and p.id = d.project_id
        where p.id = $1 and d.tenant_id = $2${conditions} order by d.created_at desc, d.id desc limit 1`,
      values: [request.params.project, tenant_id, ...Object.values(request.query)],
    });
    return reply.header('content-type', 'application/json').send(rows[0].shown);
  },
);

const text = { type: 'string' };
const textOrNull = { type: ['string', 'null'] };
const integer = { type: 'integer' };
const documentSchema = {
  type: 'object',
  properties: {
    id: text,
    uid: text,
    name: text,
    document_model_id: text,
    status: text,
    data: text,
    created_by_id: textOrNull,
    updated_by_id: textOrNull,
    project_id: text,
    version: integer,
    created_at: text,
    updated_at: text,
  },
};
const listSchema = {
  type: 'object',
  properties: {
    results: { type: 'array', items: documentSchema },
    total: integer,
    totalPages: integer,
  },
};

interface ListRequest {
  page: number;
  limit: number;
  filters: Record<string, { value: string }>;
}

server.post<{ Params: { project: string }; Body: ListRequest }>(
  '/api/pages/:project/document/list',
  { schema: { response: { 200: listSchema } } },
  async (request) => {
    const { tenant_id } = await findCaller(request);
    const { page, limit, filters } = request.body;
    const { project } = request.params;
    await pool.query({
      name: 'project',
      text: 'select id, owner_bu_id, is_template, redirect_config from page_projects where id = $1 and tenant_id = $2',
      values: [project, tenant_id],
    });
    const [[column = '', { value }] = ['', { value: '' }]] = Object.entries(filters);
    const where = `where project_id = $1 and tenant_id = $2 and ${column} = $3`;
    const values = [project, tenant_id, value];
    const { rows } = await pool.query({
      name: `list ${column}`,
      text: `select * from documents ${where} order by created_at desc, id desc limit $4 offset $5`,
      values: [...values, limit, (page - 1) * limit],
    });
    const counted = await pool.query<{ total: number }>({
      name: `count ${column}`,
      text: `select count(*) as total from documents ${where}`,
      values,
    });
    const total = Number(counted.rows[0]?.total ?? 0);
    return { results: rows, total, totalPages: Math.ceil(total / limit) };
  },
);

console.log(`runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', async () => {
  await server.close();
  await close();
  process.exit(0);
});
