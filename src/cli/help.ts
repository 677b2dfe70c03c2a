import { CONFIG_VARIABLES } from '../config.ts';
import type { Command } from './command.ts';

const EXIT_CODES = ['Exit codes: 0 success, 1 failure (with one line on standard error), 2 usage error.'];

/** Returns the output of `tessera --help`. */
export function describeAll(commands: readonly Command[]): string {
  return toText([
    'Usage: tessera COMMAND [OPTIONS]',
    '',
    ...toColumns(commands.map(({ name, summary }) => [name, summary])),
    '',
    'tessera COMMAND --help describes one command, tessera --version prints the version.',
    'Configuration is by environment variables: tessera serve --help lists them.',
    '',
    ...EXIT_CODES,
  ]);
}

/** Returns the output of `tessera COMMAND --help`. */
export function describeCommand({
  name,
  summary,
  details,
  arguments: expected = [],
  options = {},
}: Command): string {
  const listed = Object.entries(options).map(
    ([option, { value, description, required }]): [string, string] => [
      value === undefined ? `--${option}` : `--${option} ${value}`,
      required ? `${description} Required.` : description,
    ],
  );
  const usage = [
    'tessera',
    name,
    ...expected.map((each) => each.name),
    ...(listed.length > 0 ? ['[OPTIONS]'] : []),
  ];
  return toText([
    `Usage: ${usage.join(' ')}`,
    '',
    `${summary}.`,
    ...details,
    '',
    ...toColumns([
      ...expected.map((each) => [each.name, each.description] as const),
      ...listed,
      ['--help', 'Show this help.'],
    ]),
    '',
    ...EXIT_CODES,
  ]);
}

/** Returns all configuration variables with their defaults, for the help of `serve`. */
export function describeVariables(): string[] {
  return CONFIG_VARIABLES.map(
    (variable) => `  ${variable.name}${variable.default === null ? '' : `=${variable.default}`}`,
  );
}

function toColumns(rows: readonly (readonly [left: string, right: string])[]): string[] {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`);
}

function toText(lines: readonly string[]): string {
  return `${lines.join('\n')}\n`;
}
