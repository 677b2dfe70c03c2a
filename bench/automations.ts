import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { createBenchDatabase, openPool } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import { compare } from './harness/compare.ts';
import { callEach, type LoadRequest, loadRound, type Measured } from './harness/load.ts';
import type { Bench } from './harness/options.ts';
import {
  BARE,
  CHANGE_TALLY,
  createTenant,
  type Deployment,
  define,
  IS_PRICED,
  LOG,
  seedPurchases,
  type Tenant,
} from './harness/sample-automations.ts';

const COUNT = 3000;
const CONNECTIONS = 32;
const ROUND_SECONDS = 2;
/** Runs one after the other on an idle system. */
const IDLE_RUNS = 60;
const IDLE_PAUSE_MS = 60;
/** Runs per second: five times the 220 runs of two nodes that n8n publishes for one c5a.large. */
const RATE_AIM = 1100;
const CHANGES_AIM = 0.25;
const LATENCY_AIM_MS = 100;
const UNMATCHED_AIM = 0.97;
const NEXT_TO_LOOPS_AIM = 0.5;
/** Endless loops started per second. */
const LOOPS_PER_SECOND = 20;

interface Site extends Deployment {
  readonly sql: pg.Pool;
  /** Number of changes or requested runs in a round. */
  readonly count: number;
  readonly print: (text: string) => void;
}

/**
 * Automations: record changes that trigger a run, against bare SQL; runs per second and their latency; the cost of
 * creates without a matching automation; and runs next to endless loops of another tenant.
 */
export const automations: Bench = async (kind, options, onEnd) => {
  if (kind !== 'server') {
    console.log(`automations (${kind}): skipped, a second connection must poll the runs`);
    return true;
  }
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  await database.asOwner((client) => client.query(BARE));
  const server = await startTessera(database.env, options);
  onEnd(server.stop);
  const { pool: sql, close } = await openPool(database.env);
  onEnd(close);
  const print = (text: string) => console.log(`automations (${kind}): ${text}`);
  const site: Site = { database, server, sql, count: options.rows ?? COUNT, print };
  const [tenant, other] = [await createTenant(site, 'bench'), await createTenant(site, 'other')];
  const seconds = options.seconds ?? ROUND_SECONDS;
  return [
    await measureUnmatchedCreates(site, tenant, other, seconds),
    await measureChanges(site, tenant),
    await measureRate(site, tenant),
    await measureLatency(site, tenant),
    await measureNextToLoops(site, tenant, other),
  ].every(Boolean);
};

/** Creates without a matching automation, in a tenant with an automation for updates, against a tenant without any. */
function measureUnmatchedCreates(
  { server }: Site,
  tenant: Tenant,
  other: Tenant,
  seconds: number,
): Promise<boolean> {
  let isDefined = false;
  const creates = ({ bearer }: Tenant) =>
    loadRound(
      server,
      () => ({
        method: 'POST',
        path: '/api/purchase',
        headers: bearer,
        body: '{"price":1,"title":"Purchase"}',
      }),
      { connections: CONNECTIONS, seconds },
    );
  return compare({
    name: 'automations, creates without a matching automation (server)',
    against: 'a tenant without automations',
    aim: UNMATCHED_AIM,
    limit: () => creates(other),
    tessera: async () => {
      if (!isDefined)
        await define(tenant, 'follow', {
          triggerType: 'afterUpdate',
          entityKey: 'purchase',
          actions: [],
          conditionalActions: [{ condition: IS_PRICED, actions: [CHANGE_TALLY, LOG] }],
        });
      isDefined = true;
      return creates(tenant);
    },
  });
}

/** Measures record changes until the last of their runs has completed. */
async function measureChanges(site: Site, tenant: Tenant): Promise<boolean> {
  const { server, sql, count } = site;
  const ids = await seedPurchases(tenant);
  const { rows } = await sql.query<{ id: string; tally_id: string }>(
    'select id, tally_id from bare.purchase',
  );
  let price = 1;
  return compare({
    name: 'automations, changes that trigger a run (server)',
    against: 'bare SQL with the same changes',
    aim: CHANGES_AIM,
    limit: () =>
      timed(async () => {
        const waiting = rows.slice(0, count).values();
        const inTurn = async () => {
          for (const { id, tally_id: tally } of waiting) {
            price += 1;
            const set = (table: string, column: string) =>
              `update bare.${table} set ${column} = $2, updated_at = now() where id = $1 returning *`;
            await sql.query(set('purchase', 'price'), [id, price]);
            await sql.query(set('tally', 'last_price'), [tally, price]);
          }
        };
        await Promise.all(Array.from({ length: sql.options.max ?? 1 }, inTurn));
      }, count),
    tessera: () => {
      price += 1;
      const body = JSON.stringify({ price });
      const changes = ids.map(
        (id): LoadRequest => ({ method: 'PUT', path: `/api/purchase/${id}`, headers: tenant.bearer, body }),
      );
      return timedOn(site, count, async () => {
        await callEach(server.url, changes.slice(0, count), CONNECTIONS);
        await waitForRuns(sql, tenant);
      });
    },
  });
}

