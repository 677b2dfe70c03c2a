/** A command of `tessera` as data, from which its arguments are parsed and its help is written. */
import { parseArgs } from 'node:util';
import type { Issue } from '../errors/app-error.ts';

/** An option, `--name` or `--name VALUE`. */
export interface CommandOption {
  /** Placeholder of the value in the help; absent: the option takes none. */
  readonly value?: string;
  readonly description: string;
  readonly required?: boolean;
  /** The field that errors of the value name, if it differs from the option's name. */
  readonly field?: string;
}

/** One command. */
export interface Command {
  readonly name: string;
  /** One line, for the list of commands. */
  readonly summary: string;
  /** Further lines of help, at most 100 characters each. */
  readonly details: readonly string[];
  /** The positional arguments, all required. */
  readonly arguments?: readonly { readonly name: string; readonly description: string }[];
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Runs the command. Rejects with an error whose message is one line; the process then exits with 1. */
  readonly run: (input: CommandInput) => Promise<void>;
}

/** The parsed command line. */
export interface CommandInput {
  /** Returns a positional argument by its place, from 0; empty when the command has none there. */
  argument(index: number): string;
  /** Returns the value of an option; undefined when it is absent. */
  text(option: string): string | undefined;
  has(option: string): boolean;
}

/** Wrong usage of a command; the process exits with 2. The message is one line. */
export class UsageError extends Error {}

/** Parses the arguments of a command. @throws UsageError */
export function readInput(command: Command, args: readonly string[]): CommandInput {
  const { name, arguments: expected = [], options = {} } = command;
  const { values, positionals } = parse(command, args);
  const missing = Object.keys(options).find((option) => options[option]?.required && !values[option]);
  if (missing !== undefined) throw wrong(name, `--${missing} is missing`);
  const missingArgument = expected[positionals.length];
  if (missingArgument !== undefined) throw wrong(name, `${missingArgument.name} is missing`);
  if (positionals.length > expected.length) throw wrong(name, 'there are too many arguments');
  return {
    argument: (index) => positionals[index] ?? '',
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

function parse({ name, arguments: expected, options = {} }: Command, args: readonly string[]): Parsed {
  const types = Object.entries(options).map(([option, { value }]) => [
    option,
    { type: value === undefined ? ('boolean' as const) : ('string' as const) },
  ]);
  try {
    return parseArgs({
      args: [...args],
      options: Object.fromEntries(types),
      allowPositionals: expected !== undefined,
    });
  } catch (error) {
    const [reason = ''] = String(error instanceof Error ? error.message : error).split('. ');
    throw wrong(name, reason);
  }
}

/** The error for values that the rules of their fields refuse. */
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
