/** Tenants with entities. One is created through the API. The others copy its rows, and get tables as in a restore. */
import { pino } from 'pino';
import { loadConfig } from '../../src/config.ts';
import { schemaOf } from '../../src/db/tenant-schemas.ts';
import { entityTables } from '../../src/features/records/entities/index.ts';
import { openPlatform } from '../../src/open-platform.ts';
import { accessTokens } from '../../src/secrets/access-tokens.ts';
import { createClient } from '../../test/harness/client.ts';
import { signIn } from '../../test/harness/members.ts';
import { PASSWORD } from '../../test/harness/test-app.ts';
import { type BenchDatabase, openPool } from './bench-database.ts';
import { startTessera } from './children.ts';

/** Entities per tenant. */
export const ENTITIES = 20;
/** Records per entity. */
const RECORDS = 5;
/** Database sessions that create tables concurrently. */
const SESSIONS = 2;

/** Names of a tenant's entities. */
export const entityNames: readonly string[] = Array.from({ length: ENTITIES }, (_, n) => `entity${n + 1}`);

/** Returns the fields of an entity. Each entity but the first references the one before. */
export function fieldsOf(place: number): object[] {
  const plain = [
    { name: 'title', type: 'string', required: true, max: 200 },
    { name: 'code', type: 'string', unique: true },
    { name: 'price', type: 'number', min: 0 },
    { name: 'status', type: 'enum', enum: ['new', 'paid', 'sent'], indexed: true },
    { name: 'day', type: 'date' },
  ];
  if (place === 0) return plain;
  const relation = { entity: entityNames[place - 1], kind: 'belongs_to' };
  return [...plain, { name: 'parent', type: 'relation', relation }];
}

/** A tenant whose owner is signed in. */
export interface EntityTenant {
  readonly code: string;
  readonly tenantId: string;
  readonly token: string;
}

/** Tenants of one database; `apiKey` belongs to the first. */
export interface EntityTenants {
  readonly apiKey: string;
  readonly tenants: readonly EntityTenant[];
}

/** SQL that lists the copies of the first tenant, with new ids. `COPY_ROWS` then copies its rows. */
const COPIES = `
  create temporary table copies as
    select 'many' || n as code, gen_random_uuid() as tenant, gen_random_uuid() as unit, gen_random_uuid() as membership,
      gen_random_uuid() as owner, gen_random_uuid() as session, t.tenant_id as source
    from generate_series(2, $1::int) n, tenants t where t.code = 'many1'`;
const COPY_ROWS = `
  insert into tenants select (json_populate_record(t, json_build_object('tenant_id', c.tenant, 'code', c.code))).*
    from copies c join tenants t on t.tenant_id = c.source;
  insert into users select (json_populate_record(u, json_build_object('user_id', c.owner, 'email', c.code || '@bench.test'))).*
    from copies c join memberships m on m.tenant_id = c.source join users u on u.user_id = m.user_id;
  insert into business_units select (json_populate_record(u, json_build_object('tenant_id', c.tenant, 'bu_id', c.unit))).*
    from copies c join business_units u on u.tenant_id = c.source;
  insert into memberships select (json_populate_record(m, json_build_object('tenant_id', c.tenant,
    'membership_id', c.membership, 'user_id', c.owner))).* from copies c join memberships m on m.tenant_id = c.source;
  insert into sessions select (json_populate_record(s, json_build_object('tenant_id', c.tenant, 'id', c.session,
    'membership_id', c.membership))).* from copies c join sessions s on s.tenant_id = c.source;
  insert into entities select (json_populate_record(e, json_build_object('tenant_id', c.tenant))).*
    from copies c join entities e on e.tenant_id = c.source;
  insert into entity_revisions select c.tenant, r.revision from copies c join entity_revisions r on r.tenant_id = c.source`;

