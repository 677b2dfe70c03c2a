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
  define,
  IS_PRICED,
  LOG,
  type Served,
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
const UNHEARD_AIM = 0.97;
const BESIDE_LOOPS_AIM = 0.5;
/** Endless pairs that are started again meanwhile, each second. */
const LOOPS_PER_SECOND = 20;

interface Site extends Served {
  readonly sql: pg.Pool;
  /** Number of changes or requested runs in a round. */
  readonly count: number;
  readonly say: (what: string) => void;
}

/**
 * Automations: changes of records that one follows, against bare SQL; runs a second, and how soon one has ended; what records cost
 * that no automation follows; and what others have of automations that set each other off for ever.
 */
export const automations: Bench = async (kind, options, onEnd) => {
  if (kind !== 'server') {
    console.log(`automations (${kind}): left out, runs are watched by SQL beside the process`);
    return true;
  }
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  await database.asOwner((client) => client.query(BARE));
  const server = await startTessera(database.env, options);
  onEnd(server.stop);
  const { pool: sql, close } = await openPool(database.env);
  onEnd(close);
  const say = (what: string) => console.log(`automations (${kind}): ${what}`);
  const site: Site = { database, server, sql, count: options.rows ?? COUNT, say };
  const [tenant, other] = [await createTenant(site, 'bench'), await createTenant(site, 'other')];
  const seconds = options.seconds ?? ROUND_SECONDS;
  return [
    await measureUnheard(site, tenant, other, seconds),
    await measureChanges(site, tenant),
    await measureRate(site, tenant),
    await measureLatency(site, tenant),
    await measureBesideLoops(site, tenant, other),
  ].every(Boolean);
};

/** Creates of records that no automation follows, where the tenant has one for other changes, against a tenant with none. */
function measureUnheard({ server }: Site, tenant: Tenant, other: Tenant, seconds: number): Promise<boolean> {
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
    name: 'automations, creates that none follows (server)',
    against: 'those of a tenant without automations',
    aim: UNHEARD_AIM,
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

/** Changes until the last of their runs has ended. */
async function measureChanges(site: Site, tenant: Tenant): Promise<boolean> {
  const { server, sql, count } = site;
  const ids = await seedPurchases(tenant);
  const { rows } = await sql.query<{ id: string; tally_id: string }>(
    'select id, tally_id from bare.purchase',
  );
  let price = 1;
  return compare({
    name: 'automations, changes that one of three actions follows (server)',
    against: 'bare SQL that does the same changes',
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
        await ended(sql, tenant);
      });
    },
  });
}

/** Runs of two cheap actions, from the first call until the last has ended. */
async function measureRate(site: Site, tenant: Tenant): Promise<boolean> {
  await define(tenant, 'cheap', { triggerType: 'webhook', actions: [LOG, { ...LOG, key: 'again' }] });
  await runAll(site, tenant);
  const { rate } = await runAll(site, tenant);
  const isReached = rate >= RATE_AIM;
  site.say(
    `${rate.toFixed(0)} runs of two actions a second, from their calls to their ends (aim ${RATE_AIM}${isReached ? '' : ', MISSED'})`,
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
    await ended(site.sql, tenant);
  });
}

/** Time from the response to the end of a run on an idle system. */
async function measureLatency({ sql, say }: Site, tenant: Tenant): Promise<boolean> {
  const times: number[] = [];
  for (let nth = 0; nth < IDLE_RUNS; nth += 1) {
    await tenant.api.post('/api/automations/cheap/run', { trigger: {} }, 202);
    const begun = performance.now();
    await ended(sql, tenant, 1);
    times.push(performance.now() - begun);
    await pause(IDLE_PAUSE_MS);
  }
  const [half, most] = [percentile(times, 0.5), percentile(times, 0.95)];
  const isReached = half <= LATENCY_AIM_MS;
  say(
    `a run has ended ${half.toFixed(0)} ms after the commit at the median, ${most.toFixed(0)} ms in 95 % (aim ${LATENCY_AIM_MS} ms${isReached ? '' : ', MISSED'})`,
  );
  return isReached;
}

/** A tenant's runs while another's automations set each other off, again and again, against those by themselves. */
async function measureBesideLoops(site: Site, tenant: Tenant, other: Tenant): Promise<boolean> {
  const { person } = other;
  const { body: tally } = await person.post('/api/tally', { last_price: 0 });
  const { body: purchase } = await person.post('/api/purchase', { price: 0 });
  const change = (key: string, entityKey: string, entity: string, id: string, data: object) =>
    define(other, key, {
      triggerType: 'afterUpdate',
      entityKey,
      actions: [{ key, name: key, actionTypeKey: 'updateRecord', params: { entity, id, data } }],
    });
  await change('ping', 'tally', 'purchase', purchase.id, { price: 1 });
  await change('pong', 'purchase', 'tally', tally.id, { last_price: 1 });
  return compare({
    name: 'automations, runs beside endless ones of another tenant (server)',
    against: 'the same by themselves',
    aim: BESIDE_LOOPS_AIM,
    limit: () => runAll(site, tenant),
    tessera: async () => {
      const begin = () => person.put(`/api/tally/${tally.id}`, { last_price: 2 });
      const begun = [begin()];
      const timer = setInterval(() => begun.push(begin()), 1000 / LOOPS_PER_SECOND);
      const measured = await runAll(site, tenant);
      clearInterval(timer);
      await Promise.all(begun);
      await ended(site.sql, other);
      return measured;
    },
  });
}

/** Waits until no run of a tenant waits. */
async function ended(sql: pg.Pool, { tenantId }: Tenant, everyMs = 10): Promise<void> {
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
