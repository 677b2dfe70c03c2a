import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { pino } from 'pino';
import { type App, startApp } from '../src/app.ts';
import { loadConfig } from '../src/config.ts';
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

/** Entering may take 3.3 times as long as a bare insert of the enrollments. */
const AIM = 0.3;
/** Waiting subscribers. */
const WAITING = 1_000_000;
/** One in this many becomes due in the same second; all of these must be processed within the time limit. */
const ONE_IN = 100;
const STEPPED_WITHIN_MS = 10_000;
/** One in this many of the waiting subscribers enters in each round. */
const ENTER_ONE_IN = 10;

interface JourneySetup extends SampleTenant {
  readonly api: Client;
  readonly db: ScopedDb;
  readonly list: string;
}

/**
 * Subscribers who wait in a journey: the time until one in a hundred, due in the same second, have completed their
 * steps. And the rate of entering by joining a list, against a bare insert of the enrollments.
 */
export const journeys: Bench = async (kind, options, onEnd) => {
  const waiting = options.rows ?? WAITING;
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  const [tenant] = await createSampleTenants(database, [{ forms: 0 }]);
  if (!tenant) throw new Error('No tenant was created.');
  await database.asOwner((client) => seedSubscribers(client, tenant, waiting));
  const config = loadConfig({ ...database.env, PORT: '0', LOG_LEVEL: 'silent', RATE_LIMITS: 'off' });
  const app = await startApp(config, { log: pino({ level: 'silent' }) });
  onEnd(() => app.stop());
  const setup = await open(app, tenant);
  const subscribers = Math.max(1000, Math.floor(waiting / ENTER_ONE_IN));
  const isEnteringFast = await compare({
    name: `journeys, entering (${kind})`,
    against: 'a bare insert of the states',
    aim: aimOn(kind, AIM),
    limit: () => insertBare(setup, subscribers),
    tessera: () => enterAll(setup, subscribers),
  });
  return (await measureSteps(kind, setup, waiting)) && isEnteringFast;
};

async function open({ platform }: App, tenant: SampleTenant): Promise<JourneySetup> {
  const api = createClient(platform.publicUrl().replace('localhost', '127.0.0.1'), {
    'x-api-key': tenant.apiKey,
  });
  const { body } = await api.post('/api/lists', { name: 'Joined' });
  return { ...tenant, api, db: platform.scoped(wholeTenant(tenant.tenantId)), list: String(body.id) };
}

async function createJourney({ api, list }: JourneySetup): Promise<string> {
  const { body } = await api.post('/api/journeys', {
    name: 'Measured',
    active: true,
    trigger: { type: 'list_joined', list_id: list },
    steps: [
      { key: 'days', type: 'wait', seconds: 86_400 },
      // biome-ignore lint/suspicious/noThenProperty: the field is called so.
      { key: 'known', type: 'branch', filters: { active: { operation: 'eq', value: true } }, then: 'more' },
      { key: 'more', type: 'wait', seconds: 86_400 },
    ],
  });
  return String(body.id);
}

/** SQL that inserts new enrollments. */
const insertStates = (tenantId: string, journeyId: string, subscribers: number) => sql`
  insert into journey_states (tenant_id, id, target_id, state, due_at, attempts, lane, owner_bu_id, version, created_at,
    journey_version, subscriber_id, entry, status, current_step, arrived_at, waits_until, history, steps_taken, trigger, mails,
    hears, heard)
  select s.tenant_id, tessera_uuidv7(now()), ${journeyId}::uuid, 'pending', now() + interval '1 day', 0, 'steps', s.owner_bu_id,
    1, now(), 1, s.id, 1, 'active', 'days', now(), now() + interval '1 day', '[]', 0, '{"type":"list_joined"}', '{}', '{}', '{}'
  from subscribers s where s.tenant_id = ${tenantId}::uuid and s.active order by s.id limit ${subscribers}`;

