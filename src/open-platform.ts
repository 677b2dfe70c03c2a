/** Creates a platform from its configuration, for commands and for the server. */

import type { Logger } from 'pino';
import type { Config } from './config.ts';
import { createDatabase } from './db/database.ts';
import { migrate } from './db/migrator.ts';
import { openDatabase } from './db/open-database.ts';
import { features } from './features/index.ts';
import { createJobs } from './jobs/jobs.ts';
import { createMailTransport } from './mail/configured-transport.ts';
import { createMetrics } from './observe/metrics.ts';
import { createObserver } from './observe/observer.ts';
import { createOutboundClient } from './outbound/outbound-client.ts';
import { type Clock, DrainState, type Platform, StartState } from './platform.ts';
import { createSecretBox } from './secrets/secret-box.ts';
import { checkSecretKeys } from './secrets/secret-keys.ts';
import { createTokenSigner } from './secrets/signed-tokens.ts';
import { createFileStorage } from './storage/create-storage.ts';
import { ScopedDb } from './tenancy/scoped-db.ts';
import { ScopedTables } from './tenancy/scoped-tables.ts';
import { version } from './version.ts';
import { createWorkQueues } from './work-queue/work-queues.ts';

/** Options of a platform in addition to its configuration. */
export interface PlatformOptions {
  readonly log: Logger;
  readonly clock?: Clock;
}

/** An open platform; the server sets `address.port` when it listens. */
export interface OpenPlatform {
  readonly platform: Platform;
  readonly address: { port: number };
}

/** All columns with encrypted secrets. */
export const sealedColumns = features.flatMap((feature) => feature.sealed ?? []);

/**
 * Opens and migrates the database and checks SECRET_KEY. `releases` closes all resources.
 * @throws if the data folder is in use, the database cannot be reached or migrated, or SECRET_KEY does not match it.
 */
export async function openPlatform(
  config: Config,
  { log, clock = () => new Date() }: PlatformOptions,
  releases: AsyncDisposableStack,
): Promise<OpenPlatform> {
  const sqlPool = await openDatabase(config, releases);
  await migrate(sqlPool);
  const metrics = createMetrics();
  const observe = createObserver(log, metrics);
  const database = await createDatabase(sqlPool, {
    onNodeUnavailable: (error) =>
      observe({ event: 'background.failed', task: 'ask a node of the database', error }),
    limits: { request: config.requestStatementSeconds * 1000, job: config.jobStatementSeconds * 1000 },
  });
  releases.defer(() => database.close());
  const secrets = createSecretBox(config);
  await checkSecretKeys(database, secrets, sealedColumns, clock());
  const workQueues = createWorkQueues();
  const tables = await ScopedTables.load(database);
  const outbound = createOutboundClient({
    allowPrivate: config.outboundAllowPrivate,
    version,
    timeoutMs: config.webhookTimeoutSeconds * 1000,
  });
  releases.defer(() => outbound.close());
  const scoped = ScopedDb.opener(database, tables);
  const mail = createMailTransport(config, { clock, scoped, observe });
  releases.defer(() => mail.close());
  const storage = createFileStorage(config);
  releases.defer(() => storage.close());
  const address = { port: config.port };
  const publicUrl = () => config.publicUrl ?? `http://localhost:${address.port}`;
  const platform: Platform = {
    config,
    version,
    clock,
    observe,
    metrics,
    database,
    secrets,
    tokens: createTokenSigner(config),
    outbound,
    mail,
    storage,
    jobs: createJobs({ clock, workQueues }),
    workQueues,
    drain: new DrainState(),
    start: new StartState(),
    publicUrl,
    consoleUrl: () => config.consoleUrl ?? publicUrl(),
    tables,
    scoped,
    onClose: (release) => {
      releases.defer(release);
    },
  };
  return { platform, address };
}
