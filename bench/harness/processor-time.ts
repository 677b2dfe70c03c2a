/** CPU times from Linux's `/proc`. `stat` counts ticks of 10 ms; the name before its fields may contain spaces. */
import { readdir, readFile } from 'node:fs/promises';

const TICKS_PER_SECOND = 100;

interface Stat {
  readonly name: string;
  readonly parent: number;
  /** CPU time of the process itself in seconds, user and system. */
  readonly own: number;
  /** CPU time of ended child processes that were waited for. */
  readonly ended: number;
}

async function readStat(pid: number | string): Promise<Stat> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  const end = stat.lastIndexOf(')');
  const fields = stat.slice(end + 2).split(' ');
  const seconds = (first: number) => (Number(fields[first]) + Number(fields[first + 1])) / TICKS_PER_SECOND;
  return {
    name: stat.slice(stat.indexOf('(') + 1, end),
    parent: Number(fields[1]),
    own: seconds(11),
    ended: seconds(13),
  };
}

/** Returns the CPU time that a process has used so far, in seconds. */
export async function processSeconds(pid: number): Promise<number> {
  return (await readStat(pid)).own;
}

/** Returns a process's parent and its name. */
export async function parentOf(pid: number): Promise<{ pid: number; name: string }> {
  const { parent } = await readStat(pid);
  return { pid: parent, name: (await readStat(parent)).name };
}

/** Returns the CPU time of a process and its children, including ended ones, in seconds. */
export async function familySeconds(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A child that ends meanwhile is counted by its parent.
  const stats = await Promise.all(pids.map((each) => readStat(each).catch(() => null)));
  const { own, ended } = await readStat(pid);
  return stats.reduce((sum, stat) => (stat?.parent === pid ? sum + stat.own + stat.ended : sum), own + ended);
}
