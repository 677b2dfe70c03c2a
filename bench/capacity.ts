import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { pino } from 'pino';
import { loadConfig } from '../src/config.ts';
import { linkSigners } from '../src/features/mail/email-tracking/index.ts';
import { signMessage } from '../src/mail/message-token.ts';
import { openPlatform } from '../src/open-platform.ts';
import { type BenchDatabase, createBenchDatabase } from './harness/bench-database.ts';
import { startTessera } from './harness/children.ts';
import { openMeter } from './harness/database-usage.ts';
import { callEach, type LoadRequest } from './harness/load.ts';
import type { Bench, BenchOptions, DatabaseKind, OnEnd } from './harness/options.ts';
import { type BenchReceiver, startBenchReceiver } from './harness/receiver.ts';
import { createMailSender, type MailSender, transmissionTo } from './harness/sample-mail.ts';
import {
  createSampleTenants,
  type SampleTenant,
  seedSubmissions,
  seedTenants,
  seedWaiting,
  submissionBody,
} from './harness/sample-tenant.ts';
import { type SmtpSink, startSmtpSink } from './harness/smtp-sink.ts';
import { type Costs, describe, type MeasuredSystem, measureCosts, perUnit } from './harness/unit-costs.ts';

/** Tenants that take turns in calling, compared with one tenant that makes all calls. */
const TENANTS = 50;
const SEEDED = 100_000;
/** Tenants that a worker polls for work. */
const MANY_TENANTS = 10_000;
const WAITING_TENANTS = 1000;
const PER_TRANSMISSION = 5000;
const CONNECTIONS = 16;
const IDLE_SECONDS = 20;
/** Maximum time after the last response to record, acknowledge or deliver everything. */
const ACKNOWLEDGE_MS = 1500;
/** Maximum multi-shard statements per unit of work on a cluster. Such statements must serve many units at once. */
const MAX_MULTI_SHARD = 0.2;

/** Processes, database and tenants of a measurement. */
interface Site extends MeasuredSystem {
  readonly database: BenchDatabase;
  readonly url: string;
  readonly receiver: BenchReceiver;
  readonly sink: SmtpSink;
  /** The first has 100,000 submissions, and no webhook. */
  readonly tenants: readonly [SampleTenant, ...SampleTenant[]];
  readonly senders: readonly MailSender[];
}

/** One kind of work. */
interface Unit {
  readonly name: string;
  readonly count: number;
  /** Does the work `count` times. */
  readonly work: (site: Site, count: number) => Promise<void>;
}

/** Cost of each kind of work, in CPU time and bytes, of an API process and a worker. */
export const capacity: Bench = async (kind, options, onEnd) => {
  if (kind === 'embedded') {
    console.log(
      'capacity (embedded): skipped, its database is part of the process; other benchmarks show its cost',
    );
    return true;
  }
  const site = await prepare(kind, options, onEnd);
  const idle = await reportIdle(kind, site, `an idle second among ${TENANTS + 1} tenants`);
  let areOneShard = true;
  const measure = async (unit: Unit) => {
    await unit.work(site, Math.ceil(unit.count / 4));
    const used = await measureCosts(site, () => unit.work(site, unit.count));
    const costs = perUnit(used, unit.count, idle);
    report(kind, unit.name, costs, `${unit.count} in ${used.seconds.toFixed(1)} s`);
    areOneShard &&= (costs.statements?.toSeveral ?? 0) <= MAX_MULTI_SHARD;
  };
  for (const unit of UNITS) await measure(unit);
  for (const unit of await trackingUnits(site)) await measure(unit);
  await reportIdle(kind, site, `an idle second among ${MANY_TENANTS} tenants`, (client) =>
    seedTenants(client, MANY_TENANTS),
  );
  await reportIdle(kind, site, `the same with waiting work of ${WAITING_TENANTS}`, (client) =>
    seedWaiting(client, WAITING_TENANTS),
  );
  return areOneShard;
};

/** Cost of polling for work, and of an idle process. */
async function reportIdle(
  kind: DatabaseKind,
  site: Site,
  name: string,
  seed: (client: pg.PoolClient) => Promise<void> = async () => {},
): Promise<Costs> {
  await site.database.asOwner(seed);
  // Statements are prepared at their second use, and polls find the new rows.
  await pause(2 * ACKNOWLEDGE_MS);
  const idle = await measureCosts(site, () => pause(IDLE_SECONDS * 1000));
  report(kind, name, perUnit(idle, idle.seconds), '');
  return idle;
}

function report(kind: DatabaseKind, name: string, costs: Costs, note: string): void {
  console.log(`capacity (${kind}), ${name}: ${describe(costs)}${note === '' ? '' : `; ${note}`}`);
}

async function prepare(kind: DatabaseKind, options: BenchOptions, onEnd: OnEnd): Promise<Site> {
  const [receiver, sink] = [await startBenchReceiver(), await startSmtpSink()];
  onEnd(receiver.stop);
  onEnd(sink.stop);
  const database = await createBenchDatabase(kind);
  onEnd(database.remove);
  if (kind === 'cluster')
    await database.asOwner(async (client) => {
      const { rows } = await client.query('select quote_ident(current_database()) as name');
      await client.query(`alter database ${rows[0]?.name} set citus.enable_stat_counters = on`);
    });
  const others = Array.from({ length: TENANTS }, () => ({ forms: 1, webhookUrl: receiver.url }));
  const [first, ...rest] = await createSampleTenants(database, [{ forms: 5 }, ...others]);
  if (!first) throw new Error('No tenant was created.');
  await database.asOwner((client) => seedSubmissions(client, first, SEEDED));
  const meter = await openMeter(database);
  onEnd(meter.close);
  const relay = { SMTP_URL: sink.relayUrl, SMTP_CONNECTIONS: '20' };
  const api = await startTessera({ ...database.env, ROLE: 'api' }, options);
  onEnd(api.stop);
  const worker = await startTessera({ ...database.env, ...relay, ROLE: 'worker' }, options);
  onEnd(worker.stop);
  const senders: MailSender[] = [];
  const adminToken = database.env.ADMIN_TOKEN ?? '';
  for (const tenant of rest) senders.push(await createMailSender(api.url, { ...tenant, adminToken }));
  const processes = { api, worker };
  return { database, url: api.url, receiver, sink, tenants: [first, ...rest], senders, processes, meter };
}

