/** Servers under measurement. Each is a separate process, so that it does not share an event loop with the load. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { processSeconds } from './processor-time.ts';

/** Value that resets a process's peak memory in Linux (proc_pid_clear_refs(5)). */
const RESET_PEAK = '5';

const ROOT = join(import.meta.dirname, '../..');

/** A process that answers HTTP. */
export interface Child {
  /** Base URL without a trailing slash. */
  readonly url: string;
  /** CPU time used so far in seconds, user and system. */
  cpuSeconds(): Promise<number>;
  /** Resident memory in MiB. */
  residentMebibytes(): Promise<number>;
  /** Peak resident memory while `work` runs, in MiB. */
  peakMebibytes(work: () => Promise<unknown>): Promise<number>;
  /** Stops the process and waits until it has ended. */
  stop(): Promise<void>;
}

/** Options of a child process besides its environment. */
export interface ChildOptions {
  /** Folder for its CPU profile, written when it stops. */
  readonly profile?: string | null;
}

/** Starts Tessera as shipped, except for rate limits and log level. */
export function startTessera(
  env: Readonly<Record<string, string>>,
  options: ChildOptions = {},
): Promise<Child> {
  const settings = { PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'warn', ...env };
  return startChild('bin/tessera', ['serve'], settings, options);
}

/** Starts a program of this folder, such as `limits/forms-server.ts`. It prints `runs at <url>` when it is ready. */
export function startProgram(path: string, env: Readonly<Record<string, string>> = {}): Promise<Child> {
  return startChild(process.execPath, ['--no-warnings', join('bench', path)], env, {});
}

/** Runs a command of Tessera to its end, such as `['backup', file]`. @throws Error with its output if it fails. */
export async function runCommand(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  await promisify(execFile)('bin/tessera', args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...env },
  });
}

async function startChild(
  command: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { profile = null }: ChildOptions,
): Promise<Child> {
  const profiling = profile === null ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${profile}` };
  const child = spawn(command, args, {
    cwd: ROOT,
    env: { PATH: process.env.PATH ?? '', ...profiling, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  exited.then(() => process.off('exit', kill));
  const url = await firstUrl(createInterface({ input: child.stdout }), exited, args);
  return {
    url,
    cpuSeconds: () => processSeconds(child.pid ?? 0),
    residentMebibytes: () => readMebibytes(child.pid, 'VmRSS'),
    async peakMebibytes(work) {
      await writeFile(`/proc/${child.pid}/clear_refs`, RESET_PEAK);
      await work();
      return readMebibytes(child.pid, 'VmHWM');
    },
    async stop() {
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function readMebibytes(pid: number | undefined, entry: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`${entry}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
}

function firstUrl(
  lines: AsyncIterable<string> & { on(event: 'line', listener: (line: string) => void): unknown },
  exited: Promise<unknown>,
  args: readonly string[],
): Promise<string> {
  return new Promise((resolve, reject) => {
    const seen: string[] = [];
    lines.on('line', (line) => {
      seen.push(line);
      const url = /runs at (http:\S+)/i.exec(line)?.[1];
      if (url !== undefined) resolve(url.replace('localhost', '127.0.0.1'));
    });
    exited.then(() => reject(new Error(`${args.join(' ')} ended during startup:\n${seen.join('\n')}`)));
  });
}
