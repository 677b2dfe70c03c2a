/** What a command of `tessera` is: data, from which its arguments are read and its help is written. */
import { parseArgs } from 'node:util';
import type { Issue } from '../errors/app-error.ts';

/** An option, `--name` or `--name VALUE`. */
export interface CommandOption {
  /** What stands for the value in the help; absent: the option takes none. */
  readonly value?: string;
  readonly meaning: string;
  readonly required?: boolean;
  /** What faults of the value are told of, where that is not the option's name. */
  readonly field?: string;
}

/** One command. */
export interface Command {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** What it does beyond that, in lines of at most 100 characters. */
  readonly details: readonly string[];
  /** What may stand without an option. */
  readonly argument?: { readonly name: string; readonly meaning: string };
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Rejects with an error whose message is one line; the process then ends with 1. */
  readonly run: (input: CommandInput) => Promise<void>;
}

/** What was given. */
export interface CommandInput {
  /** The argument without an option; empty when the command has none. */
  readonly argument: string;
  /** The value of an option; undefined when it was not given. */
  text(option: string): string | undefined;
  has(option: string): boolean;
}

/** The command was called wrongly; the process ends with 2. The message is one line. */
export class UsageError extends Error {}

/** Reads what follows the name of a command. @throws UsageError */
export function readInput(command: Command, args: readonly string[]): CommandInput {
  const { name, argument, options = {} } = command;
  const { values, positionals } = parse(command, args);
  const missing = Object.keys(options).find((option) => options[option]?.required && !values[option]);
  if (missing !== undefined) throw wrong(name, `--${missing} is missing`);
  if (argument !== undefined && positionals.length !== 1)
    throw wrong(
      name,
      positionals.length === 0 ? `${argument.name} is missing` : 'there is one argument too many',
    );
  return {
    argument: positionals[0] ?? '',
    text: (option) => {
      const value = values[option];
      return typeof value === 'string' ? value : undefined;
    },
    has: (option) => values[option] !== undefined,
  };
}

interface Parsed {
  readonly values: Readonly<Record<string, unknown>>;
  readonly positionals: readonly string[];
}

function parse({ name, argument, options = {} }: Command, args: readonly string[]): Parsed {
  const types = Object.entries(options).map(([option, { value }]) => [
    option,
    { type: value === undefined ? ('boolean' as const) : ('string' as const) },
  ]);
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(types),
      allowPositionals: argument !== undefined,
    });
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw wrong(name, reason);
  }
}

/** What was given is refused by the rules of what it fills. */
export function refusedInput({ name, options = {} }: Command, issues: readonly Issue[]): UsageError {
  const faults = issues.map(({ field = '', message }) => {
    const option = Object.entries(options).find(([key, each]) => (each.field ?? key) === field)?.[0];
    return `${option === undefined ? field : `--${option}`} ${message}`;
  });
  return wrong(name, faults.join('; '));
}

function wrong(name: string, reason: string): UsageError {
  return new UsageError(`tessera ${name}: ${reason} (tessera ${name} --help)`);
}
