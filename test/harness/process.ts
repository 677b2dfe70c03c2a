import { type ChildProcess, spawn } from 'node:child_process';
import { after } from 'node:test';
import { closeConnections } from './client.ts';
import { COMPILE_CACHE } from './compile-cache.ts';
import { eventually } from './poll.ts';
import { ROOT } from './repository.ts';

const START_BOUND_MS = 120_000;
/** Running processes. */
const running = new Set<Spawned>();

// `after` does not run when a test file fails while it loads.
process.once('exit', () => {
  for (const { child } of running) child.kill('SIGKILL');
});

/** End of a process: its exit code, or the signal that ended it. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** A Tessera process, as an operator runs it. */
export interface TestProcess {
  readonly url: string;
  readonly pid: number;
  /** All of its output so far. */
  output(): string;
  /** Sends a signal and waits until the process has ended. */
  kill(signal: NodeJS.Signals): Promise<ProcessEnd>;
  /** Sends a signal without waiting; `ended` resolves when the process has ended. */
  signal(signal: NodeJS.Signals): void;
  readonly ended: Promise<ProcessEnd>;
}

/** A spawned process of a command. */
export interface Spawned {
  readonly child: ChildProcess;
  readonly ended: Promise<ProcessEnd>;
  output(): string;
  /** Its output on standard error. */
  errors(): string;
}

/**
 * Starts `serve` with exactly `env` on a free port, and waits until it is ready. It is killed after the file's tests.
 * @throws Error with its output if it ends instead.
 */
export async function startProcess(env: Readonly<Record<string, string>>): Promise<TestProcess> {
  const spawned = spawnTessera(['serve'], env);
  const { child, ended, output } = spawned;
  const url = await eventually('the process to listen', () => startedUrl(spawned), START_BOUND_MS);
  await eventually('the process to be ready', () => isReady(url), START_BOUND_MS);
  return {
    url,
    pid: child.pid ?? 0,
    output,
    ended,
    signal: (signal) => {
      child.kill(signal);
    },
    kill: (signal) => {
      // Not awaited, so that running requests continue.
      closeConnections();
      child.kill(signal);
      return ended;
    },
  };
}

/** Kills all processes. Call it before their databases are removed. */
export async function killProcesses(): Promise<void> {
  await Promise.all(
    [...running].map(({ child, ended }) => {
      child.kill('SIGKILL');
      return ended;
    }),
  );
}

/** Runs `serve` in an environment in which it fails to start; returns its exit code and output. */
export async function runRefusedProcess(
  env: Readonly<Record<string, string>>,
): Promise<ProcessEnd & { readonly output: string }> {
  const { ended, output } = spawnTessera(['serve'], env);
  return { ...(await ended), output: output() };
}

/** Runs a `tessera` command with exactly `env`; returns its exit code and output. `errors` is its standard error. */
export async function runTessera(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ readonly code: number | null; readonly output: string; readonly errors: string }> {
  const { ended, output, errors } = spawnTessera(args, env);
  return { code: (await ended).code, output: output(), errors: errors() };
}

/** Starts `serve` with exactly `env` without waiting for anything. It is killed after the file's tests. */
export function launchProcess(env: Readonly<Record<string, string>>): Spawned {
  return spawnTessera(['serve'], env);
}

/** Starts a command of `tessera` with exactly `env`. It is killed after the tests of the file. */
export function spawnTessera(args: readonly string[], env: Readonly<Record<string, string>>): Spawned {
  const child = spawn('bin/tessera', args, {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: COMPILE_CACHE,
      PORT: '0',
      LOG_LEVEL: 'info',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [output, errors] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    output += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    output += text;
    errors += text;
  });
  const ended = new Promise<ProcessEnd>((resolve) =>
    child.on('close', (code, signal) => resolve({ code, signal })),
  );
  const spawned = { child, ended, output: () => output, errors: () => errors };
  running.add(spawned);
  void ended.then(() => running.delete(spawned));
  after(killProcesses);
  return spawned;
}

/** Returns the URL in the startup log line, the only place with a port that the system has chosen. */
function startedUrl({ child, output }: Spawned): string | null {
  const end = child.exitCode ?? child.signalCode;
  if (end !== null) throw new Error(`The process ended with ${end}:\n${output()}`);
  const line = output()
    .split('\n')
    .find((text) => text.startsWith('{') && text.includes('"process.started"'));
  if (line === undefined) return null;
  const { url }: { url: string } = JSON.parse(line);
  return url.replace('//localhost:', '//127.0.0.1:');
}

async function isReady(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  );
}
