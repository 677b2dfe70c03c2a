import type pg from 'pg';
import { type Client, createClient } from '../test/harness/client.ts';
import { signIn } from '../test/harness/members.ts';
import { PASSWORD } from '../test/harness/test-app.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { type Child, startProgram, startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { type LoadRequest, loadRound } from './harness/load.ts';
import { aimOn, type Bench, limitKind } from './harness/options.ts';

const RECORDS = 100_000;
/** Sizes of two tables whose first pages are compared. */
const FEW = 10_000;
const MANY = 1_000_000;
const CATEGORIES = 100;
const STATES = 10;
/** Records with the same batch number. */
const BATCH = 200;
const BULK = 100;
const CONNECTIONS = 32;
const ROUND_SECONDS = 2;
const MEMORY_AIM_MIB = 300;
/** Number of records that are read and changed in turn. */
const PICKED = 5000;

const STATUS = Array.from({ length: STATES }, (_, n) => `state${n}`);
const FIELDS = [
  { name: 'title', type: 'string', required: true, max: 200 },
  { name: 'price', type: 'number', min: 0 },
  { name: 'quantity', type: 'integer', min: 0 },
  { name: 'status', type: 'enum', enum: STATUS, indexed: true },
  { name: 'batch', type: 'integer', indexed: true },
  { name: 'category', type: 'relation', relation: { entity: 'category', kind: 'belongs_to' } },
];

/** SQL that creates the tables of the limit, with an index for each filter. */
const BARE = `
  create schema bare;
  create table bare.category (id uuid primary key, name text not null);
  create table bare.purchase (id uuid primary key, created_at timestamptz not null, updated_at timestamptz not null,
    title text not null, price float8, quantity bigint, status text, batch bigint,
    category_id uuid references bare.category);
  create index on bare.purchase (status);
  create index on bare.purchase (batch);
  create index on bare.purchase (category_id);
  grant usage on schema bare to tessera_app;
  grant all on all tables in schema bare to tessera_app;
  insert into bare.category select gen_random_uuid(), 'Category ' || n from generate_series(1, ${CATEGORIES}) n`;

/** SQL of numbered records, one second apart, without their references. */
const NUMBERED =
  "(select n, now() - ($1::int - n) * interval '1 second' as at from generate_series(1, $1::int) n) numbered";
const VALUES = `tessera_uuidv7(at), at, at, 'Purchase ' || n, n / 100.0, n % 50, 'state' || n % ${STATES}, n / ${BATCH}`;

/** Server under measurement. */
interface Site {
  readonly server: Child;
  readonly headers: Readonly<Record<string, string>>;
  readonly ids: readonly string[];
  readonly categoryId: string;
}

/**
 * Reading, listing, updating and creating records as a signed-in user, against bare Fastify and `pg` on handmade
 * tables.
 */
export const records: Bench = async (kind, options, onEnd) => {
  const count = options.rows ?? RECORDS;
  const limitDatabase = await createBenchDatabase(limitKind(kind));
  onEnd(limitDatabase.remove);
  const bareIds = await limitDatabase.asOwner((client) => seedBare(client, count));
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const owner = await define(database);
  const ids = await database.asOwner((client) => seedRecords(client, count));
  const tessera = await startTessera(database.env, options);
  onEnd(tessera.stop);
  const bare = await startProgram('limits/records-server.ts', limitDatabase.env);
  onEnd(bare.stop);
  const { token } = await signIn(createClient(tessera.url), owner);
  const json = { 'content-type': 'application/json' };
  const own: Site = { server: tessera, headers: { ...json, authorization: `Bearer ${token}` }, ...ids };
  const limit: Site = { server: bare, headers: json, ...bareIds };
  const seconds = options.seconds ?? ROUND_SECONDS;
  const reached: boolean[] = [];
  for (const [name, { aim, connections = CONNECTIONS, requests }] of Object.entries(CASES)) {
    const measure = (site: Site) => loadRound(site.server, requests(site), { connections, seconds });
    reached.push(
      await compare({
        name: `records, ${name} (${kind})`,
        against: 'bare Fastify and pg',
        aim: aimOn(kind, aim),
        limit: () => measure(limit),
        tessera: () => measure(own),
      }),
    );
  }
  const firstPage = (entity: string) => () =>
    loadRound(tessera, () => ({ method: 'GET', path: `/api/${entity}`, headers: own.headers }), {
      connections: CONNECTIONS,
      seconds,
    });
  reached.push(
    await compare({
      name: `records, first page of ${MANY} (${kind})`,
      against: `first page of ${FEW}`,
      aim: aimOn(kind, 0.5),
      limit: firstPage('few'),
      tessera: firstPage('many'),
    }),
  );
  const memory = await tessera.residentMebibytes();
  const isSmall = memory <= MEMORY_AIM_MIB;
  console.log(
    `records (${kind}): ${memory.toFixed(0)} MiB (aim at most ${MEMORY_AIM_MIB}${isSmall ? '' : ', MISSED'})`,
  );
  return isSmall && reached.every(Boolean);
};

interface Case {
  readonly aim: number;
  readonly connections?: number;
  readonly requests: (site: Site) => () => LoadRequest;
}

