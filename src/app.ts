/** One process, built from its configuration: database, jobs, ledgers, features and the HTTP server. */
import { mkdir } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { lockDataFolder } from './db/data-folder-lock.ts';
import { createDatabase } from './db/database.ts';
import { migrate } from './db/migrator.ts';
import { openEmbeddedPool, openServerPool, type SqlPool } from './db/pool.ts';
import { features } from './features/index.ts';
import { type Drain, watchConnections } from './http/drain.ts';
import type { Route } from './http/route.ts';
import { buildServer } from './http/server.ts';
import { jobLedger, startSchedules } from './jobs/job-ledger.ts';
import { createJobs } from './jobs/jobs.ts';
import { retentionJob } from './jobs/retention.ts';
import { createLedgers } from './ledger/ledgers.ts';
import { createMailTransport } from './mail/transport.ts';
import { createMetrics, type Metrics } from './observe/metrics.ts';
import { createObserver } from './observe/observer.ts';
import { createOutboundClient } from './outbound/outbound-client.ts';
import { type Clock, DrainState, type Platform } from './platform.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { createTokenSigner } from './secrets/signed-tokens.ts';
import { ScopedDb } from './tenancy/scoped-db.ts';
import { ScopedTables } from './tenancy/scoped-tables.ts';
import { version } from './version.ts';

/** How long requests and jobs may take to finish after a stop was asked for, milliseconds (decisions section 1). */
const DRAIN_MS = 30_000;
/** When messages that a relay has still not answered for are given up, so that the drain ends in time. */
const MAIL_DRAIN_MS = 20_000;

/** A running process. */
export interface App {
  readonly platform: Platform;
  readonly server: FastifyInstance;
  /** Finishes what was begun, at most 30 s, and lets everything go. */
  stop(): Promise<void>;
}

/** What a process is made of beside its configuration. */
export interface AppOptions {
  readonly log: Logger;
  readonly clock?: Clock;
  /** Runs once the database and the features are ready, before anybody can call. */
  readonly prepare?: (platform: Platform) => Promise<void>;
}

/**
 * Starts a process and listens.
 * @throws when the data folder is in use, the database cannot be reached or migrated, or the port is taken.
 */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const releases: (() => Promise<void> | void)[] = [];
  const release = async () => {
    for (const each of releases.reverse()) await each();
  };
  try {
    const sqlPool = await openDatabase(config, (each) => releases.push(each));
    await migrate(sqlPool);
    return await startOn(sqlPool, config, options, releases);
  } catch (error) {
    await release();
    throw error;
  }
}

async function openDatabase(config: Config, onClose: Platform['onClose']): Promise<SqlPool> {
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 });
  if (config.databaseUrl !== null) {
    const pool = openServerPool(config.databaseUrl);
    onClose(() => pool.close());
    return pool;
  }
  const lock = await lockDataFolder(config.dataDir);
  onClose(() => lock.release());
  const pool = await openEmbeddedPool(config.dataDir);
  onClose(() => pool.close());
  return pool;
}

async function startOn(
  sqlPool: SqlPool,
  config: Config,
  { log, clock = () => new Date(), prepare }: AppOptions,
  releases: (() => Promise<void> | void)[],
): Promise<App> {
  const metrics = createMetrics();
  const address = { port: config.port };
  const platform = await createPlatform(sqlPool, config, { clock, metrics, log, address, releases });
  const jobs = [
    retentionJob(features.flatMap((feature) => feature.retentions ?? [])),
    ...features.flatMap((feature) => feature.jobs ?? []),
  ];
  for (const feature of features) await feature.start?.(platform);
  await prepare?.(platform);
  const server = buildServer(platform, routesOf(config.role));
  const drain = watchConnections(server.server);
  address.port = await listen(server, platform);
  if (config.role !== 'api') {
    await startSchedules(platform, jobs);
    const ledgers = features.flatMap((feature) => feature.ledgers ?? []);
    await platform.ledgers.start(platform, [jobLedger(jobs), ...ledgers]);
  }
  platform.observe({
    event: 'process.started',
    url: platform.publicUrl(),
    role: config.role,
    database: sqlPool.kind,
  });
  let stopped: Promise<void> | null = null;
  return {
    platform,
    server,
    stop: () => {
      stopped ??= stop(platform, server, drain, releases);
      return stopped;
    },
  };
}

interface PlatformParts {
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly address: { port: number };
  readonly releases: (() => Promise<void> | void)[];
}

async function createPlatform(sqlPool: SqlPool, config: Config, parts: PlatformParts): Promise<Platform> {
  const { clock, metrics, log, address, releases } = parts;
  const observe = createObserver(log, metrics);
  const database = createDatabase(sqlPool);
  const ledgers = createLedgers();
  const tables = await ScopedTables.load(database);
  const outbound = createOutboundClient({
    allowPrivate: config.outboundAllowPrivate,
    version,
    timeoutMs: config.webhookTimeoutSeconds * 1000,
  });
  releases.push(() => outbound.close());
  const scoped = ScopedDb.opener(database, tables);
  const mail = createMailTransport(config, { clock, scoped });
  releases.push(() => mail.close());
  return {
    config,
    version,
    clock,
    observe,
    metrics,
    database,
    secrets: createSecretBox(config.secretKey),
    tokens: createTokenSigner(config.secretKey),
    outbound,
    mail,
    jobs: createJobs({ clock, ledgers }),
    ledgers,
    drain: new DrainState(),
    publicUrl: () => config.publicUrl ?? `http://localhost:${address.port}`,
    tables,
    scoped,
    onClose: (release) => {
      releases.push(release);
    },
  };
}

/** A worker serves only what an operator asks of it: health and metrics. */
function routesOf(role: Config['role']): Route[] {
  const served = role === 'worker' ? features.filter((feature) => feature.name === 'operations') : features;
  return served.flatMap((feature) => [...feature.routes]);
}

/** Listens and tells the port; a worker whose port is taken by an API process beside it works without one. */
async function listen(server: FastifyInstance, { config, observe }: Platform): Promise<number> {
  try {
    await server.listen({ port: config.port, host: config.host });
  } catch (error) {
    if (
      config.role !== 'worker' ||
      !(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')
    )
      throw error;
    observe({ event: 'background.failed', task: `listen on ${config.port} for health checks`, error });
  }
  const address = server.server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

async function stop(
  platform: Platform,
  server: FastifyInstance,
  drain: Drain,
  releases: (() => Promise<void> | void)[],
): Promise<void> {
  const mailEnd = setTimeout(() => void platform.mail.close(), MAIL_DRAIN_MS);
  // Attempts that outlive the drain come back when their lease ends.
  const late = new AbortController();
  const drained = Promise.all([
    drain.end(DRAIN_MS, () => {
      platform.drain.start();
    }),
    platform.ledgers.stop(),
  ]);
  await Promise.race([drained, pause(DRAIN_MS, undefined, { signal: late.signal }).catch(() => {})]);
  late.abort();
  clearTimeout(mailEnd);
  await server.close();
  for (const release of releases.reverse()) await release();
  platform.observe({ event: 'process.stopped' });
}
