import assert from 'node:assert/strict';
import test from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { EveryNode } from './every-node.ts';

const compiler = new Kysely<unknown>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

const PARTS = [
  { id: 1, tenants: ['a', 'b'] },
  { id: 2, tenants: ['c'] },
];

/** Returns the rows of some tenants; of all tenants if none are given. */
const partsOf = (tenantIds: readonly unknown[]) =>
  PARTS.map(({ id, tenants }) => ({
    id,
    tenants: tenants.filter((tenant) => tenantIds.length === 0 || tenantIds.includes(tenant)),
  })).filter(({ tenants }) => tenants.length > 0);

interface State {
  readonly away: Set<number>;
  fault: Error | null;
  reports: number;
  wholes: number;
}

/** Simulates a cluster with one row per tenant, on which nodes can be unavailable. */
function cluster() {
  const state: State = { away: new Set(), fault: null, reports: 0, wholes: 0 };
  const answer = (statement: RawBuilder<unknown>): unknown[] => {
    const { sql: text, parameters } = statement.compile(compiler);
    if (text.includes('get_shard_id')) return partsOf(Object.values(parameters[0] ?? {}));
    const wantedTenants = parameters.length === 0 ? null : new Set(Object.values(parameters[0] ?? {}));
    if (wantedTenants === null) state.wholes += 1;
    const parts = PARTS.filter(
      ({ tenants }) => wantedTenants === null || tenants.some((tenant) => wantedTenants.has(tenant)),
    );
    if (state.fault !== null) throw state.fault;
    if (parts.some(({ id }) => state.away.has(id)))
      throw Object.assign(new Error('connection refused'), { code: '08006' });
    return parts.flatMap(({ tenants }) => tenants);
  };
  const everyNode = new EveryNode(
    async (statement) => ({ rows: JSON.parse(JSON.stringify(answer(statement))) }),
    () => {
      state.reports += 1;
    },
  );
  const gather = () =>
    everyNode.gather((inTenants) => sql<string>`select t from x where ${inTenants('tenant_id')}`);
  return { state, gather, listReachable: (tenantIds: string[]) => everyNode.listReachable(tenantIds) };
}

test('one statement reads all nodes', async () => {
  const { state, gather } = cluster();
  assert.deepEqual(await gather(), { rows: ['a', 'b', 'c'] });
  assert.deepEqual([state.wholes, state.reports], [1, 0]);
});

test('while a node is unavailable, tenants of other nodes are read, and the failure is reported', async () => {
  const { state, gather } = cluster();
  state.away.add(2);
  const { rows, failure } = await gather();
  assert.deepEqual(rows, ['a', 'b']);
  assert.match(String(failure), /connection refused/);
  assert.equal(state.reports, 1);
});

test('an unavailable node is skipped for a while and then tried again', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { state, gather } = cluster();
  state.away.add(2);
  await gather();
  state.away.clear();
  assert.deepEqual((await gather()).rows, ['a', 'b']);
  assert.deepEqual([state.wholes, state.reports], [1, 1]);
  now = 10_000;
  // The node is tried in the background; this call does not wait for it.
  assert.deepEqual((await gather()).rows, ['a', 'b']);
  await turn();
  assert.deepEqual(await gather(), { rows: ['a', 'b', 'c'] });
  assert.deepEqual([state.wholes, state.reports], [2, 1]);
});

test('a read that reaches no tenant fails', async () => {
  const { state, gather } = cluster();
  state.away.add(1).add(2);
  await assert.rejects(gather(), /connection refused/);
});

test('an error unrelated to a node is thrown, and no node is marked unavailable', async () => {
  const { state, gather } = cluster();
  state.fault = new Error('no connection of the pool was free');
  await assert.rejects(gather(), /of the pool/);
  state.away.add(2);
  state.fault = null;
  await gather();
  state.fault = new Error('no connection of the pool was free');
  await assert.rejects(gather(), /of the pool/);
  state.fault = null;
  assert.deepEqual((await gather()).rows, ['a', 'b']);
  assert.equal(state.reports, 1);
});

test('tenants of responding nodes are reachable; an unavailable node is not read again immediately', async () => {
  const { state, gather, listReachable } = cluster();
  assert.deepEqual(await listReachable(['a', 'c']), new Set(['a', 'c']));
  state.away.add(2);
  assert.deepEqual(await listReachable(['a', 'c']), new Set(['a']));
  assert.deepEqual(await listReachable(['c']), new Set());
  assert.equal(state.reports, 1);
  assert.deepEqual((await gather()).rows, ['a', 'b']);
});