const UNITS: readonly Unit[] = [
  {
    name: 'GET of a form',
    count: 6000,
    work: ({ url, tenants: [{ apiKey, formCodes }] }, count) => {
      const headers = { 'x-api-key': apiKey };
      return repeat(url, count, () => ({ method: 'GET', path: `/api/forms/${formCodes[0]}`, headers }));
    },
  },
  {
    name: 'list of 20 of 100,000',
    count: 2000,
    work: ({ url, tenants: [{ apiKey, formCodes }] }, count) => {
      const filters = { form_code: { operation: 'eq', value: formCodes[0] } };
      const body = JSON.stringify({ page: 1, limit: 20, filters });
      return repeat(url, count, () => post('/api/form_submissions/list', apiKey, body));
    },
  },
  {
    name: 'submission, delivered, of one tenant',
    count: 5000,
    work: (site, count) => submit(site, count, site.tenants.slice(1, 2)),
  },
  {
    name: `submission, delivered, of ${TENANTS} tenants in turn`,
    count: 5000,
    work: (site, count) => submit(site, count, site.tenants.slice(1)),
  },
  {
    name: `message of a transmission to ${PER_TRANSMISSION}`,
    count: 2 * PER_TRANSMISSION,
    async work({ sink, senders: [sender] }, count) {
      if (!sender) throw new Error('No sender is configured.');
      await sink.reset();
      for (let sent = 0; sent < count; sent += PER_TRANSMISSION) {
        const recipients = Math.min(PER_TRANSMISSION, count - sent);
        await sender.api.post('/api/transmissions', transmissionTo(recipients, sender.templateId));
      }
      await sink.waitFor(count);
      await pause(ACKNOWLEDGE_MS);
    },
  },
  {
    name: `message of its own transmission, of ${TENANTS} tenants in turn`,
    count: 2000,
    async work({ url, sink, tenants: [, ...tenants], senders }, count) {
      await sink.reset();
      const bodies = senders.map(({ templateId }) => JSON.stringify(transmissionTo(1, templateId)));
      await repeat(url, count, (n) => {
        const turn = n % senders.length;
        return post('/api/transmissions', tenants[turn]?.apiKey ?? '', bodies[turn] ?? '');
      });
      await sink.waitFor(count);
      await pause(ACKNOWLEDGE_MS);
    },
  },
];

async function submit(
  { url, receiver }: Site,
  count: number,
  tenants: readonly SampleTenant[],
): Promise<void> {
  await receiver.reset();
  await repeat(url, count, (n) => {
    const { apiKey = '', formCodes = [] } = tenants[n % tenants.length] ?? {};
    return post('/api/form_submissions', apiKey, submissionBody(formCodes[0] ?? ''));
  });
  await receiver.waitFor(count);
  await pause(ACKNOWLEDGE_MS);
}

/** Opens every sent message once and follows its link once. */
async function trackingUnits({ database }: Site): Promise<Unit[]> {
  const { opens, clicks } = await signedPaths(database);
  const units = [
    { name: 'open', paths: opens.values(), count: Math.floor((opens.length * 4) / 5) },
    { name: 'click', paths: clicks.values(), count: Math.floor((clicks.length * 4) / 5) },
  ];
  return units.map(({ name, paths, count }) => ({
    name,
    count,
    async work({ url }, times) {
      const headers = { 'user-agent': 'Mozilla/5.0 (X11) Firefox/130.0' };
      await repeat(url, times, () => ({ method: 'GET', path: paths.next().value ?? '', headers }));
      await pause(ACKNOWLEDGE_MS);
    },
  }));
}

/** Returns the pixel and a link of every message of a large transmission. */
async function signedPaths(database: BenchDatabase): Promise<{ opens: string[]; clicks: string[] }> {
  const rows = await database.asOwner(async (client) => {
    const found = await client.query<{ tenantId: string; messageId: string }>(
      `select tenant_id as "tenantId", id as "messageId" from email_messages where position > 0`,
    );
    return found.rows;
  });
  await using releases = new AsyncDisposableStack();
  const config = loadConfig({ ...database.env, LOG_LEVEL: 'silent' });
  const { platform } = await openPlatform(config, { log: pino({ level: 'silent' }) }, releases);
  const { open, click } = linkSigners(platform);
  return {
    opens: rows.map((message) => `/t/o/${signMessage(open, message)}`),
    clicks: rows.map((message) => `/t/c/${signMessage(click, message, 'https://shop.example/p/lamp')}`),
  };
}

function post(path: string, apiKey: string, body: string): LoadRequest {
  return { method: 'POST', path, headers: { 'x-api-key': apiKey, 'content-type': 'application/json' }, body };
}

function repeat(url: string, count: number, request: (n: number) => LoadRequest): Promise<void> {
  const requests = Array.from({ length: count }, (_, n) => request(n));
  return callEach(url, requests, CONNECTIONS);
}