/** Creates `count` tenants with 20 entities each and an access token of each owner. */
export async function createEntityTenants(database: BenchDatabase, count: number): Promise<EntityTenants> {
  const apiKey = await createFirst(database);
  const { rows } = await database.asOwner(async (client) => {
    await client.query(COPIES, [count]);
    await client.query(COPY_ROWS);
    return client.query<Member>(
      `select t.code, t.tenant_id as "tenantId", m.user_id as "userId", m.membership_id as "membershipId", s.id as "sessionId"
       from tenants t join memberships m using (tenant_id) join sessions s using (tenant_id) order by t.code = 'many1' desc, t.code`,
    );
  });
  await createTables(
    database,
    rows.filter(({ code }) => code !== 'many1').map(({ tenantId }) => tenantId),
  );
  await database.asOwner(async (client) => {
    // Each table is filled in its own transaction.
    await client.query('set synchronous_commit = off');
    for (const { tenantId } of rows) await client.query(recordsOf(schemaOf(tenantId), tenantId));
    await client.query('analyze');
  });
  return { apiKey, tenants: await signTokens(database, rows) };
}

interface Member extends Omit<EntityTenant, 'token'> {
  readonly userId: string;
  readonly membershipId: string;
  readonly sessionId: string;
}

async function createFirst(database: BenchDatabase): Promise<string> {
  const tessera = await startTessera(database.env);
  try {
    const operator = createClient(tessera.url, { authorization: `Bearer ${database.env.ADMIN_TOKEN}` });
    const owner = { email: 'many1@bench.test', name: 'Owner', password: PASSWORD };
    const { body } = await operator.post('/admin/tenants', { code: 'many1', name: 'Many', owner });
    const api = createClient(tessera.url, { 'x-api-key': body.api_key });
    for (const [place, name] of entityNames.entries())
      await api.post('/api/entities', { name, fields: fieldsOf(place) });
    await signIn(api, owner.email);
    return body.api_key;
  } finally {
    await tessera.stop();
  }
}

async function createTables(database: BenchDatabase, tenantIds: readonly string[]): Promise<void> {
  const sqlPool = await openPool(database.env);
  const waiting = tenantIds.values();
  const createNext = async () => {
    const client = await sqlPool.pool.connect();
    await client.query('set synchronous_commit = off');
    for (const tenantId of waiting) {
      const { create, finish } = await entityTables.planOf(client, tenantId);
      await client.query([...create, ...finish].join(';'));
    }
    client.release();
  };
  try {
    await Promise.all(Array.from({ length: Math.min(SESSIONS, sqlPool.size) }, createNext));
  } finally {
    await sqlPool.close();
  }
}

/** SQL that inserts records of each entity, each of which references a record of the entity before. */
function recordsOf(schema: string, tenantId: string): string {
  return entityNames
    .map((name, place) => {
      const parent = place === 0 ? '' : ', f_parent_id';
      const found =
        place === 0 ? '' : `, (select id from ${schema}.${entityNames[place - 1]} order by id limit 1)`;
      return `insert into ${schema}.${name} (tenant_id, id, created_at, updated_at, f_title, f_code, f_price, f_status,
          f_day${parent})
        select '${tenantId}', gen_random_uuid(), now(), now(), 'Record ' || n, 'R-' || n, n, 'new', current_date${found}
        from generate_series(1, ${RECORDS}) n`;
    })
    .join(';');
}

async function signTokens(database: BenchDatabase, members: readonly Member[]): Promise<EntityTenant[]> {
  await using releases = new AsyncDisposableStack();
  const config = loadConfig({ ...database.env, LOG_LEVEL: 'silent' });
  const { platform } = await openPlatform(config, { log: pino({ level: 'silent' }) }, releases);
  const tenants: EntityTenant[] = [];
  for (const { code, tenantId, ...session } of members) {
    const token = await accessTokens(platform).sign({ tenantId, ...session }, new Date());
    tenants.push({ code, tenantId, token });
  }
  return tenants;
}
