import { stdout } from 'node:process';
import { startApp } from '../app.ts';
import { createFirstTenant, describeFirstAccess } from '../features/tenants/index.ts';
import { createLog } from '../observe/log.ts';
import { collectWhenQuiet } from '../quiet-collection.ts';
import { version } from '../version.ts';
import type { Command } from './command.ts';
import { describeVariables } from './help.ts';
import { loadStartConfig } from './with-platform.ts';

/** A drain that takes longer than this has lost something; the process ends without it. */
const FORCED_EXIT_MS = 35_000;

/** Starts the service. */
export const serve: Command = {
  name: 'serve',
  summary: 'Starts the service, until SIGTERM or SIGINT',
  details: [
    'What it does is set by environment variables (defaults after =); docs/operating.md explains them:',
    '',
    ...describeVariables(),
  ],
  run: async () => {
    const config = loadStartConfig();
    const app = await startApp(config, {
      log: createLog(config.logLevel),
      prepare: async (platform) => {
        const firstAccess = await createFirstTenant(platform);
        if (firstAccess) stdout.write(describeFirstAccess(firstAccess));
      },
    });
    collectWhenQuiet(app.platform);
    stdout.write(`Tessera ${version} runs at ${app.platform.publicUrl()}\n`);
    for (const signal of ['SIGTERM', 'SIGINT'] as const) {
      process.once(signal, async () => {
        app.platform.observe({ event: 'process.draining', signal });
        setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
        await app.stop();
        process.exit(0);
      });
    }
  },
};
