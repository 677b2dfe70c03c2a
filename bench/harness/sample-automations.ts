/** Tenants with purchases, and with tallies of purchases that automations update. */
import { type Client, createClient } from '../../test/harness/client.ts';
import { signIn } from '../../test/harness/members.ts';
import { PASSWORD } from '../../test/harness/test-app.ts';
import type { BenchDatabase } from './bench-database.ts';
import type { Child } from './children.ts';

/** Number of purchases per tenant. */
const RECORDS = 5000;

const FIELDS = [
  { name: 'price', type: 'number' },
  { name: 'title', type: 'string', max: 200 },
  { name: 'tally', type: 'relation', relation: { entity: 'tally', kind: 'belongs_to' } },
];
/** An action without effect. */
export const LOG = { key: 'log', name: 'Log', actionTypeKey: 'log', params: { message: 'Done' } };
/** An action that changes another record. */
export const CHANGE_TALLY = {
  key: 'tally',
  name: 'Keep the last price',
  actionTypeKey: 'updateRecord',
  params: {
    entity: 'tally',
    id: '{{trigger.entity.tally_id}}',
    data: { last_price: '{{trigger.entity.price}}' },
  },
};
/** A condition that is true. */
export const IS_PRICED = {
  combinator: 'and',
  rules: [{ field: 'price', operator: 'greaterThan', value: 0 }],
};

/** The tables of the limit, with the same records. */
export const BARE = `
  create schema bare;
  create table bare.tally (id uuid primary key, updated_at timestamptz not null, last_price float8);
  create table bare.purchase (id uuid primary key, updated_at timestamptz not null, price float8, title text,
    tally_id uuid references bare.tally);
  create index on bare.purchase (tally_id);
  grant usage on schema bare to tessera_app;
  grant all on all tables in schema bare to tessera_app;
  insert into bare.tally select gen_random_uuid(), now() from generate_series(1, ${RECORDS});
  insert into bare.purchase select gen_random_uuid(), now(), 1, 'Purchase', id from bare.tally;
  analyze bare.tally;
  analyze bare.purchase`;

/** A tenant whose owner is signed in. */
export interface Tenant {
  readonly tenantId: string;
  readonly api: Client;
  /** Client with the owner's access token, for records. */
  readonly records: Client;
  readonly key: Readonly<Record<string, string>>;
  readonly bearer: Readonly<Record<string, string>>;
}

/** A database and the Tessera process that uses it. */
export interface Deployment {
  readonly database: BenchDatabase;
  readonly server: Child;
}

/** Creates a tenant with the entities of purchases and tallies. */
export async function createTenant({ server, database }: Deployment, code: string): Promise<Tenant> {
  const operator = createClient(server.url, { authorization: `Bearer ${database.env.ADMIN_TOKEN}` });
  const owner = { email: `${code}@bench.test`, name: 'Owner', password: PASSWORD };
  const { body } = await operator.post('/admin/tenants', { code, name: code, owner });
  const json = { 'content-type': 'application/json' };
  const key = { ...json, 'x-api-key': body.api_key };
  const api = createClient(server.url, { 'x-api-key': body.api_key });
  await api.post('/api/entities', { name: 'tally', fields: [{ name: 'last_price', type: 'number' }] });
  await api.post('/api/entities', { name: 'purchase', fields: FIELDS });
  const { token, bearer: records } = await signIn(api, owner.email);
  return {
    tenantId: body.tenant_id,
    api,
    records,
    key,
    bearer: { ...json, authorization: `Bearer ${token}` },
  };
}

/** Creates an automation. */
export async function define({ api }: Tenant, key: string, facts: object): Promise<void> {
  await api.post('/api/automations', { key, name: key, app: 'bench', triggerParams: {}, ...facts });
}

/** Creates purchases, each with its own tally, and returns their ids. */
export async function seedPurchases({ records: client }: Tenant): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < RECORDS; from += 1000) {
    const tallies = Array.from({ length: 1000 }, () => ({ last_price: 0 }));
    const { body } = await client.post('/api/tally/bulk', { records: tallies });
    const records = body.ids.map((tally_id: string) => ({ price: 1, title: 'Purchase', tally_id }));
    ids.push(...(await client.post('/api/purchase/bulk', { records })).body.ids);
  }
  return ids;
}
