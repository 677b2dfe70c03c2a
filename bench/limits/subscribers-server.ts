/**
 * The limit of creating and replacing subscribers: bare Fastify and `pg` write the same rows as Tessera in one
 * handwritten statement, without tenant isolation, validation and checks of references.
 */
import Fastify from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { openPool } from '../harness/bench-database.ts';
import { callerFinder } from './bare-caller.ts';

const { pool, close } = await openPool(process.env);
const findCaller = callerFinder(pool);
const server = Fastify();
const reply = { 200: { type: 'object', properties: { id: { type: 'string' } } } };

interface SubscriberBody {
  first_name: string;
  last_name: string;
  email: string;
  active: boolean;
  lists: readonly string[];
  additional_fields_data: object;
}

const HISTORY = `
  insert into record_history (tenant_id, entity_type, sort_key, version, deleted, owner_bu_id, recorded_at, data)
  select tenant_id, 'marketing_subscriber', id::text, version, false, owner_bu_id, updated_at, json_build_object('id', id,
    'first_name', first_name, 'last_name', last_name, 'email', email, 'active', active, 'inactive_reason', inactive_reason,
    'audiences', json_build_array(), 'lists', $7::uuid[], 'additional_fields_data', additional_fields_data,
    'subscription_preferences', json_build_array(), 'business_unit', owner_bu_id, 'version', version, 'created_at',
    created_at, 'updated_at', updated_at)
  from written`;

const CREATE = `
  with written as (
    insert into subscribers (tenant_id, id, owner_bu_id, version, created_at, updated_at, first_name, last_name, email,
      address_key, active, additional_fields_data)
    values ($1, $2, $8, 1, now(), now(), $3, $4, $5, lower($5), true, $6)
    returning *
  ), joined as (
    insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience)
    select $1::uuid, unnest($7::uuid[]), $2::uuid, false
  ), counted as (
    insert into subscriber_counts as stored (tenant_id, owner_bu_id, slot, subscribers) values ($1, $8, $9, 1)
    on conflict (tenant_id, owner_bu_id, slot) do update set subscribers = stored.subscribers + 1
  ), counted_in as (
    insert into subscriber_group_counts as stored (tenant_id, group_id, slot, members, active)
    select $1::uuid, unnest($7::uuid[]), $9::int, 1, 1
    on conflict (tenant_id, group_id, slot) do update set members = stored.members + 1, active = stored.active + 1
  ) ${HISTORY}`;

const REPLACE = `
  with written as (
    update subscribers set version = version + 1, updated_at = now(), first_name = $3, last_name = $4, email = $5,
      address_key = lower($5), active = true, additional_fields_data = $6
    where tenant_id = $1 and id = $2
    returning *
  ), current as materialized (
    select group_id from subscriber_group_members where tenant_id = $1 and subscriber_id = $2
  ), gone as (
    delete from subscriber_group_members m using current c
    where m.tenant_id = $1 and m.subscriber_id = $2 and m.group_id = c.group_id and c.group_id <> all($7::uuid[])
  ), joined as (
    insert into subscriber_group_members (tenant_id, group_id, subscriber_id, is_audience)
    select $1::uuid, g, $2::uuid, false from unnest($7::uuid[]) g where g not in (select group_id from current)
  ) ${HISTORY}`;

function valuesOf(tenantId: string, id: string, body: SubscriberBody) {
  const { first_name, last_name, email, additional_fields_data, lists } = body;
  return [tenantId, id, first_name, last_name, email, JSON.stringify(additional_fields_data), lists];
}

server.post<{ Body: SubscriberBody }>(
  '/api/subscribers',
  { schema: { response: reply } },
  async (request) => {
    const { tenant_id, units } = await findCaller(request);
    const id = uuidv7();
    const slot = Math.floor(Math.random() * 8);
    const values = [...valuesOf(tenant_id, id, request.body), units[0]?.buId, slot];
    await pool.query({ name: 'create', text: CREATE, values });
    return { id };
  },
);

server.put<{ Body: SubscriberBody; Params: { id: string } }>(
  '/api/subscribers/:id',
  { schema: { response: reply } },
  async (request) => {
    const { tenant_id } = await findCaller(request);
    const { id } = request.params;
    await pool.query({ name: 'replace', text: REPLACE, values: valuesOf(tenant_id, id, request.body) });
    return { id };
  },
);

console.log(`runs at ${await server.listen({ port: 0, host: '127.0.0.1' })}`);
process.once('SIGTERM', async () => {
  await server.close();
  await close();
  process.exit(0);
});
