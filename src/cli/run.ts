import { stderr, stdout } from 'node:process';
import { AppError } from '../errors/app-error.ts';
import { version } from '../version.ts';
import { backup } from './backup.ts';
import { check } from './check.ts';
import { type Command, readInput, refusedInput, UsageError } from './command.ts';
import { createKey } from './create-key.ts';
import { createTenant } from './create-tenant.ts';
import { deleteTenant } from './delete-tenant.ts';
import { describeAll, describeCommand } from './help.ts';
import { importData } from './import.ts';
import { migrate } from './migrate.ts';
import { openapi } from './openapi.ts';
import { restore } from './restore.ts';
import { serve } from './serve.ts';
import { setPassword } from './set-password.ts';
import { shard } from './shard.ts';
import { updateTenant } from './update-tenant.ts';

/** All commands. */
export const commands: readonly Command[] = [
  serve,
  migrate,
  shard,
  check,
  createTenant,
  updateTenant,
  deleteTenant,
  createKey,
  setPassword,
  backup,
  restore,
  importData,
  openapi,
];

/**
 * Runs the command that the arguments name. Returns the exit code, or null if the process must keep running. Never
 * rejects: errors are reported in one line on standard error.
 */
export async function runCommand([name, ...args]: readonly string[]): Promise<number | null> {
  try {
    if (name === '--version') return print(`${version}\n`);
    if (name === '--help' || name === '-h' || name === 'help') return print(describeAll(commands));
    const command = commands.find((each) => each.name === name);
    if (command === undefined)
      throw new UsageError(
        name === undefined
          ? describeAll(commands).trimEnd()
          : `tessera: unknown command ${name} (tessera --help)`,
      );
    if (args.includes('--help') || args.includes('-h')) return print(describeCommand(command));
    await run(command, args);
    return command === serve ? null : 0;
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
