import { parseArgs } from 'node:util';

/** Kinds of databases. A cluster is measured only on request. */
export type DatabaseKind = 'embedded' | 'server' | 'cluster';

/** Command line options of a benchmark. */
export interface BenchOptions {
  /** Databases to measure, in this order. */
  readonly databases: readonly DatabaseKind[];
  /** Length of one round, or of a whole soak test; null for the benchmark's default. */
  readonly seconds: number | null;
  /** Number of records; null for the benchmark's default. */
  readonly rows: number | null;
  /** Folder for CPU profiles of the Tessera process; null for none. */
  readonly profile: string | null;
}

/** Registers a cleanup function. They run in reverse order when the benchmark ends, also after an error. */
export type OnEnd = (release: () => Promise<void>) => void;

/** Measures on one database and prints results. Returns true if every aim was reached. */
export type Bench = (kind: DatabaseKind, options: BenchOptions, onEnd: OnEnd) => Promise<boolean>;

/** Returns the database kind for the limit: one server if Tessera runs on a cluster. */
export function limitKind(kind: DatabaseKind): DatabaseKind {
  return kind === 'cluster' ? 'server' : kind;
}

/** Returns the aim of a benchmark; none on a cluster, because all of its nodes run on this machine. */
export function aimOn(kind: DatabaseKind, aim: number): number {
  return kind === 'cluster' ? 0 : aim;
}

const KINDS: readonly DatabaseKind[] = ['embedded', 'server', 'cluster'];
const DEFAULT_KINDS: readonly DatabaseKind[] = ['embedded', 'server'];

/**
 * Reads `<name> [--database embedded|server|cluster] [--seconds N] [--rows N] [--profile FOLDER]`. @throws for anything
 * else.
 */
export function readArguments(argv: readonly string[]): { name: string; options: BenchOptions } {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      database: { type: 'string' },
      seconds: { type: 'string' },
      rows: { type: 'string' },
      profile: { type: 'string' },
    },
  });
  const databases =
    values.database === undefined ? DEFAULT_KINDS : KINDS.filter((kind) => values.database === kind);
  if (databases.length === 0) throw new Error('--database must be embedded, server or cluster.');
  const seconds = values.seconds === undefined ? null : Number(values.seconds);
  if (seconds !== null && !(seconds > 0)) throw new Error('--seconds must be a positive number.');
  const rows = values.rows === undefined ? null : Number(values.rows);
  if (rows !== null && !(Number.isInteger(rows) && rows > 0))
    throw new Error('--rows must be a positive integer.');
  const options = { databases, seconds, rows, profile: values.profile ?? null };
  return { name: positionals[0] ?? '', options };
}
