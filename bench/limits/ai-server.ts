/**
 * The limit of `threads` and `vectors`: bare Fastify and `pg` with handwritten copies of Tessera's statements, without
 * tenant isolation, validation, history and metrics.
 */
import Fastify from 'fastify';
import { hashText } from '../../src/features/ai/ai-indexes/embedding/hashing.ts';
import { openPool } from '../harness/bench-database.ts';
import { callerFinder } from './bare-caller.ts';

const { pool } = await openPool(process.env);
const findCaller = callerFinder(pool);
const server = Fastify({ bodyLimit: 16 * 1024 * 1024 });

const TIME = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;
const THREAD = `json_build_object('id', t.id, 'version', t.version, 'created_at', to_char(t.created_at at time zone 'UTC', ${TIME}),
  'updated_at', to_char(t.updated_at at time zone 'UTC', ${TIME}), 'assistant_id', t.assistant_id, 'user_id', t.user_id,
  'name', t.name)::text`;

server.get<{ Params: { id: string } }>('/api/ai/threads/:id', async (request, reply) => {
  const { tenant_id } = await findCaller(request);
  const { rows } = await pool.query({
    name: 'thread',
    text: `select left(${THREAD}, -1) || ',"messages":' || (
        select '[' || string_agg('{"role":"' || m.role || '","content":' || m.content || '}', ',' order by m.position) || ']'
        from ai_thread_messages m where m.tenant_id = $1 and m.thread_id = $2) || '}' as shown
      from ai_threads t where t.tenant_id = $1 and t.id = $2`,
    values: [tenant_id, request.params.id],
  });
  return reply.header('content-type', 'application/json').send(rows[0].shown);
});

server.get<{ Querystring: { user_id: string } }>('/api/ai/threads', async (request) => {
  const { tenant_id } = await findCaller(request);
  const where = 'where tenant_id = $1 and user_id = $2';
  const values = [tenant_id, request.query.user_id];
  const { rows } = await pool.query({
    name: 'threads',
    text: `select id, version, created_at, updated_at, assistant_id, user_id, name from ai_threads ${where}
      order by created_at desc, id desc limit 20`,
    values,
  });
  const counted = await pool.query({
    name: 'count threads',
    text: `select count(*) as total from ai_threads ${where}`,
    values,
  });
  const total = Number(counted.rows[0].total);
  return { results: rows, total, totalPages: Math.ceil(total / 20) };
});

interface QueryRequest {
  input: string;
  filter?: { kind: string };
}

server.post<{ Params: { name: string }; Body: QueryRequest }>(
  '/api/ai/indexes/:name/query',
  async (request) => {
    const { tenant_id } = await findCaller(request);
    const { input, filter } = request.body;
    const terms = hashText(input).map((value, place) => `embedding[${place + 1}]*(${value})::real`);
    const { rows } = await pool.query(
      `select id, input, metadata, ${terms.join('+')} as score from ai_index_items
       where tenant_id = $1 and index_id = (select id from ai_indexes where tenant_id = $1 and name = $2)
         ${filter ? `and metadata ->> 'kind' = $3` : ''}
       order by score desc, id limit 10`,
      [tenant_id, request.params.name, ...(filter ? [filter.kind] : [])],
    );
    return { results: rows };
  },
);

interface UpsertRequest {
  data: { id: string; input: string; metadata: object }[];
}

/** Vectors of the texts by position. Computed once, as the limit inserts given vectors. */
let vectors: string[] = [];

server.post<{ Params: { name: string }; Body: UpsertRequest }>(
  '/api/ai/indexes/:name/upsert',
  async (request) => {
    const { tenant_id } = await findCaller(request);
    const { data } = request.body;
    if (vectors.length < data.length) vectors = data.map(({ input }) => `{${hashText(input).join(',')}}`);
    await pool.query({
      name: 'upsert',
      text: `insert into ai_index_items (tenant_id, index_id, id, input, metadata, model, embedding, updated_at)
        select $1, (select id from ai_indexes where tenant_id = $1 and name = $2), g.id, g.input, g.metadata::jsonb, 'bare',
          g.embedding::real[], now()
        from unnest($3::text[], $4::text[], $5::text[], $6::text[]) g (id, input, metadata, embedding)
        on conflict (tenant_id, index_id, id) do update set input = excluded.input, metadata = excluded.metadata,
          embedding = excluded.embedding, updated_at = excluded.updated_at`,
      values: [
        tenant_id,
        request.params.name,
        data.map(({ id }) => id),
        data.map(({ input }) => input),
        data.map(({ metadata }) => JSON.stringify(metadata)),
        vectors,
      ],
    });
    return { success: true };
  },
);

console.log(`runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
