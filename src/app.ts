/** A serving process: the platform with its jobs, work queues, features and the HTTP server. */
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { type Config, ConfigError } from './config.ts';
import { codeOf } from './errors/error-code.ts';
import { features } from './features/index.ts';
import { type Drain, watchConnections } from './http/drain.ts';
import type { Route } from './http/route.ts';
import { buildServer } from './http/server.ts';
import { jobQueue, startSchedules } from './jobs/job-queue.ts';
import { retentionJob } from './jobs/retention.ts';
import { LLM_NOT_CONFIGURED } from './model-provider/errors.ts';
import { type OpenPlatform, openPlatform, type PlatformOptions, sealedColumns } from './open-platform.ts';
import type { Platform } from './platform.ts';
import { reencryptionJob } from './secrets/reencryption-job.ts';
import { startWorkQueues, stopWorkQueues } from './work-queue/work-queues.ts';

/**
 * Time for requests and jobs to finish after a stop request, in ms
 * (docs/specification/running.md#stopping).
 */
const DRAIN_MS = 30_000;
/** Time after which unanswered messages are abandoned, so that the drain ends in time, in ms. */
const MAIL_DRAIN_MS = 20_000;

/** A running process. */
export interface App {
  readonly platform: Platform;
  readonly server: FastifyInstance;
  /** Finishes work under way within 30 s, and releases all resources. */
  stop(): Promise<void>;
}

/** Options of a process in addition to its configuration. */
export interface AppOptions extends PlatformOptions {
  /** Runs once the server listens, so that a start that fails for its port has prepared nothing. */
  readonly prepare?: (platform: Platform) => Promise<void>;
  /** Aborts a start between two steps: {@link startApp} rejects with the signal's reason. */
  readonly stopRequest?: AbortSignal;
}

/**
 * Starts a process and listens.
 * @throws if the data folder is in use, the database cannot be reached or migrated, SECRET_KEY does not match the
 * database, the port is taken, or a stop was requested.
 */
export async function startApp(config: Config, options: AppOptions): Promise<App> {
  const releases = new AsyncDisposableStack();
  try {
    const open = await openPlatform(config, options, releases);
    options.stopRequest?.throwIfAborted();
    return await startOn(open, options, releases);
  } catch (error) {
    await releases.disposeAsync();
    throw error;
  }
}

async function startOn(
  { platform, address }: OpenPlatform,
  { prepare, stopRequest }: AppOptions,
  releases: AsyncDisposableStack,
): Promise<App> {
  const { config, database } = platform;
  const jobs = [
    retentionJob(features.flatMap((feature) => feature.retentions ?? [])),
    reencryptionJob(sealedColumns),
    ...features.flatMap((feature) => feature.jobs ?? []),
  ];
  for (const { extensions = [] } of features) for (const extension of extensions) extension.install(platform);
  for (const feature of features) await feature.start?.(platform);
  const { isRecordPath } = features.find((feature) => feature.isRecordPath) ?? {};
  const server = buildServer(platform, routesOf(config), isRecordPath ? { isRecordPath } : {});
  const drain = watchConnections(server.server);
  address.port = await listen(server, platform);
  platform.start.enter('preparing the first tenant');
  await prepare?.(platform);
  stopRequest?.throwIfAborted();
  platform.start.enter('starting background work');
  if (config.role !== 'api') {
    await startSchedules(platform, jobs);
    const workQueues = features.flatMap((feature) => feature.workQueues ?? []);
    await startWorkQueues(platform, [jobQueue(jobs), ...workQueues]);
  }
  // Report readiness last, when everything works and credentials are printed.
  platform.start.finish();
  platform.observe({
    event: 'process.started',
    url: platform.publicUrl(),
    role: config.role,
    database: database.kind,
  });
  // Log this once: calls that need a provider answer 503 and are not logged.
  if (config.llmBaseUrl === null)
    platform.observe({ event: 'model_provider.missing', message: LLM_NOT_CONFIGURED.message });
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

/** Returns the routes that a process serves. A worker serves only health and metrics. */
function routesOf(config: Config): Route[] {
  return features
    .filter(({ name, isServed }) =>
      config.role === 'worker' ? name === 'operations' : (isServed?.(config) ?? true),
    )
    .flatMap((feature) => [...feature.routes]);
}

/** Listens and returns the port. A worker whose port is taken by an API process runs without one. */
async function listen(server: FastifyInstance, { config, observe }: Platform): Promise<number> {
  try {
    await server.listen({ port: config.port, host: config.host });
  } catch (error) {
    if (config.role !== 'worker' || codeOf(error) !== 'EADDRINUSE') throw listenFailure(config, error);
    observe({ event: 'background.failed', task: `listen on ${config.port} for health checks`, error });
  }
  const address = server.server.address();
  return typeof address === 'object' && address !== null ? address.port : config.port;
}

/** Converts a listen error to one that names the variable to change. */
function listenFailure({ port, host }: Config, cause: unknown): ConfigError {
  const code = codeOf(cause);
  if (code === 'EADDRINUSE')
    return new ConfigError('PORT', `${port} on ${host} is in use by another process. Set another one.`, {
      cause,
    });
  if (code === 'EACCES')
    return new ConfigError('PORT', `${port} may not be used by this account. Set one above 1023.`, { cause });
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new ConfigError('HOST', `${host} cannot be listened on: ${reason}`, { cause });
}

async function stop(
  platform: Platform,
  server: FastifyInstance,
  drain: Drain,
  releases: AsyncDisposableStack,
): Promise<void> {
  const mailEnd = setTimeout(() => void platform.mail.close(), MAIL_DRAIN_MS);
  // Attempts that outlive the drain are repeated when their lease ends.
  const drained = Promise.all([drain.end(DRAIN_MS, () => platform.drain.start()), stopWorkQueues(platform)]);
  await Promise.race([drained, pause(DRAIN_MS, undefined, { ref: false })]);
  clearTimeout(mailEnd);
  await server.close();
  await releases.disposeAsync();
  platform.observe({ event: 'process.stopped' });
}
