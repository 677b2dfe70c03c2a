import type { Platform } from '../platform.ts';

/** Paths of pages of the console; null: the console is off. */
export interface ConsolePaths {
  readonly home: string | null;
  readonly signIn: string | null;
  readonly forgotPassword: string | null;
}

/** Returns paths for links on pages of the console's host, below the path of CONSOLE_URL. */
export function consolePaths({ config, consoleUrl }: Platform): ConsolePaths {
  if (!config.console) return { home: null, signIn: null, forgotPassword: null };
  const home = `${basePath(consoleUrl())}/console`;
  return { home, signIn: `${home}/sign-in`, forgotPassword: `${home}/forgot-password` };
}

/** Returns the path of a base URL without a trailing slash: empty at the root of a host. */
export function basePath(url: string): string {
  return new URL(url).pathname.replace(/\/$/, '');
}
