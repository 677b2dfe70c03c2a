/** The limit of `slices`: bare Fastify and `pg` that list slices without facets. */
import Fastify from 'fastify';
import { openPool } from '../harness/bench-database.ts';
import { callerFinder } from './bare-caller.ts';

const { pool, close } = await openPool(process.env);
const findCaller = callerFinder(pool);
const server = Fastify();

const COLUMNS = `id, type, name, description, kind, origin, status, category, tags, keywords, media, variations, project_id,
  version, created_at, updated_at`;

server.get<{ Params: { project: string } }>('/api/pages/:project/slice-model', async (request) => {
  const { tenant_id } = await findCaller(request);
  const values = [tenant_id, request.params.project];
  const [page, counted] = await Promise.all([
    pool.query({
      name: 'slices',
      text: `select ${COLUMNS} from slice_models where tenant_id = $1 and project_id = $2
        order by created_at desc, id desc limit 20`,
      values,
    }),
    pool.query<{ total: number }>({
      name: 'count',
      text: 'select count(*)::int as total from slice_models where tenant_id = $1 and project_id = $2',
      values,
    }),
  ]);
  const total = counted.rows[0]?.total ?? 0;
  return { results: page.rows, total, totalPages: Math.ceil(total / 20) };
});

console.log(`runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', async () => {
  await server.close();
  await close();
  process.exit(0);
});
