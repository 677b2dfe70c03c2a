import { stdout } from 'node:process';
import { type App, type AppOptions, startApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createFirstTenant, describeFirstCredentials } from '../features/operations/api.ts';
import { collectWhenIdle } from '../idle-collection.ts';
import { createLog } from '../observe/log.ts';
import { stopRequest } from '../stop-request.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { describeVariables } from './help.ts';
import { loadStartConfig } from './with-platform.ts';

/** Time limit of a drain, in ms; after that, the process exits anyway. */
const FORCED_EXIT_MS = 35_000;

/** Starts the service. */
export const serve: Command = {
  name: 'serve',
  summary: 'Starts the service, until SIGTERM or SIGINT',
  details: [
    'Environment variables configure it (defaults after =); docs/operating.md explains them:',
    '',
    ...describeVariables(),
  ],
  run: async () => {
    const config = loadStartConfig();
    const app = await startUnlessStopped(config, {
      stopRequest,
      log: createLog(config.logLevel),
      prepare: async (platform) => {
        const firstAccess = await createFirstTenant(platform);
        if (firstAccess) stdout.write(describeFirstCredentials(firstAccess));
      },
    });
    if (app === null) process.exit(0);
    collectWhenIdle(app.platform);
    stdout.write(`Tessera ${version} runs at ${app.platform.publicUrl()}\n`);
    if (stopRequest.aborted) await stopAndExit(app);
    else stopRequest.addEventListener('abort', () => void stopAndExit(app), { once: true });
  },
};

/** Starts the app; returns null if a stop was requested before. @throws the errors of `startApp`. */
async function startUnlessStopped(config: Config, options: AppOptions): Promise<App | null> {
  try {
    return await startApp(config, options);
  } catch (error) {
    if (stopRequest.aborted && error === stopRequest.reason) return null;
    throw error;
  }
}

async function stopAndExit(app: App): Promise<void> {
  app.platform.observe({ event: 'process.draining', signal: stopRequest.reason });
  setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
  await app.stop();
  process.exit(0);
}