const CASES: Readonly<Record<string, Case>> = {
  'get one': { aim: 0.6, requests: (site) => inTurn(site, (id) => get(site, `/${id}`)) },
  'list of 20 of a tenth of them, with total': {
    aim: 1.5,
    requests: (site) => numbered((n) => get(site, `?status=state${n % STATES}`)),
  },
  'list of 20 of 200': { aim: 0.6, requests: (site) => numbered((n) => get(site, `?batch=${n % BATCH}`)) },
  'the same with a relation': {
    aim: 0.6,
    requests: (site) => numbered((n) => get(site, `?batch=${n % BATCH}&include=category`)),
  },
  update: {
    aim: 0.5,
    requests: (site) => inTurn(site, (id, n) => send(site, 'PUT', `/${id}`, { price: n })),
  },
  create: { aim: 0.5, requests: (site) => numbered((n) => send(site, 'POST', '', newRecord(site, n))) },
  'bulk create of 100': {
    aim: 0.5,
    connections: 4,
    requests: (site) =>
      numbered((n) => {
        const records = Array.from({ length: BULK }, (_, place) => newRecord(site, n * BULK + place));
        return send(site, 'POST', '/bulk', { records });
      }),
  },
};

function numbered(request: (n: number) => LoadRequest): () => LoadRequest {
  let turn = 0;
  return () => {
    turn += 1;
    return request(turn);
  };
}

function inTurn({ ids }: Site, request: (id: string, n: number) => LoadRequest): () => LoadRequest {
  return numbered((n) => request(ids[n % ids.length] ?? '', n));
}

function get({ headers }: Site, path: string): LoadRequest {
  return { method: 'GET', path: `/api/purchase${path}`, headers };
}

function send({ headers }: Site, method: 'POST' | 'PUT', path: string, body: object): LoadRequest {
  return { method, path: `/api/purchase${path}`, headers, body: JSON.stringify(body) };
}

function newRecord({ categoryId }: Site, n: number): object {
  const facts = { title: `Purchase ${n}`, price: n / 100, quantity: n % 50 };
  return { ...facts, status: STATUS[n % STATES], batch: 1_000_000 + n, category_id: categoryId };
}

/** Creates a tenant with the entities and returns the email address of its owner. */
async function define(database: BenchDatabase): Promise<string> {
  const tessera = await startTessera(database.env);
  try {
    const operator = createClient(tessera.url, { authorization: `Bearer ${database.env.ADMIN_TOKEN}` });
    const owner = { email: 'owner@bench.test', name: 'Owner', password: PASSWORD };
    const { body } = await operator.post('/admin/tenants', { code: 'bench', name: 'Bench', owner });
    const api: Client = createClient(tessera.url, { 'x-api-key': body.api_key });
    await api.post('/api/entities', { name: 'category', fields: [{ name: 'name', type: 'string' }] });
    await api.post('/api/entities', { name: 'purchase', fields: FIELDS });
    const fields = FIELDS.filter(({ type }) => type !== 'relation');
    for (const name of ['few', 'many']) await api.post('/api/entities', { name, fields });
    return owner.email;
  } finally {
    await tessera.stop();
  }
}

async function seedBare(client: pg.PoolClient, count: number) {
  await client.query(BARE);
  await client.query(
    `insert into bare.purchase select ${rowsOf('(select array_agg(id) from bare.category)')}`,
    [count],
  );
  await client.query('vacuum analyze');
  return picked(client, 'bare.purchase', 'category_id');
}

async function seedRecords(client: pg.PoolClient, count: number) {
  const { rows } = await client.query<{ name: string; tenant_id: string; user_id: string }>(
    `select n.nspname as name, m.tenant_id, m.user_id from pg_namespace n, memberships m where n.nspname like 'entities\\_%'`,
  );
  const [{ name = '', tenant_id: tenantId = '', user_id: userId = '' } = {}] = rows;
  await client.query(
    `insert into ${name}.category (tenant_id, id, created_at, updated_at, created_by, updated_by, f_name)
     select $1, gen_random_uuid(), now(), now(), $2, $2, 'Category ' || n from generate_series(1, ${CATEGORIES}) n`,
    [tenantId, userId],
  );
  await client.query(
    `insert into ${name}.purchase (tenant_id, created_by, updated_by, id, created_at, updated_at, f_title, f_price,
       f_quantity, f_status, f_batch, f_category_id)
     select $2::uuid, $3::text, $3::text, ${rowsOf(`(select array_agg(id) from ${name}.category)`)}`,
    [count, tenantId, userId],
  );
  for (const [entity, rows] of Object.entries({ few: FEW, many: MANY }))
    await client.query(
      `insert into ${name}.${entity} (tenant_id, id, created_at, updated_at, f_title, f_price, f_quantity, f_status, f_batch)
       select $2::uuid, ${VALUES} from ${NUMBERED}`,
      [rows, tenantId],
    );
  for (const [entity, rows] of Object.entries({ purchase: count, few: FEW, many: MANY }))
    await client.query(`insert into ${name}._totals values ($3, $2, 0, $1)`, [rows, entity, tenantId]);
  await client.query('vacuum analyze');
  return picked(client, `${name}.purchase`, 'f_category_id');
}

/** SQL of the records, which are the same for Tessera and the limit. */
function rowsOf(categories: string): string {
  return `${VALUES}, categories[1 + n % ${CATEGORIES}] from ${NUMBERED}, ${categories} as found (categories)`;
}

async function picked(client: pg.PoolClient, table: string, category: string) {
  const { rows } = await client.query<{ id: string; category: string }>(
    `select id, ${category} as category from ${table} order by md5(id::text) limit ${PICKED}`,
  );
  return { ids: rows.map(({ id }) => id), categoryId: rows[0]?.category ?? '' };
}