/** Measures runs of two cheap actions from the first call until the last run has completed. */
async function measureRate(site: Site, tenant: Tenant): Promise<boolean> {
  await define(tenant, 'cheap', { triggerType: 'webhook', actions: [LOG, { ...LOG, key: 'again' }] });
  await runAll(site, tenant);
  const { rate } = await runAll(site, tenant);
  const isReached = rate >= RATE_AIM;
  site.print(
    `${rate.toFixed(0)} runs of two actions per second, from call to completion (aim ${RATE_AIM}${isReached ? '' : ', MISSED'})`,
  );
  return isReached;
}

function runAll(site: Site, tenant: Tenant): Promise<Measured> {
  const { count } = site;
  const call: LoadRequest = {
    method: 'POST',
    path: '/api/automations/cheap/run',
    headers: tenant.key,
    body: '{"trigger":{}}',
  };
  return timedOn(site, count, async () => {
    await callEach(
      site.server.url,
      Array.from({ length: count }, () => call),
      CONNECTIONS,
    );
    await waitForRuns(site.sql, tenant);
  });
}

/** Measures the time from the response to the completion of a run on an idle system. */
async function measureLatency({ sql, print }: Site, tenant: Tenant): Promise<boolean> {
  const times: number[] = [];
  for (let nth = 0; nth < IDLE_RUNS; nth += 1) {
    await tenant.api.post('/api/automations/cheap/run', { trigger: {} }, 202);
    const begun = performance.now();
    await waitForRuns(sql, tenant, 1);
    times.push(performance.now() - begun);
    await pause(IDLE_PAUSE_MS);
  }
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.95)];
  const isReached = half <= LATENCY_AIM_MS;
  print(
    `a run completes ${half.toFixed(0)} ms after the commit at the median, ${most.toFixed(0)} ms at p95 (aim ${LATENCY_AIM_MS} ms${isReached ? '' : ', MISSED'})`,
  );
  return isReached;
}

/** A tenant's runs while another tenant's automations trigger each other endlessly, against the same runs alone. */
async function measureNextToLoops(site: Site, tenant: Tenant, other: Tenant): Promise<boolean> {
  const { records } = other;
  const { body: tally } = await records.post('/api/tally', { last_price: 0 });
  const { body: purchase } = await records.post('/api/purchase', { price: 0 });
  const change = (key: string, entityKey: string, entity: string, id: string, data: object) =>
    define(other, key, {
      triggerType: 'afterUpdate',
      entityKey,
      actions: [{ key, name: key, actionTypeKey: 'updateRecord', params: { entity, id, data } }],
    });
  await change('ping', 'tally', 'purchase', purchase.id, { price: 1 });
  await change('pong', 'purchase', 'tally', tally.id, { last_price: 1 });
  return compare({
    name: 'automations, runs next to endless loops of another tenant (server)',
    against: 'the same runs alone',
    aim: NEXT_TO_LOOPS_AIM,
    limit: () => runAll(site, tenant),
    tessera: async () => {
      const begin = () => records.put(`/api/tally/${tally.id}`, { last_price: 2 });
      const begun = [begin()];
      const timer = setInterval(() => begun.push(begin()), 1000 / LOOPS_PER_SECOND);
      const measured = await runAll(site, tenant);
      clearInterval(timer);
      await Promise.all(begun);
      await waitForRuns(site.sql, other);
      return measured;
    },
  });
}

/** Waits until a tenant has no pending run. */
async function waitForRuns(sql: pg.Pool, { tenantId }: Tenant, everyMs = 10): Promise<void> {
  for (;;) {
    const { rowCount } = await sql.query(
      `select from automation_runs where tenant_id = $1 and state = 'pending' limit 1`,
      [tenantId],
    );
    if (rowCount === 0) return;
    await pause(everyMs);
  }
}

async function timed(work: () => Promise<void>, count: number): Promise<Measured> {
  const begun = performance.now();
  await work();
  return { count, rate: count / ((performance.now() - begun) / 1000), cpuMicros: null };
}

async function timedOn({ server }: Site, count: number, work: () => Promise<void>): Promise<Measured> {
  const before = await server.cpuSeconds();
  const measured = await timed(work, count);
  return { ...measured, cpuMicros: ((await server.cpuSeconds()) - before) * (1e6 / count) };
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? 0;
}
