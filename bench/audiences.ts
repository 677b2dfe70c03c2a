import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type App, startApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
import { queueChanges } from '../src/features/contacts/subscriber-groups/index.ts';
import { wholeTenant } from '../src/tenancy/scope.ts';
import type { ScopedDb } from '../src/tenancy/scoped-db.ts';
import { type Client, createClient } from '../test/harness/client.ts';
import { eventually } from '../test/harness/poll.ts';
import { createBenchDatabase } from './harness/bench-database.ts';
import { compare } from './harness/compare.ts';
import type { Measured } from './harness/load.ts';
import { aimOn, type Bench, type DatabaseKind } from './harness/options.ts';
import { seedSubscribers } from './harness/sample-subscribers.ts';
import { createSampleTenants, type SampleTenant } from './harness/sample-tenant.ts';

/** Evaluating one of ten thousand subscribers may take 1.4 times as long as one of a thousand. */
const AIM = 0.7;
const MANY = 10_000;
const FEW = 1_000;
/** Audiences per tenant. */
const AUDIENCES = 100;
/** Maximum delay from the change of a subscriber to its new audiences, in ms. */
const DELAY_MS = 2_000;
/** Changed subscribers per second, and per batch. */
const CHANGES_PER_SECOND = 1_000;
const AT_ONCE = 100;
const SECONDS = 20;
/** Subscribers changed together for a round. */
const ROUND = 1_000;

/** A tenant whose subscribers are changed. */
interface AudienceTenant extends SampleTenant {
  readonly api: Client;
  readonly db: ScopedDb;
  readonly ids: readonly string[];
}

/**
 * 100 computed audiences: the delay from a PUT of a subscriber to its new audiences while 1,000 others change per
 * second; and the evaluation rate for a tenant with 10,000 subscribers against one with 1,000.
 */
export const audiences: Bench = async (kind, options, onEnd) => {
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [large, small] = await createSampleTenants(database, [{ forms: 0 }, { forms: 0 }]);
  if (!large || !small) throw new Error('No tenants were created.');
  await database.asOwner(async (client) => {
    await seedSubscribers(client, large, MANY);
    await seedSubscribers(client, small, FEW);
  });
  const config = loadConfig({ ...database.env, PORT: '0', LOG_LEVEL: 'silent', RATE_LIMITS: 'off' });
  const app = await startApp(config, { log: pino({ level: 'silent' }) });
  onEnd(() => app.stop());
  const [many, few] = [await open(app, large), await open(app, small)];
  const isInTime = await measureDelay(kind, many, options.seconds ?? SECONDS);
  const isEven = await compare({
    name: `audiences, evaluation (${kind})`,
    against: `a tenant with ${FEW} subscribers`,
    aim: aimOn(kind, AIM),
    limit: () => evaluate(few),
    tessera: () => evaluate(many),
  });
  return isInTime && isEven;
};

/** Creates the audiences of a tenant and waits until they are computed. */
async function open({ platform }: App, tenant: SampleTenant): Promise<AudienceTenant> {
  const url = platform.publicUrl().replace('localhost', '127.0.0.1');
  const api = createClient(url, { 'x-api-key': tenant.apiKey });
  const db = platform.scoped(wholeTenant(tenant.tenantId));
  for (let n = 0; n < AUDIENCES; n += 1) {
    const filters = {
      'additional_fields_data.visits': { operation: n % 2 === 0 ? 'gte' : 'lt', value: n / 2 },
      ...(n % 3 === 0 ? { active: { operation: 'eq', value: true } } : {}),
      ...(n % 5 === 0 ? { first_name: { operation: 'like', value: `${n % 10}` } } : {}),
    };
    await api.post('/api/audiences', { name: `Audience ${n}`, filters });
  }
  const isComputed = async () =>
    (
      await db.query
        .selectFrom('audience_computations')
        .select('id')
        .where('finished_at', 'is', null)
        .execute()
    ).length === 0;
  await eventually('the audiences to be computed', isComputed, 600_000);
  const subscribers = await db.query.selectFrom('subscribers').select('id').orderBy('id').execute();
  return { ...tenant, api, db, ids: subscribers.map(({ id }) => id) };
}

/** Moves a subscriber in and out of an audience while others change, and measures the delay. */
async function measureDelay(kind: DatabaseKind, tenant: AudienceTenant, seconds: number): Promise<boolean> {
  const probe = { first_name: 'Probe', email: 'probe@example.com', active: true, lists: [], audiences: [] };
  const withCity = (city: string) => ({ ...probe, additional_fields_data: { city } });
  const { id } = (await tenant.api.post('/api/subscribers', withCity('Out'))).body;
  const filters = { 'additional_fields_data.city': { operation: 'eq', value: 'In' } };
  const audience = (await tenant.api.post('/api/audiences', { name: 'Probe', filters })).body.id;
  const delays: number[] = [];
  const end = performance.now() + seconds * 1000;
  const load = changeSteadily(tenant, end);
  for (let isIn = true; performance.now() < end; isIn = !isIn) {
    await tenant.api.put(`/api/subscribers/${id}`, withCity(isIn ? 'In' : 'Out'));
    const since = performance.now();
    const isThere = async () =>
      (await tenant.api.get(`/api/subscribers/${id}`)).body.audiences.includes(audience) === isIn;
    await eventually('the audience of the probe', isThere, 60_000);
    delays.push(performance.now() - since);
    await pause(200);
  }
  const changed = await load;
  const sorted = delays.toSorted((a, b) => a - b);
  const [median = 0, longest = 0] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  const isReached = longest <= DELAY_MS || aimOn(kind, 1) === 0;
  console.log(
    `audiences, delay (${kind}): ${longest.toFixed(0)} ms at most, ${median.toFixed(0)} ms the median of ${delays.length}` +
      ` (aim ${DELAY_MS}${isReached ? '' : ', MISSED'}); ${AUDIENCES} audiences, ${(changed / seconds).toFixed(0)} changes per second`,
  );
  return isReached;
}

/** Changes subscribers until a point in time and returns their number. */
async function changeSteadily(tenant: AudienceTenant, end: number): Promise<number> {
  const startedAt = performance.now();
  let changed = 0;
  while (performance.now() < end) {
    await change(tenant, changed % tenant.ids.length, AT_ONCE);
    changed += AT_ONCE;
    await pause(Math.max(0, startedAt + (changed / CHANGES_PER_SECOND) * 1000 - performance.now()));
  }
  return changed;
}

/** Changes data of some subscribers, as an import does. */
async function change({ db, ids }: AudienceTenant, from: number, count: number): Promise<void> {
  const some = ids.slice(from, from + count);
  await db.transaction(async (tx) => {
    await tx.raw(
      (tenantId) => sql`
      update subscribers set additional_fields_data = json_build_object('visits', floor(random() * 50))
      where tenant_id = ${tenantId}::uuid and id = any(${some}::uuid[])`,
    );
    await queueChanges(tx, some);
  });
}

/** Changes subscribers and waits until all were evaluated. */
async function evaluate(tenant: AudienceTenant): Promise<Measured> {
  await change(tenant, 0, ROUND);
  const startedAt = performance.now();
  const isDone = async () =>
    (await tenant.db.query.selectFrom('audience_changes').select('id').limit(1).execute()).length === 0;
  await eventually('subscribers to be evaluated', isDone, 60_000);
  const rate = ROUND / ((performance.now() - startedAt) / 1000);
  return { count: ROUND, rate, cpuMicros: null };
}
