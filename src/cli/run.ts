import { stderr, stdout } from 'node:process';
import { AppError } from '../errors/app-error.ts';
import { version } from '../version.ts';
import { type Command, readInput, refusedInput, UsageError } from './command.ts';
import { describeAll, describeCommand } from './help.ts';

/** Loaders of all commands by name: most commands need only a part of the code, and loading it all takes seconds. */
const LOADERS: Readonly<Record<string, () => Promise<Command>>> = {
  serve: async () => (await import('./serve.ts')).serve,
  migrate: async () => (await import('./migrate.ts')).migrate,
  shard: async () => (await import('./shard.ts')).shard,
  check: async () => (await import('./check.ts')).check,
  'create-tenant': async () => (await import('./create-tenant.ts')).createTenant,
  'update-tenant': async () => (await import('./update-tenant.ts')).updateTenant,
  'delete-tenant': async () => (await import('./delete-tenant.ts')).deleteTenant,
  'create-key': async () => (await import('./create-key.ts')).createKey,
  'set-password': async () => (await import('./set-password.ts')).setPassword,
  backup: async () => (await import('./backup.ts')).backup,
  restore: async () => (await import('./restore.ts')).restore,
  import: async () => (await import('./import.ts')).importData,
  openapi: async () => (await import('./openapi.ts')).openapi,
};

/** Loads all commands, in the order of the help. */
export function loadCommands(): Promise<Command[]> {
  return Promise.all(Object.values(LOADERS).map((load) => load()));
}

/**
 * Runs the command that the arguments name. Returns the exit code, or null if the process must keep running. Never
 * rejects: errors are reported in one line on standard error.
 */
export async function runCommand([name, ...args]: readonly string[]): Promise<number | null> {
  try {
    if (name === '--version') return print(`${version}\n`);
    if (name === '--help' || name === '-h' || name === 'help')
      return print(describeAll(await loadCommands()));
    if (name === undefined) throw new UsageError(describeAll(await loadCommands()).trimEnd());
    const load = Object.hasOwn(LOADERS, name) ? LOADERS[name] : undefined;
    if (load === undefined) throw new UsageError(`tessera: unknown command ${name} (tessera --help)`);
    const command = await load();
    if (args.includes('--help') || args.includes('-h')) return print(describeCommand(command));
    await run(command, args);
    return name === 'serve' ? null : 0;
  } catch (error) {
    stderr.write(`${error instanceof Error ? error.message : error}\n`);
    return error instanceof UsageError ? 2 : 1;
  }
}

async function run(command: Command, args: readonly string[]): Promise<void> {
  try {
    await command.run(readInput(command, args));
  } catch (error) {
    throw error instanceof AppError && error.issues ? refusedInput(command, error.issues) : error;
  }
}

function print(text: string): number {
  stdout.write(text);
  return 0;
}
