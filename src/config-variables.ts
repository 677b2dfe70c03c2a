/** Declaration of environment variables. Their table is in config-table.ts. */
import { ConfigValueError, type ValueParser } from './config-values.ts';

/** Thrown for a missing or invalid variable. The message is one line with its name and the problem. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string, options?: ErrorOptions) {
    super(`${variable} ${problem}`.replaceAll(/\s*[\r\n]+\s*/g, ' '), options);
    this.name = 'ConfigError';
  }
}

/** Documentation of a variable. `default` is the text that would be set; null: there is none. */
export interface VariableDescription {
  readonly name: string;
  readonly default: string | null;
  readonly meaning: string;
}

/** A variable with its parser. */
export interface Variable<T> extends VariableDescription {
  /** Returns the value of the text; undefined: the variable is absent or blank. */
  read(text: string | undefined): T;
}

interface VariableOptions {
  /** True for values that may be secret; errors do not show them. */
  secret?: boolean;
}

/** Values of a table of variables. */
export type ValuesOf<T> = { readonly [K in keyof T]: T[K] extends Variable<infer V> ? V : never };

/** Reads a table of variables; blank ones count as absent. @throws ConfigError for the first invalid one. */
export function readAll<T extends Readonly<Record<string, Variable<unknown>>>>(
  variables: T,
  env: Readonly<Record<string, string | undefined>>,
): ValuesOf<T> {
  const entries = Object.entries(variables).map(([key, variable]) => {
    const value = variable.read(env[variable.name]?.trim() || undefined);
    return [key, Array.isArray(value) ? Object.freeze(value) : value] as const;
  });
  // The compiler cannot derive the type of an object that is built key by key.
  return Object.fromEntries(entries) as ValuesOf<T>;
}

/** Declares a variable with a default. */
export function withDefault<T>(
  name: string,
  defaultText: string,
  meaning: string,
  parse: ValueParser<T>,
): Variable<T> {
  return { name, default: defaultText, meaning, read: (text) => shown(name, parse, text ?? defaultText) };
}

/** Declares a variable that may be absent; `meaning` explains that case. */
export function optional<T>(
  name: string,
  meaning: string,
  parse: ValueParser<T>,
  options: VariableOptions = {},
): Variable<T | null> {
  const check = options.secret === true ? parsed : shown;
  return {
    name,
    default: null,
    meaning,
    read: (text) => (text === undefined ? null : check(name, parse, text)),
  };
}

/** Parses a text; errors show the invalid text. */
function shown<T>(name: string, parse: ValueParser<T>, text: string): T {
  return parsed(name, parse, text, '', `, not ${JSON.stringify(text.slice(0, 80))}`);
}

/** Parses a text; errors do not show it. @throws ConfigError */
export function parsed<T>(name: string, parse: ValueParser<T>, text: string, before = '', after = ''): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof ConfigValueError)) throw error;
    throw new ConfigError(name, `${before}${error.message}${after}`);
  }
}
