/** How one environment variable is described and read. The table of them is in config.ts. */
import { ConfigValueError, type ValueParser } from './config-values.ts';

/** A variable is missing or wrong. The message is one line that names it and says what is wrong. */
export class ConfigError extends Error {
  constructor(variable: string, problem: string, options?: ErrorOptions) {
    super(`${variable} ${problem}`.replaceAll(/\s*[\r\n]+\s*/g, ' '), options);
    this.name = 'ConfigError';
  }
}

/** What the operator is told about a variable. `default` is the text that would be set; null when there is none. */
export interface VariableDescription {
  readonly name: string;
  readonly default: string | null;
  readonly meaning: string;
}

/** A variable and the way its value comes about. */
export interface Variable<T> extends VariableDescription {
  /** Takes the text of a set variable, or undefined when it is absent or blank. */
  read(text: string | undefined): T;
}

interface VariableOptions {
  /** Set for values that may hold a secret: they are never repeated in an error. */
  secret?: boolean;
}

/** What a table of variables holds once it is read. */
export type ValuesOf<T> = { readonly [K in keyof T]: T[K] extends Variable<infer V> ? V : never };

/** Reads a table of variables; blank ones count as absent. @throws ConfigError for the first that is wrong. */
export function readAll<T extends Readonly<Record<string, Variable<unknown>>>>(
  variables: T,
  env: Readonly<Record<string, string | undefined>>,
): ValuesOf<T> {
  const entries = Object.entries(variables).map(([key, variable]) => {
    const value = variable.read(env[variable.name]?.trim() || undefined);
    return [key, Array.isArray(value) ? Object.freeze(value) : value] as const;
  });
  // The one place where a table read key by key becomes the object that its type tells.
  return Object.fromEntries(entries) as ValuesOf<T>;
}

/** A variable that always has a value. */
export function withDefault<T>(
  name: string,
  defaultText: string,
  meaning: string,
  parse: ValueParser<T>,
): Variable<T> {
  return { name, default: defaultText, meaning, read: (text) => shown(name, parse, text ?? defaultText) };
}

/** A variable that may be absent, which `meaning` explains. */
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

/** Parses, repeating the faulty text in the error. */
function shown<T>(name: string, parse: ValueParser<T>, text: string): T {
  return parsed(name, parse, text, '', `, not ${JSON.stringify(text.slice(0, 80))}`);
}

/** Parses without repeating the text in the error. @throws ConfigError */
export function parsed<T>(name: string, parse: ValueParser<T>, text: string, before = '', after = ''): T {
  try {
    return parse(text);
  } catch (error) {
    if (!(error instanceof ConfigValueError)) throw error;
    throw new ConfigError(name, `${before}${error.message}${after}`);
  }
}
