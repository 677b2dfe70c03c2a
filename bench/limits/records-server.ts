/**
 * The limit of `records`: bare Fastify and `pg` on tables with the same columns and handwritten indexes, without
 * authentication, validation and change events.
 */
import Fastify from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { openPool } from '../harness/bench-database.ts';

const { pool, close } = await openPool(process.env);
const server = Fastify();

interface Order {
  readonly title: string;
  readonly price: number;
  readonly quantity: number;
  readonly status: string;
  readonly batch: number;
  readonly category_id: string;
}

const COLUMNS = 'title, price, quantity, status, batch, category_id';

function valuesOf({ title, price, quantity, status, batch, category_id }: Order): (string | number)[] {
  return [title, price, quantity, status, batch, category_id];
}

server.get<{ Params: { id: string } }>('/api/purchase/:id', async ({ params }) => {
  const { rows } = await pool.query({
    name: 'get',
    text: 'select * from bare.purchase where id = $1',
    values: [params.id],
  });
  return rows[0];
});

server.get<{ Querystring: Record<string, string> }>('/api/purchase', async ({ query }) => {
  const column = query.status === undefined ? 'batch' : 'status';
  const value = query[column];
  const where = `where o.${column} = $1`;
  const withCategory = query.include === 'category';
  const text = withCategory
    ? `select o.*, row_to_json(c) as category from bare.purchase o join bare.category c on c.id = o.category_id ${where}`
    : `select o.* from bare.purchase o ${where}`;
  const [page, counted] = await Promise.all([
    pool.query({
      name: `list ${column} ${withCategory}`,
      text: `${text} order by o.created_at desc, o.id desc limit 20`,
      values: [value],
    }),
    pool.query({
      name: `count ${column}`,
      text: `select count(*)::int as total from bare.purchase o ${where}`,
      values: [value],
    }),
  ]);
  const total: number = counted.rows[0]?.total ?? 0;
  return {
    data: page.rows,
    pagination: { page: 1, per_page: 20, total, total_pages: Math.ceil(total / 20) },
  };
});

server.post<{ Body: Order }>('/api/purchase', async ({ body }) => {
  const { rows } = await pool.query({
    name: 'create',
    text: `insert into bare.purchase (id, created_at, updated_at, ${COLUMNS})
      values ($1, now(), now(), $2, $3, $4, $5, $6, $7) returning *`,
    values: [uuidv7(), ...valuesOf(body)],
  });
  return rows[0];
});

server.put<{ Body: Pick<Order, 'price'>; Params: { id: string } }>(
  '/api/purchase/:id',
  async ({ params, body }) => {
    const { rows } = await pool.query({
      name: 'update',
      text: 'update bare.purchase set price = $2, updated_at = now() where id = $1 returning *',
      values: [params.id, body.price],
    });
    return rows[0];
  },
);

server.post<{ Body: { records: Order[] } }>('/api/purchase/bulk', async ({ body }) => {
  const columns = [0, 1, 2, 3, 4, 5].map((place) => body.records.map((record) => valuesOf(record)[place]));
  const { rows } = await pool.query({
    name: 'bulk',
    text: `insert into bare.purchase (id, created_at, updated_at, ${COLUMNS})
      select id, now(), now(), ${COLUMNS} from unnest($1::uuid[], $2::text[], $3::float8[], $4::bigint[], $5::text[],
        $6::bigint[], $7::uuid[]) as r (id, ${COLUMNS}) returning id`,
    values: [body.records.map(() => uuidv7()), ...columns],
  });
  return { success: true, created: rows.length, ids: rows.map(({ id }) => String(id)) };
});

console.log(`runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', async () => {
  await server.close();
  await close();
  process.exit(0);
});
