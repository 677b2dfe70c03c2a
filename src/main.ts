import './thread-pool.ts';
import { writeFile } from 'node:fs/promises';
import { stdout } from 'node:process';
import { pino } from 'pino';
import { startApp } from './app.ts';
import { loadConfig } from './config.ts';
import { features } from './features/index.ts';
import { createFirstTenant, describeFirstAccess } from './features/tenants/index.ts';
import { buildOpenApi } from './http/openapi.ts';
import { version } from './version.ts';

/** A drain that takes longer than this has lost something; the process ends without it. */
const FORCED_EXIT_MS = 35_000;

async function serve(): Promise<void> {
  const config = loadConfig();
  const log = pino({ level: config.logLevel });
  const app = await startApp(config, {
    log,
    prepare: async (platform) => {
      const firstAccess = await createFirstTenant(platform);
      if (firstAccess) stdout.write(describeFirstAccess(firstAccess));
    },
  });
  stdout.write(`Tessera ${version} runs at ${app.platform.publicUrl()}\n`);
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, async () => {
      app.platform.observe({ event: 'process.draining', signal });
      setTimeout(() => process.exit(1), FORCED_EXIT_MS).unref();
      await app.stop();
      process.exit(0);
    });
  }
}

async function writeOpenApi(path: string): Promise<void> {
  await writeFile(path, `${JSON.stringify(buildOpenApi(features), null, 2)}\n`);
}

const [command = 'serve', argument] = process.argv.slice(2);
try {
  if (command === 'serve') await serve();
  else if (command === 'openapi') await writeOpenApi(argument ?? 'openapi.json');
  else throw new Error(`Unknown command "${command}". Use serve or openapi.`);
} catch (error) {
  stdout.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
}
