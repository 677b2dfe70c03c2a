/** Cost per unit of work: CPU time of each process and node, write-ahead log, stored bytes, statements. */
import type { Child } from './children.ts';
import type { DatabaseMeter, DatabaseUsage } from './database-usage.ts';

/** Processes and database of a measurement. */
export interface MeasuredSystem {
  /** Tessera processes by role. */
  readonly processes: Readonly<Record<string, Child>>;
  readonly meter: DatabaseMeter;
}

/** Usage in a measurement, per unit of work, or per second. */
export interface Costs {
  readonly seconds: number;
  /** CPU seconds by process; `nodes` has those by database node. */
  readonly processes: ReadonlyMap<string, number>;
  readonly nodes: ReadonlyMap<string, number>;
  readonly logBytes: number;
  readonly tables: ReadonlyMap<string, number>;
  readonly statements: DatabaseUsage['statements'];
}

/** Runs `work` and returns its costs. */
export async function measureCosts(
  { processes, meter }: MeasuredSystem,
  work: () => Promise<void>,
): Promise<Costs> {
  const read = async () =>
    new Map(
      await Promise.all(
        Object.entries(processes).map(
          async ([role, child]): Promise<[string, number]> => [role, await child.cpuSeconds()],
        ),
      ),
    );
  const before = await meter.read('begin');
  const processesBefore = await read();
  const begun = performance.now();
  await work();
  const seconds = (performance.now() - begun) / 1000;
  const processesAfter = await read();
  const after = await meter.read('end');
  const nodes = ({ nodes: all }: DatabaseUsage) =>
    new Map(all.map(({ name, cpuSeconds }) => [name, cpuSeconds]));
  const logOf = ({ nodes: all }: DatabaseUsage) => all.reduce((sum, { logBytes }) => sum + logBytes, 0);
  return {
    seconds,
    processes: combine(processesAfter, processesBefore, (a, b) => a - b),
    nodes: combine(nodes(after), nodes(before), (a, b) => a - b),
    logBytes: logOf(after) - logOf(before),
    tables: combine(after.tables, before.tables, (a, b) => a - b),
    statements: after.statements && {
      toOne: after.statements.toOne - (before.statements?.toOne ?? 0),
      toSeveral: after.statements.toSeveral - (before.statements?.toSeveral ?? 0),
    },
  };
}

/** Returns the costs of one of `count` units, without the costs of an idle process in the same time. */
export function perUnit(costs: Costs, count: number, idle: Costs | null = null): Costs {
  const share = (used: number, idling: number) =>
    (used - (idle === null ? 0 : (idling / idle.seconds) * costs.seconds)) / count;
  const { statements } = costs;
  return {
    seconds: costs.seconds / count,
    processes: combine(costs.processes, idle?.processes ?? new Map(), share),
    nodes: combine(costs.nodes, idle?.nodes ?? new Map(), share),
    logBytes: share(costs.logBytes, idle?.logBytes ?? 0),
    tables: combine(costs.tables, new Map(), (used) => used / count),
    statements: statements && {
      toOne: share(statements.toOne, idle?.statements?.toOne ?? 0),
      toSeveral: share(statements.toSeveral, idle?.statements?.toSeveral ?? 0),
    },
  };
}

/** One line: `Tessera 512 us (api 400, worker 112); database 300 us (…); log 1.2 kB; stored 3.4 kB (…)`. */
export function describe({ processes, nodes, logBytes, tables, statements }: Costs): string {
  const stored = [...tables].filter(([, bytes]) => bytes >= 1).sort(([, a], [, b]) => b - a);
  const parts = [
    `Tessera ${time(processes)}`,
    `database ${time(nodes)}`,
    `log ${kilobytes(logBytes)}`,
    `stored ${kilobytes(sum(tables))}${list(stored.map(([name, bytes]) => `${name} ${bytes.toFixed(0)}`))}`,
  ];
  if (statements)
    parts.push(
      `statements ${statements.toOne.toFixed(2)} to one shard, ${statements.toSeveral.toFixed(3)} to several`,
    );
  return parts.join('; ');
}

function time(parts: ReadonlyMap<string, number>): string {
  const each = [...parts].map(([name, seconds]) => `${name} ${micros(seconds)}`);
  return `${micros(sum(parts))} us${each.length > 1 ? list(each) : ''}`;
}

function list(items: readonly string[]): string {
  return items.length === 0 ? '' : ` (${items.join(', ')})`;
}

function micros(seconds: number): string {
  return (seconds * 1e6).toFixed(0);
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(2)} kB`;
}

function sum(parts: ReadonlyMap<string, number>): number {
  return [...parts.values()].reduce((all, each) => all + each, 0);
}

function combine(
  ones: ReadonlyMap<string, number>,
  others: ReadonlyMap<string, number>,
  join: (one: number, other: number) => number,
): Map<string, number> {
  return new Map([...ones].map(([name, one]) => [name, join(one, others.get(name) ?? 0)]));
}