async function insertBare({ db }: JourneySetup, subscribers: number): Promise<Measured> {
  const startedAt = performance.now();
  const journeyId = crypto.randomUUID();
  await db.raw((tenantId) => insertStates(tenantId, journeyId, subscribers));
  const rate = subscribers / ((performance.now() - startedAt) / 1000);
  await db.query.deleteFrom('journey_states').where('target_id', '=', journeyId).execute();
  return { count: subscribers, rate, cpuMicros: null };
}

/** Writes the signals of an import into a watched list, and waits until all subscribers have entered the journey. */
async function enterAll(setup: JourneySetup, subscribers: number): Promise<Measured> {
  const journeyId = await createJourney(setup);
  const startedAt = performance.now();
  await setup.db.raw(
    (tenantId) => sql`
    insert into subscriber_signals (tenant_id, id, target_id, state, due_at, attempts, kind, subscriber_id, key, occurred_at)
    select s.tenant_id, tessera_uuidv7(now()), s.tenant_id, 'pending', 'epoch', 0, 'list_joined', s.id, ${setup.list}, now()
    from subscribers s where s.tenant_id = ${tenantId}::uuid and s.active order by s.id limit ${subscribers}`,
  );
  const areInJourney = async () => (await countsOf(setup, journeyId)).active === subscribers;
  await eventually('all subscribers to enter', areInJourney, 600_000);
  const rate = subscribers / ((performance.now() - startedAt) / 1000);
  await setup.api.delete(`/api/journeys/${journeyId}`);
  await eventually(
    'the states of the journey to be deleted',
    async () =>
      (
        await setup.db.query
          .selectFrom('journey_states')
          .select('id')
          .where('target_id', '=', journeyId)
          .limit(1)
          .execute()
      ).length === 0,
    600_000,
  );
  return { count: subscribers, rate, cpuMicros: null };
}

async function countsOf({ api }: JourneySetup, journeyId: string) {
  return (await api.get(`/api/journeys/${journeyId}`)).body.counts;
}

async function measureSteps(kind: DatabaseKind, setup: JourneySetup, waiting: number): Promise<boolean> {
  const journeyId = await createJourney(setup);
  await setup.db.raw((tenantId) => insertStates(tenantId, journeyId, waiting));
  const due = Math.floor(waiting / ONE_IN);
  const at = new Date(Date.now() + 3000);
  await setup.db.raw(
    (tenantId) => sql`
    update journey_states s set due_at = ${at}, waits_until = ${at}, arrived_at = ${at}::timestamptz - interval '1 day'
    where s.tenant_id = ${tenantId}::uuid and s.id = any(array(
      select id from journey_states where tenant_id = ${tenantId}::uuid and target_id = ${journeyId}::uuid limit ${due}))`,
  );
  await pause(Math.max(0, at.getTime() - Date.now()));
  const startedAt = performance.now();
  const left = () =>
    setup.db.query
      .selectFrom('journey_states')
      .select('id')
      .where('target_id', '=', journeyId)
      .where('waits_until', '=', at.toISOString())
      .where('current_step', '=', 'days')
      .limit(1)
      .execute();
  let peakBytes = 0;
  await eventually(
    'all steps',
    async () => {
      peakBytes = Math.max(peakBytes, process.memoryUsage.rss());
      return (await left()).length === 0;
    },
    600_000,
  );
  const ms = performance.now() - startedAt;
  const isReached = ms <= STEPPED_WITHIN_MS || aimOn(kind, 1) === 0;
  console.log(
    `journeys, steps (${kind}): ${due} of ${waiting} waiting subscribers completed their steps within ${ms.toFixed(0)} ms` +
      ` (aim ${STEPPED_WITHIN_MS}${isReached ? '' : ', MISSED'}); ${(peakBytes / 2 ** 20).toFixed(0)} MiB peak memory`,
  );
  return isReached;
}
